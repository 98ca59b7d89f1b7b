//! Servers on loopback that keep what they are sent.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// The texts that a server was sent, one for each connection.
pub(crate) type Received = Arc<Mutex<Vec<String>>>;

/// Starts a server. Returns its port, and what it will have received.
fn serve(answer: fn(&mut TcpStream) -> Option<String>) -> (u16, Received) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let received = Received::default();
    let kept = Arc::clone(&received);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let text = answer(&mut stream.unwrap());
            kept.lock().unwrap().extend(text);
        }
    });
    (port, received)
}

/// Starts a server that answers each request with the request.
pub(crate) fn http() -> (u16, Received) {
    serve(|stream| {
        let mut request = String::new();
        let mut buffer = [0; 4096];
        while !request.contains("\r\n\r\n") {
            let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
            request.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
        let body = request.replace("\r\n", "|");
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).ok()?;
        Some(request)
    })
}

/// Starts a PostgreSQL server that asks for a password in clear text and accepts any.
pub(crate) fn postgres() -> (u16, Received) {
    serve(|stream| {
        let message = |stream: &mut TcpStream, head: usize| -> Option<Vec<u8>> {
            let mut start = vec![0; head];
            stream.read_exact(&mut start).ok()?;
            let length: [u8; 4] = start[head - 4..].try_into().ok()?;
            let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
            stream.read_exact(&mut body).ok()?;
            Some(body)
        };
        // Requests for encryption come first, and are declined.
        while message(stream, 4)?.len() == 4 {
            stream.write_all(b"N").ok()?;
        }
        stream.write_all(b"R\0\0\0\x08\0\0\0\x03").ok()?;
        let password = message(stream, 5)?;
        stream.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I").ok()?;
        message(stream, 5)?;
        stream.write_all(b"C\0\0\0\x0dSELECT 0\0Z\0\0\0\x05I").ok()?;
        Some(String::from_utf8_lossy(&password).trim_end_matches('\0').to_owned())
    })
}

/// The arguments of all processes, looked at again and again as long as the value lives.
pub(crate) struct Arguments(Arc<Mutex<(bool, Vec<String>)>>);

impl Arguments {
    /// Starts to look.
    pub(crate) fn watch() -> Self {
        let shared = Arc::new(Mutex::new((true, Vec::new())));
        let theirs = Arc::clone(&shared);
        thread::spawn(move || {
            loop {
                let seen: Vec<String> = fs::read_dir("/proc")
                    .unwrap()
                    .flatten()
                    .filter_map(|process| fs::read(process.path().join("cmdline")).ok())
                    .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
                    .collect();
                let mut shared = theirs.lock().unwrap();
                if !shared.0 {
                    return;
                }
                let new: Vec<String> = seen.into_iter().filter(|line| !shared.1.contains(line)).collect();
                shared.1.extend(new);
                drop(shared);
                thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        Self(shared)
    }

    /// Returns every command line that was seen.
    pub(crate) fn seen(&self) -> Vec<String> {
        let mut shared = self.0.lock().unwrap();
        shared.0 = false;
        shared.1.clone()
    }
}
