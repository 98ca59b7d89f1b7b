//! Programs that make keys. An existing key is replaced and cannot be restored.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    path::LinkPolicy,
    program::{ParseFlag, Role},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier},
};

/// Follows `ssh-keygen`: the file of `-f` is a new key, unless the command only shows one.
pub(in crate::eval) fn keygen(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let flow = evaluator.follow_table(parsed, call.rest(), frame);
    if parsed.qualities.has_any(qualities![Modifier::Lists, ParseFlag::Help]) {
        return flow;
    }
    for (_, file) in parsed.roles.iter().filter(|(role, _)| *role == Role::Name) {
        let places = evaluator.places(file, LinkPolicy::Follow, frame);
        let is_there = places.iter().any(|(spot, _)| evaluator.world.entry(&spot.path).is_some());
        // A new passphrase changes the file and keeps the key.
        let action = match is_there {
            true if parsed.qualities.has(Modifier::InPlace) => Action::Append,
            true => Action::Write,
            false => Action::Create,
        };
        evaluator.emit_path(action, file, Qualities::NONE, frame);
    }
    flow
}
