//! The subset of HTTP/1.1 that an agent's client needs: requests with a body, answers whole or chunked.
//!
//! Hand-written, because it is small: one side of it is ours, it listens on loopback, and everything is bounded.

use std::io::{self, BufRead, Read, Write};

/// The longest body. A conversation with all of an agent's tools is a few hundred kilobytes.
const MOST_BODY: u64 = 64 << 20;
/// The longest line, and the maximum number of headers.
const MOST_LINE: u64 = 64 << 10;
const MOST_HEADERS: usize = 256;

/// A request.
pub(crate) struct Received {
    pub(crate) method: String,
    /// The path without the query.
    pub(crate) path: String,
    /// The headers, with names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Received {
    /// Returns true if the client wants to keep this connection open.
    pub(crate) fn keeps_alive(&self) -> bool {
        !header(&self.headers, "connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// Returns the compression of the body, if it has one.
    pub(crate) fn packing(&self) -> Option<&str> {
        header(&self.headers, "content-encoding").filter(|value| !value.eq_ignore_ascii_case("identity"))
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Returns the next request; `None` if the client has gone. `polite` takes `100 Continue` for a client that
/// waits for it.
pub(crate) fn receive(from: &mut impl BufRead, polite: &mut impl Write) -> io::Result<Option<Received>> {
    let Some(first) = line(from)? else { return Ok(None) };
    let mut words = first.split_ascii_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Err(bad("the request line is not one"));
    };
    let path = target.split('?').next().unwrap_or_default().to_owned();
    let method = method.to_owned();
    let mut headers = Vec::new();
    loop {
        let next = line(from)?.ok_or_else(|| bad("the headers have no end"))?;
        if next.is_empty() {
            break;
        }
        let (name, value) = next.split_once(':').ok_or_else(|| bad("a header without a colon"))?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        if headers.len() > MOST_HEADERS {
            return Err(bad("too many headers"));
        }
    }
    if header(&headers, "expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
        polite.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let body = if header(&headers, "transfer-encoding").is_some_and(|value| value.contains("chunked")) {
        pieces(from)?
    } else {
        let length = header(&headers, "content-length").map_or(Ok(0), str::parse::<u64>);
        whole(from, length.map_err(|_| bad("a length that is no number"))?)?
    };
    Ok(Some(Received { method, path, headers, body }))
}

fn pieces(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(from)?.ok_or_else(|| bad("the body has no end"))?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(|_| bad("a piece without a length"))?;
        if size == 0 {
            // Trailers may follow the last chunk, up to an empty line.
            while line(from)?.is_some_and(|line| !line.is_empty()) {}
            return Ok(body);
        }
        if size.saturating_add(body.len() as u64) > MOST_BODY {
            return Err(bad("the body is too long"));
        }
        body.extend(whole(from, size)?);
        line(from)?;
    }
}

fn whole(from: &mut impl BufRead, length: u64) -> io::Result<Vec<u8>> {
    if length > MOST_BODY {
        return Err(bad("the body is too long"));
    }
    let mut body = Vec::new();
    let read = from.by_ref().take(length).read_to_end(&mut body)?;
    if read as u64 == length { Ok(body) } else { Err(bad("the body ended early")) }
}

/// Reads a line without its end; `None` at the end of the stream.
fn line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    from.by_ref().take(MOST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.pop() != Some(b'\n') {
        return Err(bad("a line without an end"));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    String::from_utf8(bytes).map(Some).map_err(|_| bad("a line that is no text"))
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Writes an answer in one piece.
pub(crate) fn answer(to: &mut impl Write, status: u16, kind: &str, body: &[u8]) -> io::Result<()> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status} Scripted\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
    to.write_all(head.as_bytes())?;
    to.write_all(body)?;
    to.flush()
}

/// Writes the head of a chunked answer.
pub(crate) fn open(to: &mut impl Write, kind: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 Scripted\r\nContent-Type: {kind}\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    to.write_all(head.as_bytes())
}

/// Writes and flushes one chunk, so that the client really sees a stream.
pub(crate) fn piece(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    write!(to, "{:x}\r\n", bytes.len())?;
    to.write_all(bytes)?;
    to.write_all(b"\r\n")?;
    to.flush()
}

/// Writes the end of a chunked answer. Without it the client must notice that the stream broke.
pub(crate) fn close(to: &mut impl Write) -> io::Result<()> {
    to.write_all(b"0\r\n\r\n")?;
    to.flush()
}
