//! The settings of `[rewrite]` and `[[replace]]`.

use super::Kind;
use crate::config::keys::ConfigWord;
use serde_json::{Value, json};

/// The handling of a command that could be written in a safer or more fitting way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// The command is left as it is, and no other one is suggested.
    Off,
    /// The other command is suggested: in the denial, if there is one, else once to the model.
    #[default]
    Suggest,
    /// The other command runs instead.
    Apply,
}

impl Mode {
    /// The word for it in configurations.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Suggest => "suggest",
            Self::Apply => "apply",
        }
    }
}

/// The table `[rewrite]` and the lists `[[replace]]` and `[[trailer]]` of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RewriteKeys {
    /// The modes of the kinds that the file names.
    pub(crate) modes: Vec<(Kind, Mode)>,
    pub(crate) replaces: Vec<Replace>,
}

impl RewriteKeys {
    /// Writes the tables as a file would have them.
    pub(crate) fn write(&self, settings: &mut Value) {
        let Some(settings) = settings.as_object_mut() else { return };
        let modes = self.modes.iter().map(|(kind, mode)| (kind.key().to_owned(), mode.word().into()));
        settings.insert("rewrite".to_owned(), Value::Object(modes.collect()));
        let rows = |trailers: bool| -> Value {
            let rows = self.replaces.iter().filter(|replace| replace.trailer.is_empty() != trailers);
            rows.map(Replace::to_json).collect()
        };
        settings.insert("replace".to_owned(), rows(false));
        settings.insert("trailer".to_owned(), rows(true));
    }

    /// Returns what the file says of a kind.
    pub(crate) fn mode(&self, kind: Kind) -> Option<Mode> {
        self.modes.iter().find(|(known, _)| *known == kind).map(|(_, mode)| *mode)
    }
}

/// A `[[replace]]` or a `[[trailer]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replace {
    /// The program that is replaced; empty if it is about a trailer.
    pub(crate) program: String,
    /// The trailer of commit messages that is replaced; empty if it is about a program.
    pub(crate) trailer: String,
    /// The words in its place; empty to leave a trailer out.
    pub(crate) with: String,
    /// The options that the other program understands, in the notation of the built-in tables.
    pub(crate) options: Vec<String>,
    /// A file at the top of the projects that it is for; empty for all.
    pub(crate) file: String,
    pub(crate) mode: Mode,
}

impl Replace {
    /// Returns the table as a file would write it.
    pub(crate) fn to_json(&self) -> Value {
        let mut row = json!({"mode": self.mode.word()});
        let texts =
            [("program", &self.program), ("name", &self.trailer), ("with", &self.with), ("file", &self.file)];
        if let Some(row) = row.as_object_mut() {
            for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
                row.insert(key.to_owned(), text.as_str().into());
            }
            if !self.options.is_empty() {
                row.insert("options".to_owned(), self.options.clone().into());
            }
        }
        row
    }
}
