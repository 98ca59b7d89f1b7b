//! Answers requests for approval from tools and hooks: the user at the terminal, or a policy.

use crate::view;
use checkrein_harness::{Approval, Approver, Request, Subject};
use clap::ValueEnum;
use std::{
    io::{BufRead, IsTerminal},
    sync::Arc,
};
use tokio::sync::{Mutex, mpsc};

/// The answer to requests for approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Ask the user; without a terminal the answer is no
    Ask,
    /// Always yes, also to hooks that ask
    Auto,
    /// Always no
    Never,
}

impl Mode {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Auto => "auto",
            Self::Never => "never",
        }
    }
}

/// The lines of stdin, shared by prompts and answers: two readers would steal each other's lines.
#[derive(Clone)]
pub(crate) struct Lines(Arc<Mutex<Option<mpsc::Receiver<String>>>>);

impl Lines {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(None)))
    }

    /// Returns the next line; `None` after the last.
    pub(crate) async fn next(&self) -> Option<String> {
        let mut lines = self.0.lock().await;
        // A thread that may wait forever, started when the first line is needed.
        lines.get_or_insert_with(read).recv().await
    }
}

fn read() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(1);
    // Without a thread the channel ends at once, as if stdin had.
    let _ = std::thread::Builder::new().name("stdin".into()).spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Answers according to the mode.
pub(crate) struct User {
    pub(crate) mode: Mode,
    pub(crate) lines: Lines,
}

impl Approver for User {
    async fn approve(&self, request: &Request<'_>) -> Approval {
        match self.mode {
            Mode::Auto => return Approval::Yes,
            Mode::Never => return Approval::No(Some("approval is set to `never`".into())),
            Mode::Ask if !std::io::stdin().is_terminal() => {
                return Approval::No(Some("there is no terminal to ask at".into()));
            }
            Mode::Ask => {}
        }
        match request.subject {
            Subject::Call(call) => view::question(&call.name, &view::input(&call.input)),
            Subject::Output(call, output) => {
                view::question(&format!("the result of {}", call.name), output.text());
            }
            Subject::Prompt(prompt) => view::question("the prompt", prompt),
            Subject::Event(payload) => view::question(payload.name().as_str(), ""),
        }
        for said in &request.reasons {
            view::reason(said.hook, said.text);
        }
        view::yes_or_no();
        match self.lines.next().await.as_deref().map(str::trim) {
            Some("y" | "Y" | "yes" | "Yes") => Approval::Yes,
            Some(_) | None => Approval::No(Some("the user said no".into())),
        }
    }
}
