//! `checkrein run`: starts a program with a secret, for a ticket of the hook.

use crate::{args::Run, exit::ExitStatus, policy, term::err, term::style};
use anyhow::{Context, anyhow, bail};
use checkrein::secrets::{Exact, Granted, redeem};
use rustix::{fd::OwnedFd, io::FdFlags};
use std::{
    io::{self, Read, Write},
    os::{fd::AsRawFd, unix::process::ExitStatusExt},
    process::{Child, Command, ExitCode, Stdio},
    thread,
};

/// The number of bytes that a pipe takes before anything reads from it.
const MOST: usize = 32 * 1024;
/// The longest input that is compared with a tag.
const LONGEST_INPUT: u64 = 4096;

/// Runs the program, and returns its exit code.
pub(crate) fn run(arguments: &Run) -> ExitCode {
    started(arguments).unwrap_or_else(|error| {
        err!("checkrein: {}", style::lines(&format!("{error:#}")));
        ExitStatus::Impossible.into()
    })
}

fn started(arguments: &Run) -> anyhow::Result<ExitCode> {
    let places = policy::places(None, &checkrein::Session::default());
    let state = places.state.as_deref().context("there is no state directory, and so no tickets")?;
    let directory = std::env::current_dir().context("the working directory cannot be read")?;
    let granted = redeem(state, &arguments.ticket, &arguments.secrets, &arguments.words, &directory)
        .map_err(|why| anyhow!("{why}"))?;
    let input = match &granted.stdin {
        Some((tag, value)) => Some(exchanged(tag, value)?),
        None => None,
    };
    let (mut command, descriptors) = prepared(&granted)?;
    command
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child =
        command.spawn().with_context(|| format!("cannot start `{}`", granted.program.display()))?;
    // The program has its own copies.
    drop(descriptors);
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // A program that does not read its input says so itself.
        let _ = stdin.write_all(&input);
    }
    shown(&mut child, &granted)?;
    let status = child.wait().context("cannot wait for the program")?;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}

/// Returns the value for a standard input that is the tag and nothing else.
fn exchanged(tag: &str, value: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    io::stdin().take(LONGEST_INPUT).read_to_end(&mut text).context("cannot read standard input")?;
    if text.trim_ascii() != tag.as_bytes() {
        bail!("standard input has more than the tag");
    }
    Ok(value.to_vec())
}

/// Returns the command, and the descriptors that it inherits.
fn prepared(granted: &Granted) -> anyhow::Result<(Command, Vec<OwnedFd>)> {
    let mut arguments = granted.arguments.clone();
    let mut descriptors = Vec::new();
    for descriptor in &granted.descriptors {
        if descriptor.content.len() > MOST {
            bail!("the value is too long for a descriptor");
        }
        // A pipe can be read once, unlike a file.
        let (reading, mut writing) = io::pipe().context("cannot make a pipe")?;
        writing.write_all(&descriptor.content).context("cannot write to a pipe")?;
        rustix::io::fcntl_setfd(&reading, FdFlags::empty()).context("cannot pass on a pipe")?;
        if let Some(argument) = arguments.get_mut(descriptor.argument) {
            *argument = argument.replace("{}", &format!("/dev/fd/{}", reading.as_raw_fd()));
        }
        descriptors.push(reading.into());
    }
    let mut command = Command::new(&granted.program);
    command.args(&arguments).env_clear().envs(granted.environment.iter().map(|(name, value)| (name, value)));
    Ok((command, descriptors))
}

/// Passes on what the program prints, without the values.
fn shown(child: &mut Child, granted: &Granted) -> anyhow::Result<()> {
    let exact = Exact::new(granted.hidden.iter().map(|(value, tag)| (value.as_str(), tag.as_str())));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let errors = exact.clone();
    let copying = thread::spawn(move || stderr.map_or(Ok(()), |stderr| copy(stderr, io::stderr(), errors)));
    let copied = stdout.map_or(Ok(()), |stdout| copy(stdout, io::stdout(), exact));
    // A reader that went away is its own business, as without us.
    let joined = copying.join().map_err(|_| anyhow!("the output cannot be passed on"))?;
    for result in [copied, joined] {
        if let Err(error) = result
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            return Err(error).context("the output cannot be passed on");
        }
    }
    Ok(())
}

fn copy(mut from: impl Read, mut to: impl Write, mut exact: Exact) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(&exact.push(buffer.get(..count).unwrap_or_default()))?;
        to.flush()?;
    }
    to.write_all(&exact.finish())?;
    to.flush()
}
