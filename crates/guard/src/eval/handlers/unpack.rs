//! Files that arrive in a directory under names that others chose: archives and patches.

use crate::{
    eval::{Evaluator, Frame},
    program::{ParseFlag, Parsed, Role, Trait},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier},
};
use checkrein_shell::Word;

/// The maximum number of files of a patch that are examined.
const FILES: usize = 256;

/// Names that builders take for the directory below which they install.
pub(in crate::eval) const PREFIXES: &[&str] = &[
    "PREFIX",
    "DESTDIR",
    "INSTALL_DIR",
    "INSTALL_ROOT",
    "INSTALL_PREFIX",
    "INSTALLDIR",
    "BINDIR",
    "CMAKE_INSTALL_PREFIX",
    "EXEC_PREFIX",
    "BIN_DIR",
    "LIBEXECDIR",
    "SYSCONFDIR",
    "DATADIR",
];

/// Variables that say where a program installs: the program, and the variable.
const INSTALLS_TO: &[(&str, &str)] = &[
    ("go", "GOBIN"),
    ("go", "GOPATH"),
    ("cargo", "CARGO_INSTALL_ROOT"),
    ("pip", "PIP_TARGET"),
    ("pip", "PIP_PREFIX"),
    ("pip", "PYTHONUSERBASE"),
    ("uv", "UV_TOOL_BIN_DIR"),
    ("pipx", "PIPX_BIN_DIR"),
    ("npm", "npm_config_prefix"),
    ("npm", "NPM_CONFIG_PREFIX"),
    ("pnpm", "PNPM_HOME"),
    ("bun", "BUN_INSTALL_BIN"),
    ("gem", "GEM_HOME"),
    ("make", "DESTDIR"),
    ("make", "PREFIX"),
    ("gmake", "DESTDIR"),
    ("ninja", "DESTDIR"),
    ("cmake", "DESTDIR"),
    ("meson", "DESTDIR"),
];
/// The commands of theirs that do.
const INSTALLING: &[&str] = &["install", "i", "in", "add", "binstall", "inject", "link"];

impl Evaluator<'_> {
    /// Records what a program takes out of an archive or a patch, if it lands where something of ours is.
    pub(in crate::eval) fn emit_unpacked(&mut self, parsed: &Parsed, frame: &Frame) {
        if parsed.qualities.has_any(qualities![
            Modifier::Lists,
            Modifier::DryRun,
            ParseFlag::OutputGiven,
            ParseFlag::Help
        ]) {
            return;
        }
        let given = parsed.roles.iter().any(|(role, _)| {
            matches!(role, Role::Create | Role::Write | Role::Into | Role::Made | Role::RemoteWrite)
        });
        let here = Word::text(".", 0..0);
        if parsed.qualities.has(ParseFlag::Homewide) && !given {
            let home = Word::text(&self.home, 0..0);
            self.emit_arrives_in(&home, parsed.qualities, frame);
        }
        self.arrives_by_environment(parsed, frame);
        self.arrives_by_module(parsed, frame);
        // Programs for all users go below the prefix.
        let installs = parsed.program.name.get(1).is_some_and(|command| INSTALLING.contains(command));
        let links = parsed.program.name.get(1) == Some(&"link");
        let for_all = links || parsed.qualities.has(Modifier::Global);
        if installs && parsed.program.has(Trait::GlobalPrefix) && for_all {
            let directories = parsed.roles.iter().filter(|(role, _)| *role == Role::Directory);
            for directory in directories.map(|(_, word)| word.clone()).collect::<Vec<_>>() {
                self.emit_arrives_in(&directory, parsed.qualities, frame);
            }
        }
        if parsed.qualities.has(Modifier::Extracts) && !given {
            self.emit_if_ours(Action::Create, &here, qualities![Modifier::Extracts], frame);
        }
        if parsed.qualities.has(Modifier::Extracts) && parsed.program.has(Trait::DirectoryLast) {
            // The last of its names may be the directory.
            let last =
                parsed.roles.iter().rev().find(|(role, _)| *role == Role::Text).map(|(_, word)| word.clone());
            if let Some(last) = last.filter(|word| word.constant().is_some_and(|text| text.ends_with('/'))) {
                self.emit_if_ours(Action::Create, &last, qualities![Modifier::Extracts], frame);
            }
        }
        if parsed.program.has(Trait::AppliesPatches)
            && !parsed.roles.iter().any(|(role, _)| *role == Role::Append)
        {
            self.emit_patched(parsed, frame);
        }
    }

    /// Records the files that a patch names; an unknown patch may change any.
    fn emit_patched(&mut self, parsed: &Parsed, frame: &Frame) {
        let file = parsed.roles.iter().find(|(role, _)| *role == Role::Read).map(|(_, word)| word);
        let text = match file {
            Some(file) => self.content_of(file, frame).text,
            None => frame.stdin.text.clone(),
        };
        let Some(text) = text else {
            self.emit_if_ours(Action::Create, &Word::text(".", 0..0), qualities![Modifier::Extracts], frame);
            return;
        };
        for name in patched(&text).take(FILES) {
            // An option says how many directories are stripped, so every remaining path is possible.
            for (place, _) in std::iter::once((0, "")).chain(name.match_indices('/')).take(16) {
                let rest = name.get(place..).unwrap_or_default();
                let rest = if place == 0 { rest } else { rest.trim_start_matches('/') };
                self.emit_if_ours(Action::Append, &Word::text(rest, 0..0), Qualities::NONE, frame);
            }
        }
    }
}

impl Evaluator<'_> {
    /// Records that files arrive in a directory, if that is one of ours or holds one.
    pub(in crate::eval) fn emit_arrives_in(&mut self, word: &Word, qualities: Qualities, frame: &Frame) {
        if qualities.has_any(qualities![Modifier::Lists, Modifier::DryRun, ParseFlag::Help]) {
            return;
        }
        self.emit_if_ours(Action::Create, word, qualities![Modifier::Extracts], frame);
    }

    /// `PREFIX=directory` among the words of a builder.
    pub(in crate::eval) fn arrives_by_name(&mut self, word: &Word, qualities: Qualities, frame: &Frame) {
        let lead = word.lead();
        let Some((name, _)) = lead.split_once('=') else { return };
        let plain = name.trim_start_matches('-').split(':').next().unwrap_or_default();
        if PREFIXES.iter().any(|known| known.eq_ignore_ascii_case(plain)) {
            self.emit_arrives_in(&word.skip(name.len() + 1), qualities, frame);
        }
    }

    /// `-a 'src=x dest=directory'` of a module that runs on this machine.
    fn arrives_by_module(&mut self, parsed: &Parsed, frame: &Frame) {
        let local = |word: &Word| matches!(word.lead(), "localhost" | "127.0.0.1" | "::1");
        if !parsed.program.has(Trait::RunsModules) || !parsed.operands.iter().any(local) {
            return;
        }
        let told = parsed.roles.iter().filter(|(role, _)| *role == Role::Shell).map(|(_, word)| word);
        let texts: Vec<String> = told.flat_map(|word| self.texts(word)).collect();
        for text in texts {
            let named = text.split_whitespace().filter_map(|word| {
                let (name, value) = word.split_once('=')?;
                matches!(name, "dest" | "path" | "target" | "creates").then_some(value)
            });
            for value in named.map(str::to_owned).collect::<Vec<_>>() {
                let value = value.replacen('~', &self.home, usize::from(value.starts_with('~')));
                self.emit_arrives_in(&Word::text(&value, 0..0), parsed.qualities, frame);
            }
        }
    }

    /// A variable that the call set says where the program installs.
    pub(super) fn arrives_by_environment(&mut self, parsed: &Parsed, frame: &Frame) {
        let Some(exported) = &frame.exported else { return };
        let (program, commands) = match parsed.program.name.split_first() {
            Some((program, commands)) => (*program, commands),
            None => return,
        };
        if !commands.is_empty() && !commands.iter().any(|command| INSTALLING.contains(command)) {
            return;
        }
        let given = INSTALLS_TO.iter().filter(|(name, _)| *name == program);
        let directories: Vec<String> =
            given.filter_map(|(_, variable)| exported.get(*variable)).cloned().collect();
        for directory in directories {
            self.emit_arrives_in(&Word::text(&directory, 0..0), parsed.qualities, frame);
        }
    }
}

/// The files that a patch names.
fn patched(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let name = ["+++ ", "--- ", "*** ", "Index: ", "rename to ", "rename from ", "copy to "]
            .iter()
            .find_map(|start| line.strip_prefix(start))?;
        let name = name.split('\t').next().unwrap_or_default().trim().trim_matches('"');
        (!name.is_empty() && name != "/dev/null").then_some(name)
    })
}
