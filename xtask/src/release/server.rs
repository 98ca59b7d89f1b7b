//! A server on loopback with the files of a release: for the installer, and for npm as a registry.

use super::listed;
use crate::{Result, cannot};
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// A running server, which stops when it is dropped.
pub(super) struct Server {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves the files of `directory` below `/files/`, and the npm packages among them as a registry.
    pub(super) fn start(directory: &Path) -> Result<Self> {
        let failed = |error| cannot("start", "a server on loopback", &error);
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let stopped = Arc::new(AtomicBool::new(false));
        let site = Site { directory: directory.to_owned(), address, packages: manifests(directory)? };
        let stop = Arc::clone(&stopped);
        let thread = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                // A client that goes away is its own problem.
                let _ = site.answer(&stream);
            }
        });
        Ok(Self { address, stopped, thread: Some(thread) })
    }

    /// Returns its address, without a slash at the end.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Site {
    directory: PathBuf,
    address: SocketAddr,
    /// The file and the `package.json` of each npm package.
    packages: Vec<(String, Value)>,
}

impl Site {
    /// Answers one request and closes the connection.
    fn answer(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        let mut lines = BufReader::new(stream).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
        // The rest of the request does not matter, but must be read before the connection is closed.
        for line in lines.by_ref() {
            if line?.is_empty() {
                break;
            }
        }
        let path = request.split(' ').nth(1).unwrap_or_default();
        let content = path.strip_prefix("/files/").map_or_else(|| self.package(path), |name| self.file(name));
        let (status, content) =
            content.map_or(("404 Not Found", b"{}".to_vec()), |content| ("200 OK", content));
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            content.len()
        )?;
        stream.write_all(&content)
    }

    fn file(&self, name: &str) -> Option<Vec<u8>> {
        // Only names: nothing outside the directory.
        if name.contains('/') { None } else { fs::read(self.directory.join(name)).ok() }
    }

    /// Returns what a registry knows about a package.
    fn package(&self, path: &str) -> Option<Vec<u8>> {
        let name = path.trim_start_matches('/');
        let (file, manifest) = self
            .packages
            .iter()
            .find(|(_, manifest)| manifest.get("name").is_some_and(|known| known == name))?;
        let version = manifest.get("version")?.as_str()?;
        let mut manifest = manifest.clone();
        let url = format!("http://{}/files/{file}", self.address);
        manifest.as_object_mut()?.insert("dist".into(), json!({"tarball": url}));
        let known = json!({"name": name, "dist-tags": {"latest": version}, "versions": {version: manifest}});
        Some(known.to_string().into_bytes())
    }
}

/// Returns the npm packages of a directory.
fn manifests(directory: &Path) -> Result<Vec<(String, Value)>> {
    let mut found = Vec::new();
    for (name, _) in listed(directory)?.into_iter().filter(|(name, _)| name.ends_with(".tgz")) {
        let path = directory.join(&name);
        let file = fs::File::open(&path).map_err(|error| cannot("read", &name, &error))?;
        let manifest = manifest(file).map_err(|error| cannot("read", &name, &error))?;
        // The Feature for dev containers ends in `.tgz`, too.
        found.extend(manifest.map(|manifest| (name, manifest)));
    }
    Ok(found)
}

fn manifest(file: fs::File) -> io::Result<Option<Value>> {
    for entry in tar::Archive::new(flate2::read::GzDecoder::new(file)).entries()? {
        let mut entry = entry?;
        if entry.path()?.as_ref() == Path::new("package/package.json") {
            let mut text = String::new();
            entry.read_to_string(&mut text)?;
            return Ok(serde_json::from_str(&text).ok());
        }
    }
    Ok(None)
}
