//! The operands of a program and the values of its options, by their roles.

mod by_role;
mod copies;

use super::{Evaluator, Frame, flow::Flow, network::Traffic};
use crate::{
    effect::Target,
    path::LinkPolicy,
    program::{Parsed, Prints, Role, Wraps},
    qualities::Qualities,
    vocabulary::{Action, Modifier, Tag, Taint, Zone},
};
use checkrein_shell::Word;

/// The operands of a command while they are followed, one after another.
struct Operands<'a> {
    parsed: &'a Parsed,
    /// The frame in which they are read: in the directory that an option names.
    frame: &'a Frame,
    /// The qualities of everything that is done.
    qualities: Qualities,
    /// The frame for what is read.
    reading: Frame,
    /// The data that was read so far.
    held: Flow,
    /// The data that goes to other machines.
    traffic: Traffic,
}

impl Evaluator<'_> {
    /// Follows the operands and the values of options, and returns what was read.
    pub(super) fn follow_operands(&mut self, parsed: &Parsed, frame: &Frame) -> Flow {
        let frame = &self.in_directory(parsed, frame);
        let mut all = Operands {
            parsed,
            frame,
            qualities: self.operand_marks(parsed, frame),
            reading: frame.clone(),
            held: Flow::default(),
            traffic: Traffic::default(),
        };
        if self.stays_in_project(parsed, frame) {
            // A copy inside the project shows nothing.
            all.reading.qualities = frame.qualities.with(Modifier::Unseen);
        }
        for (role, word) in &parsed.roles {
            self.follow_operand(*role, word, &mut all);
        }
        self.emit_unpacked(parsed, frame);
        let Operands { held, mut traffic, .. } = all;
        if parsed.roles.iter().any(|(role, _)| matches!(role, Role::RemoteWrite)) {
            traffic.sent = traffic.sent.and(held.qualities);
        }
        if parsed.program.wraps == Wraps::Elsewhere && !frame.stdin.qualities.is_empty() {
            // What a command elsewhere reads comes from here.
            traffic.sends = true;
            traffic.sent = traffic.sent.and(frame.stdin.qualities).with(Taint::Stdin);
        }
        self.add_carried(&traffic, frame);
        if parsed.program.prints == Prints::Download {
            self.record_downloads(parsed, &traffic, frame);
        } else {
            // What is written holds what was read: a copy of a program is that program.
            self.record_copy(parsed, &held, frame);
        }
        held
    }

    /// Follows one operand. Roles that do nothing by themselves are read elsewhere: by handlers, and by what runs a command.
    fn follow_operand(&mut self, role: Role, word: &Word, all: &mut Operands<'_>) {
        match role {
            Role::Text
            | Role::Name
            | Role::Command
            | Role::Started
            | Role::Script
            | Role::Directory
            | Role::Permission
            | Role::Volume
            | Role::Pair
            | Role::Endpoint
            | Role::Amount
            | Role::Statement
            | Role::Hidden
            | Role::From
            | Role::At
            | Role::Bound
            | Role::Only
            | Role::Root
            | Role::Property
            | Role::Variables
            | Role::Unset => {}
            Role::Read | Role::View | Role::Source | Role::RemoteRead => self.read_by_role(role, word, all),
            Role::Write
            | Role::Outlet
            | Role::Append
            | Role::Truncate
            | Role::Create
            | Role::Delete
            | Role::Mode
            | Role::Owner
            | Role::Link
            | Role::Mount
            | Role::Into
            | Role::Made
            | Role::Prefix => self.change_by_role(role, word, all),
            Role::Library
            | Role::Settings
            | Role::Recipe
            | Role::Commas
            | Role::Binding
            | Role::ShellThere
            | Role::Exec
            | Role::Escape
            | Role::Shell
            | Role::Assignment => self.run_by_role(role, word, all),
            Role::Url
            | Role::Host
            | Role::Data
            | Role::Form
            | Role::Upload
            | Role::Header
            | Role::Login
            | Role::RemoteWrite => self.send_by_role(role, word, all),
            Role::Size | Role::Extent | Role::Pid | Role::Environment | Role::Package => {
                self.name_by_role(role, word, all);
            }
            Role::AgentSettings
            | Role::AgentSources
            | Role::AgentServers
            | Role::AgentDefinitions
            | Role::AgentFeature
            | Role::AgentOverride => self.agent_by_role(role, word, all),
        }
    }

    /// Follows `NAME=value`; settings of ssh may have a space in the place of `=`.
    pub(super) fn setting(&mut self, word: &Word, frame: &Frame) {
        if let Some((name, _)) = word.lead().split_once(['=', ' ']) {
            let name = name.to_owned();
            // The names of ssh are the same in capitals.
            let known = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"];
            let same = known.into_iter().find(|known| known.eq_ignore_ascii_case(name.trim()));
            self.variable(same.unwrap_or(name.trim()), &word.skip(name.len() + 1), frame);
        }
    }

    /// Returns the qualities of everything that is done, including what the operands imply together.
    fn operand_marks(&mut self, parsed: &Parsed, frame: &Frame) -> Qualities {
        let mut qualities = parsed.qualities;
        if qualities.has(Modifier::Recursive) {
            qualities = qualities.without(Modifier::Empty);
        }
        for (role, word) in &parsed.roles {
            match role {
                Role::Permission => {
                    qualities =
                        qualities.and(super::handlers::permissions(&word.constant().unwrap_or_default()));
                }
                // What is moved to nowhere is gone.
                Role::Write if parsed.roles.iter().any(|(role, _)| *role == Role::Source) => {
                    let gone = self
                        .places(word, LinkPolicy::Follow, frame)
                        .iter()
                        .any(|(spot, _)| spot.zone == Zone::Nowhere);
                    qualities = if gone { qualities.with(Modifier::Remove) } else { qualities };
                    let lost = self
                        .places(word, LinkPolicy::Follow, frame)
                        .iter()
                        .all(|(spot, _)| matches!(spot.zone, Zone::Temporary | Zone::TemporaryRoot));
                    qualities = if lost { qualities.with(Modifier::Lost) } else { qualities };
                }
                _ => {}
            }
        }
        qualities
    }

    /// Returns true if an owner is the user, or only a group is given.
    fn is_own_name(&self, owner: &Word) -> bool {
        let Some(text) = owner.constant() else { return false };
        let name = text.split([':', '.']).next().unwrap_or_default();
        let user = self.home.rsplit('/').next().unwrap_or_default();
        name.is_empty() && text.len() > 1 || !name.is_empty() && name == user
    }

    /// The directory that an option names.
    pub(super) fn in_directory(&mut self, parsed: &Parsed, frame: &Frame) -> Frame {
        let mut inner = frame.clone();
        for (_, word) in parsed.roles.iter().filter(|(role, _)| *role == Role::Directory) {
            let next = self.directories_of(word, &inner);
            if !next.is_empty() {
                inner.directories = next;
            }
        }
        inner
    }

    fn write_operand(&mut self, action: Action, word: &Word, qualities: Qualities, frame: &Frame) {
        if word.constant().as_deref() == Some("-") {
            return;
        }
        let spots = self.emit_path(action, word, qualities.without(Taint::Secret), frame);
        if matches!(action, Action::Write | Action::Append) {
            for spot in spots {
                self.type_into(&spot.path, &frame.stdin.clone(), frame);
            }
        }
    }

    /// Reads a file, and answers what is in it.
    pub(super) fn read_file(&mut self, word: &Word, frame: &Frame) -> Flow {
        if word.constant().as_deref() == Some("-") {
            return frame.stdin.clone();
        }
        for mut spot in self.emit_path(Action::Read, word, Qualities::NONE, frame) {
            self.emit_screen_read_at(&spot.path, frame);
            // A copy of a secret is one, whatever it is called.
            let copied = self
                .session
                .files
                .get(&spot.path)
                .is_some_and(|content| content.flow.qualities.has(Taint::Secret));
            if copied && !spot.tags.has(Tag::Secret) {
                spot.tags = spot.tags.with(Tag::Secret);
                self.emit(Action::Read, Target::Path(spot), Qualities::NONE, frame);
            }
        }
        self.content_of(word, frame)
    }

    /// Returns the content of a file that is copied or sent, which is judged by its destination.
    fn content_quietly(&mut self, word: &Word, frame: &Frame) -> Flow {
        let flow = self.content_of(word, frame);
        self.emit_path(Action::Read, word, Qualities::NONE, frame);
        flow
    }

    pub(super) fn file_or_input(&mut self, word: &Word, frame: &Frame) -> Flow {
        if matches!(word.constant().as_deref(), Some("-" | ".")) {
            let mut flow = frame.stdin.clone();
            flow.qualities = flow.qualities.with(Taint::Stdin);
            return flow;
        }
        self.read_file(word, frame)
    }
}

/// Returns true for `bin` that is deleted along with the `obj` next to it: together they are what .NET builds; alone
/// it may be anything.
pub(super) fn is_built(path: &str, mut deleted: impl Iterator<Item = String>) -> bool {
    const SLASHES: [char; 2] = ['/', '\\'];
    let plain = |text: &str| text.trim_start_matches("./").trim_end_matches(SLASHES).to_owned();
    plain(path).strip_suffix("bin").is_some_and(|parent| {
        let twin = format!("{parent}obj");
        (parent.is_empty() || parent.ends_with(SLASHES)) && deleted.any(|other| plain(&other) == twin)
    })
}
