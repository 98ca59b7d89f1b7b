//! The requests that a tool would make.

use super::{ToolAction, text};
use crate::{
    Action,
    tool::{
        arguments::{Argument, Meaning},
        call::{FileAccess, ToolCommand},
    },
};
use checkrein_core::Map;

/// The requests that a call would make, as a client on the command line makes them.
pub(super) fn requests(input: &Map) -> Vec<ToolAction<'_>> {
    let arguments = input.iter().map(|(name, value)| Argument { name, value, beside: input });
    arguments.collect::<Vec<_>>().iter().flat_map(request).collect()
}

pub(super) fn request<'a>(argument: &Argument<'a>) -> Vec<ToolAction<'a>> {
    if argument.meaning() != Some(Meaning::Address) {
        return Vec::new();
    }
    let method = text(argument.beside, &["method"]).unwrap_or("GET");
    let body = text(argument.beside, &["body", "data", "payload", "postdata", "json"]);
    let addresses = argument.texts().into_iter();
    addresses
        .filter_map(|address| match address.split_once("://") {
            Some(("file", path)) => Some(ToolAction::FileAccess(FileAccess {
                action: Action::Read,
                path: path.into(),
                content: None,
            })),
            Some(("http" | "https", _)) => {
                let sent = body.map(|body| ["--data-raw", body]).into_iter().flatten();
                let words = ["curl", "-s", "-X", method].into_iter().chain(sent).chain([address]);
                Some(ToolAction::Command(ToolCommand::Arguments(words.map(str::to_owned).collect())))
            }
            Some(_) | None => None,
        })
        .collect()
}
