//! Hooks that speak another protocol than ours.

use crate::answer::Exit;
use checkrein_core::{Decision, Edit, Failure, Payload, Verdict};
use std::{ffi::OsString, fmt};

/// Translates between our protocol and that of a hook that was written for another program.
pub trait Translation: fmt::Debug + Send + Sync {
    /// Returns what the hook gets on its stdin. It is started once for each: not at all if the event is none of its own, and
    /// several times if one call is several in its protocol.
    fn inputs(&self, payload: &Payload) -> Result<Vec<Vec<u8>>, Failure>;

    /// Returns the variables that it gets in addition.
    fn variables(&self, payload: &Payload) -> Vec<(String, OsString)>;

    /// Reads its answer to the input with this number.
    fn verdict(
        &self,
        payload: &Payload,
        number: usize,
        exit: Exit,
        stdout: &[u8],
        stderr: &[u8],
    ) -> Result<Verdict, Failure>;
}

/// Makes one verdict of those about the parts of a call. The strictest decision counts. A part cannot change the whole, so a
/// change is a denial if there are several.
pub(crate) fn joined(verdicts: Vec<Verdict>) -> Verdict {
    let is_one = verdicts.len() == 1;
    let mut joined = Verdict::abstain();
    for verdict in verdicts {
        let edits = matches!(verdict.edit, Some(Edit::Input(_) | Edit::MergeInput(_)));
        let verdict = match is_one || !edits {
            true => verdict,
            false => Verdict::deny("the hook changed one part of a call that it sees as several calls"),
        };
        if verdict.decision > joined.decision || joined.reason.is_none() {
            joined.reason = verdict.reason;
        }
        // An allow of one part says nothing about the others.
        joined.decision = match (is_one, verdict.decision) {
            (false, Decision::Allow) => joined.decision,
            (_, decision) => decision.max(joined.decision),
        };
        joined.edit = verdict.edit.or(joined.edit);
        joined.context.extend(verdict.context);
        joined.notice = match (joined.notice, verdict.notice) {
            (Some(one), Some(other)) if one != other => Some(format!("{one}\n{other}")),
            (one, other) => one.or(other),
        };
        joined.stop = joined.stop.or(verdict.stop);
        joined.retry = joined.retry.or(verdict.retry);
        joined.result = joined.result.or(verdict.result);
    }
    joined
}
