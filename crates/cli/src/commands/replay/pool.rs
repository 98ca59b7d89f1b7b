//! The child processes that read and judge, one per core, each with a thread that hands it the next file.

use super::{
    sources::Source,
    summary::{Call, End},
    worker::{Setup, WORKER},
};
use anyhow::Context;
use checkrein::Map;
use serde_json::{Value, json};
use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

/// The longest silence of a child. A call takes microseconds to judge.
const SILENCE: Duration = Duration::from_secs(30);
/// The most that a child may answer about one file.
const OUTPUT: u64 = 1 << 30;
/// The longest line of an answer.
const LINE: u64 = 64 << 20;

/// A message of a child.
pub(super) enum Answer {
    /// A call.
    Call(Box<Call>),
    /// A file is done.
    End(Box<End>),
    /// A file could not be read to its end.
    Failed(Source, String),
}

/// The child processes.
pub(super) struct Pool {
    setup: Setup,
    workers: usize,
}

impl Pool {
    pub(super) fn new(setup: Setup) -> anyhow::Result<Self> {
        let workers = thread::available_parallelism().context("cannot count the cores")?.get().min(16);
        Ok(Self { setup, workers })
    }

    /// Has all files read, and hands over what is found. The order between files is not defined.
    pub(super) fn run(self, sources: &[Source], mut take: impl FnMut(Answer)) -> anyhow::Result<()> {
        let next = AtomicUsize::new(0);
        let (sender, receiver): (Sender<Answer>, Receiver<Answer>) = channel();
        thread::scope(|scope| {
            for _ in 0..self.workers.min(sources.len()) {
                let (sender, next, setup) = (sender.clone(), &next, &self.setup);
                scope.spawn(move || {
                    let mut worker: Option<Worker> = None;
                    while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let done = read(&mut worker, setup, source, &sender);
                        if let Err(error) = done {
                            // The next file gets another child.
                            worker = None;
                            let _ = sender.send(Answer::Failed(source.clone(), error.to_string()));
                        }
                    }
                });
            }
            drop(sender);
            for answer in receiver {
                take(answer);
            }
        });
        Ok(())
    }
}

fn read(
    worker: &mut Option<Worker>,
    setup: &Setup,
    source: &Source,
    sender: &Sender<Answer>,
) -> io::Result<()> {
    let worker = match worker {
        Some(worker) => worker,
        None => worker.insert(Worker::start(setup)?),
    };
    worker.file(source, sender)
}

/// One child.
struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Worker {
    fn start(setup: &Setup) -> io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(WORKER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the reader has no pipes"));
        };
        writeln!(stdin, "{}", setup.line())?;
        Ok(Self { child, stdin, stdout: BufReader::with_capacity(1 << 16, stdout) })
    }

    fn file(&mut self, source: &Source, sender: &Sender<Answer>) -> io::Result<()> {
        let request = json!({ "host": source.host.name(), "file": source.file.to_string_lossy() });
        writeln!(self.stdin, "{request}")?;
        let mut read = 0;
        loop {
            let line = self.line()?;
            read += line.len() as u64;
            if read > OUTPUT {
                return Err(io::Error::other("it has too many calls"));
            }
            let answer: Map = serde_json::from_slice(&line).map_err(io::Error::other)?;
            if let Some(Value::Object(end)) = answer.get("end") {
                let end = End::read(end);
                let _ = sender.send(Answer::End(Box::new(end)));
                return Ok(());
            }
            let _ = sender.send(Answer::Call(Box::new(Call::read(answer))));
        }
    }

    /// Reads a line, but does not wait forever: not for its beginning, and not for the rest of it.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        while !line.ends_with(b"\n") {
            self.wait()?;
            let piece = self.stdout.fill_buf()?;
            let length = piece.iter().position(|byte| *byte == b'\n').map_or(piece.len(), |at| at + 1);
            if length == 0 {
                return Err(io::Error::other("its reader stopped"));
            }
            line.extend_from_slice(piece.get(..length).unwrap_or_default());
            self.stdout.consume(length);
            if line.len() as u64 > LINE {
                return Err(io::Error::other("a call in it is too long"));
            }
        }
        Ok(line)
    }

    /// Waits until there is something to read.
    fn wait(&self) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        if !self.stdout.buffer().is_empty() {
            return Ok(());
        }
        let limit = Timespec::try_from(SILENCE).map_err(io::Error::other)?;
        let mut wait = [PollFd::new(self.stdout.get_ref(), PollFlags::IN)];
        match poll(&mut wait, Some(&limit))? {
            0 => Err(io::Error::other("it took too long")),
            _ => Ok(()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be busy with a hostile file, and its answer is not needed any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
