//! The hook that looks for secrets in prompts.

use super::{NAME, Secrets, settings::PromptRule};
use checkrein_core::{Deadline, Failure, Hook, Payload, Verdict};
use checkrein_secrets::scan;

/// Tells the user that a prompt has a secret in it, or denies it.
#[derive(Clone, Debug)]
pub(super) struct Prompt(pub(super) Secrets);

impl Hook for Prompt {
    fn name(&self) -> &str {
        NAME
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some(prompt) = payload.event.prompt() else { return Ok(Verdict::abstain()) };
        let found = scan(prompt.as_bytes());
        let Some(first) = found.first() else { return Ok(Verdict::abstain()) };
        let what = match found.len() {
            1 => format!("a secret ({})", first.kind.name()),
            count => format!("{count} secrets (the first: {})", first.kind.name()),
        };
        Ok(match self.0.prompt {
            PromptRule::Notice => Verdict::abstain()
                .with_notice(format!("Your prompt has {what} in it. The model and its provider see it; consider replacing it."))
                .with_context("The prompt contains a secret. Do not repeat it, and do not write it into a file, a command or a commit."),
            PromptRule::Deny => Verdict::deny(format!(
                "the prompt has {what} in it; put the value into a file such as `.env` and name that file instead"
            )),
        })
    }
}
