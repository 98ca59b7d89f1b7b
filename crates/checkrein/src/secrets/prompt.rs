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

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_core::{Decision, Event};

    const TOKEN: &str = concat!("glpat", "-kR4vT9xQ2mWz7LpB3nHs");

    fn answer(prompt: &str, rule: PromptRule) -> Verdict {
        let event =
            serde_json::json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": prompt});
        let serde_json::Value::Object(fields) = event else { panic!("{event}") };
        let payload = checkrein_core::flat::read(fields, None).unwrap();
        assert!(matches!(payload.event, Event::UserPromptSubmit { .. }));
        let hook = Prompt(Secrets { prompt: rule, ..Secrets::default() });
        hook.call(&payload, Deadline::after(std::time::Duration::from_secs(5))).unwrap()
    }

    #[test]
    fn a_prompt_with_a_secret_is_reported_or_denied_without_the_value() {
        let prompt = format!("deploy with {TOKEN} please");
        let notice = answer(&prompt, PromptRule::Notice);
        assert_eq!(notice.decision, Decision::Abstain);
        let denial = answer(&prompt, PromptRule::Deny);
        assert_eq!(denial.decision, Decision::Deny);
        for verdict in [&notice, &denial] {
            let told = format!("{verdict:?}");
            assert!(told.contains("gitlab-pat") && !told.contains(TOKEN), "{told}");
        }
        assert!(format!("{notice:?}").contains("Do not repeat it"));
        let two = answer(&format!("{TOKEN} and {}", TOKEN.replace('k', "j")), PromptRule::Deny);
        assert!(format!("{two:?}").contains("2 secrets"), "{two:?}");
    }

    #[test]
    fn an_ordinary_prompt_needs_no_answer() {
        for prompt in [
            "",
            "read GITLAB_TOKEN from .env",
            "glpat- tokens have 20 characters",
            "glpat-xxxxxxxxxxxxxxxxxxxx",
        ] {
            for rule in [PromptRule::Notice, PromptRule::Deny] {
                let told = format!("{:?}", answer(prompt, rule));
                assert_eq!(told, format!("{:?}", Verdict::abstain()), "{prompt}");
            }
        }
    }
}
