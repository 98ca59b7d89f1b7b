//! Secret handles: a tag in a command works again, without its value ever being in the command.
//!
//! `GH_TOKEN=secret_github_token_k3f9q2x gh api user` becomes `checkrein run --ticket … --secret …=GH_TOKEN -- /usr/bin/gh api user`.
//! Which programs, options, variables and servers are allowed is a closed table (`table.rs`, `handles/programs.toml`).
//!
//! | file | what it does |
//! | --- | --- |
//! | `learn.rs` | keeps where the values came from that a session has seen tags of, and reads them again |
//! | `wrap.rs` | finds the commands that need a value, and rewrites them |
//! | `plan.rs` | judges one command by the table |
//! | `redeem.rs` | what `checkrein run` passes to the program for a ticket |

mod checks;
mod destination;
pub(super) mod learn;
mod neighbours;
mod plan;
mod redeem;
pub(crate) mod table;
mod words;
mod wrap;

pub use redeem::{Descriptor, Granted, redeem};
pub(super) use wrap::covered;

use super::Secrets;
use crate::builtin::Disk;
use checkrein_core::{Map, Payload, ToolCall, Verdict};
use checkrein_guard::{CachedWorld, call_context, judge};

/// Answers a command with tags in it: rewrites it, so that the programs get the values, or denies it.
pub(super) fn answer(secrets: &Secrets, payload: &Payload, call: &ToolCall, text: &str) -> Verdict {
    let world = CachedWorld::new(&Disk);
    let place = call_context(call, payload, &world);
    let before = judge(text, &place, &world);
    let rewritten = match wrap::wrapped(secrets, payload, text, &place, &before, &world) {
        Ok(None) => return Verdict::abstain(),
        Ok(Some(rewritten)) => rewritten,
        Err(reason) => {
            return Verdict::deny(format!(
                "Checkrein denied this: {reason}. A tag (`secret_…`) is passed on only to a program of a closed list, in the way that it reads secrets"
            ));
        }
    };
    let changed = call.input.iter().filter(|(_, value)| value.as_str() == Some(text));
    let changes: Map = changed.map(|(key, _)| (key.clone(), rewritten.clone().into())).collect();
    let verdict = Verdict::rewrite(changes).with_notice("Checkrein passes the secret to the program, and the model does not see it").with_context(
        "The command now runs through `checkrein run`, which passes the value of the tag to the program once. The value is in no argument and \
         not in the output.",
    );
    // What the rewritten text does not show stays asked about.
    if before.decision <= judge(&rewritten, &place, &world).decision {
        return verdict;
    }
    let reason = before.findings.first().map(|finding| finding.rule.reason.to_string()).unwrap_or_default();
    Verdict { decision: before.decision, ..verdict }.with_reason(format!("Checkrein: {reason}"))
}

/// Returns what to tell about a tag that is nowhere in the table.
pub(super) fn elsewhere(secrets: &Secrets) -> String {
    format!(
        "the command has a tag in it (`secret_…`), in place of a value that only the program that owns it should read. A tag works only in these \
         programs, as the variable or option from which they read a secret: {}. Else let the program read the value from its file or variable",
        table::names(&secrets.handles),
    )
}
