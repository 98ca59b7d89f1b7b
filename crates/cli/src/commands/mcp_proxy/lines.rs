//! Lines in and out: bounded, and never waiting for the other side.
//!
//! Each end has a thread. Reading and writing never wait for each other, so that a client and a server that both write before
//! they read cannot block the proxy.

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    sync::mpsc::{self, SyncSender, TrySendError},
    thread::{self, JoinHandle},
};

/// The longest line.
pub(super) const LONGEST: usize = 16 * 1024 * 1024;
/// The number of messages that can wait for a reader.
const WAITING: usize = 4096;

/// A line as it was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// A line of more than [`LONGEST`] bytes, without its text.
    TooLong,
    /// The end, or an error of the system.
    End,
}

/// Reads lines until the end, and passes each one on. Empty lines are left out.
pub(super) fn read_all(from: impl Read, longest: usize, mut pass: impl FnMut(Line) -> bool) {
    let mut from = BufReader::new(from);
    loop {
        match next(&mut from, longest) {
            Line::Whole(line) if line.is_empty() => {}
            Line::End => {
                pass(Line::End);
                return;
            }
            line => {
                if !pass(line) {
                    return;
                }
            }
        }
    }
}

fn next(from: &mut impl BufRead, longest: usize) -> Line {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let Ok(buffer) = from.fill_buf() else { return Line::End };
        if buffer.is_empty() {
            // A line that was not finished is not a message.
            return Line::End;
        }
        let (part, found) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (buffer.get(..at).unwrap_or_default(), at + 1),
            None => (buffer, buffer.len()),
        };
        let is_end = found > part.len();
        is_too_long |= line.len() + part.len() > longest;
        if is_too_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        from.consume(found);
        if is_end {
            let text = line.trim_ascii().to_vec();
            return if is_too_long { Line::TooLong } else { Line::Whole(text) };
        }
    }
}

/// Lines that wait to be written.
#[derive(Debug)]
pub(super) struct Outbox {
    waiting: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Outbox {
    pub(super) fn new(mut to: impl Write + Send + 'static) -> Self {
        let (waiting, lines) = mpsc::sync_channel::<Vec<u8>>(WAITING);
        let thread = thread::spawn(move || {
            for line in lines {
                if to.write_all(&line).and_then(|()| to.flush()).is_err() {
                    return;
                }
            }
        });
        Self { waiting: Some(waiting), thread: Some(thread) }
    }

    /// Sends a message. Returns false if the other side does not read, or if too much waits.
    pub(super) fn send(&self, message: &Value) -> bool {
        let mut line = message.to_string().into_bytes();
        line.push(b'\n');
        match self.waiting.as_ref().map(|waiting| waiting.try_send(line)) {
            Some(Ok(())) => true,
            Some(Err(TrySendError::Full(_) | TrySendError::Disconnected(_))) | None => false,
        }
    }

    /// Writes what waits, and closes the other end. With `patient` it returns when all of it is written.
    pub(super) fn close(&mut self, patient: bool) {
        self.waiting = None;
        if let Some(thread) = self.thread.take().filter(|_| patient) {
            // A panic there means that not everything was written, which the other side sees.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<Line> {
        let mut found = Vec::new();
        read_all(text, 8, |line| {
            found.push(line);
            true
        });
        found
    }

    #[test]
    fn lines_are_bounded_and_must_end() {
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(lines(b"a\r\n\n  \nb\n"), [whole("a"), whole("b"), Line::End]);
        assert_eq!(
            lines(b"12345678\n123456789\nx\n"),
            [whole("12345678"), Line::TooLong, whole("x"), Line::End]
        );
        assert_eq!(lines(b"a\nunfinished"), [whole("a"), Line::End]);
        let long = [vec![b'x'; 100_000], b"\nok\n".to_vec()].concat();
        assert_eq!(lines(&long), [Line::TooLong, whole("ok"), Line::End]);
    }
}
