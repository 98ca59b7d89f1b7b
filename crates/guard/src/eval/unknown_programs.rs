//! Files of ours in the hands of what is not known: a program that no table has, a function that no language's list has.
//!
//! What such a program does to the file is unknown, so the user is asked. A program whose effect on it is known is
//! judged by that.

use super::{Evaluator, Frame};
use crate::{
    data::{
        UNKNOWN_LOOKING as LOOKING, UNKNOWN_LOOKS as LOOKS, UNKNOWN_OWN_LANGUAGE as OWN_LANGUAGE,
        UNKNOWN_PLACES as PLACES, UNKNOWN_PUTTING as PUTTING, UNKNOWN_READING as READING,
        UNKNOWN_UNPACKS as UNPACKS,
    },
    effect::Target,
    ours::Lies,
    own::Kind,
    path::{LinkPolicy, PathPattern},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier, Zone},
};
use checkrein_shell::Word;

/// The maximum number of names of one text that are looked up.
const NAMES: usize = 64;
/// The longest text that is searched for names.
const LONGEST: usize = 64 * 1024;

/// Returns true if a program only examines what it is given, or prints it, or goes there.
pub(super) fn only_looks(name: &str) -> bool {
    LOOKING.contains(&name)
}

impl Evaluator<'_> {
    /// A program that is not known, with its arguments and what it reads.
    pub(super) fn emit_handed(&mut self, name: &str, words: &[Word], frame: &Frame) {
        if LOOKING.contains(&name) {
            return;
        }
        let mut texts: Vec<String> = words.iter().take(NAMES).flat_map(|word| self.texts(word)).collect();
        texts.extend(frame.stdin.text.clone());
        let from = self.sink.effects.len();
        for text in &texts {
            self.emit_handed_in_text(text, from, frame);
        }
        self.emit_handed_directories(words, from, true, frame);
        for name in super::handlers::PREFIXES {
            let given = frame.exported.as_ref().and_then(|exported| exported.get(*name)).cloned();
            if let Some(directory) = given {
                self.emit_arrives_in(&Word::text(&directory, 0..0), Qualities::NONE, frame);
            }
        }
        // What a search for us found.
        let found: Vec<Word> =
            words.iter().take(NAMES).filter(|word| self.may_be_found(word)).cloned().collect();
        for word in found {
            self.emit_path(Action::Append, &word, qualities![Certainty::AnyProgram], frame);
        }
    }

    /// Records that a program shows our state, also by running it; nothing may do that.
    fn reads_state(&mut self, words: &[Word], also_above: bool, frame: &Frame) {
        let files: Vec<Word> =
            words.iter().take(NAMES).filter(|word| word.lead().contains('/')).cloned().collect();
        for word in files {
            let is_state = |path: &str| {
                let found = self.ours().about(&PathPattern::of(path).steps, self.world);
                let lies = |lies: Lies| lies == Lies::Is || also_above && lies == Lies::Above;
                found.iter().any(|found| lies(found.lies) && found.kind == Kind::State)
            };
            let places = self.places(&word, LinkPolicy::Follow, frame);
            let outside = |path: &str| {
                self.roots.project.as_ref().is_none_or(|root| !path.starts_with(&root.to_string()))
            };
            let wide = |zone: Zone| matches!(zone, Zone::HomeRoot | Zone::Root | Zone::System);
            if places.iter().any(|(spot, _)| !wide(spot.zone) && outside(&spot.path) && is_state(&spot.path))
            {
                self.emit_path(Action::Read, &word, Qualities::NONE, frame);
            }
        }
    }

    /// A path in the hands of a tool.
    pub(crate) fn start_handed(&mut self, path: &str) {
        let frame = Frame { directories: vec![self.cwd.clone()], ..Frame::default() };
        self.emit_handed_in_text(path, 0, &frame);
    }

    /// A program of the table that is given a file of ours, where the table says nothing of what it does to it.
    pub(super) fn emit_handed_unexplained(&mut self, name: &str, words: &[Word], from: usize, frame: &Frame) {
        // What a module does to the files that it is given depends on the module.
        let module = words.iter().skip_while(|word| word.lead() != "-m").nth(1).map(Word::lead);
        let looks = match (name, module) {
            ("python" | "python3" | "pypy", module) => module.is_none_or(|module| module == "json.tool"),
            (name, _) => LOOKING.contains(&name),
        };
        if looks {
            if READING.contains(&name) {
                self.reads_state(words, false, frame);
            }
            // The second file of the module is the one that it writes.
            let after = words.iter().skip_while(|word| word.lead() != "-m").skip(2);
            let files: Vec<&Word> = after
                .filter(|word| !word.lead().starts_with('-') && word.lead().parse::<u8>().is_err())
                .collect();
            if let (Some(_), [_, to, ..]) = (module, files.as_slice()) {
                drop(self.emit_path(Action::Write, to, Qualities::NONE, frame));
            }
            return;
        }
        let serves = |module: &str| module.contains("server") || module.contains("ftp");
        if name.starts_with("py") && module.is_some_and(serves) {
            self.reads_state(words, true, frame);
        }
        let texts: Vec<String> = words.iter().take(NAMES).flat_map(|word| self.texts(word)).collect();
        if let ("python" | "python3" | "pypy", Some("zipfile" | "tarfile"), Some(last)) =
            (name, module, words.last())
        {
            self.emit_if_ours(Action::Create, last, qualities![Modifier::Extracts], frame);
        }
        self.emit_handed_directories(words, from, false, frame);
        // A text with spaces is prose, unless it is in the program's own language.
        let prose = |text: &&String| text.contains([' ', '\n', '\'', '"', '(', '|']);
        for text in texts.iter().filter(|text| OWN_LANGUAGE.contains(&name) || !prose(text)) {
            self.emit_handed_in_text(text, from, frame);
        }
    }

    /// A directory that holds something of ours, where the program puts files: by what an option is called, or by what it is told
    /// to do.
    fn emit_handed_directories(&mut self, words: &[Word], from: usize, unknown: bool, frame: &Frame) {
        if frame.qualities.has(Environment::Elsewhere) {
            return;
        }
        let told = words.iter().take(NAMES).any(|word| PUTTING.contains(&word.lead()));
        let mut given: Vec<Word> = Vec::new();
        for word in words.iter().take(NAMES) {
            // What is built for a prefix arrives there only when it is installed.
            let option = |word: &Word| {
                let name = word.lead().split(['=', ':']).next().unwrap_or_default().to_ascii_lowercase();
                let plain = name.trim_start_matches('-');
                name.starts_with("--")
                    && PLACES.iter().any(|place| plain.ends_with(place))
                    && (told || plain != "prefix")
                    || name.starts_with('-') && matches!(plain, "d" | "o" | "p" | "i" | "t")
            };
            let joined = word.lead().starts_with('-').then(|| word.lead().find(['=', ':'])).flatten();
            let named = match joined {
                Some(at) => option(word).then(|| word.skip(at + 1)),
                None if word.lead().starts_with('-') => None,
                // Whatever an unknown program does there: names arrive, or go.
                None => Some(word.clone()).filter(|_| told || unknown),
            };
            // `name=directory` of a builder.
            let assigned = || {
                let (name, _) = word.lead().split_once('=')?;
                let is_place = PLACES.contains(&name.to_ascii_lowercase().as_str());
                (told && is_place).then(|| word.skip(name.len() + 1))
            };
            given.extend(assigned().or(named));
        }
        for word in given {
            let is_path = self.texts(&word).iter().any(|text| text.contains('/') || text.starts_with('~'));
            let places = if is_path { self.places(&word, LinkPolicy::Follow, frame) } else { Vec::new() };
            let noted =
                |path: &str| {
                    self.sink.effects.iter().skip(from).any(
                        |effect| matches!(&effect.target, Target::Path(own) if own.path.starts_with(path)),
                    )
                };
            if places.iter().any(|(spot, _)| {
                !matches!(spot.zone, Zone::HomeRoot | Zone::Root | Zone::System)
                    && !noted(&spot.path)
                    && self.is_holder(spot)
            }) {
                self.emit_if_ours(Action::Create, &word, qualities![Modifier::Extracts], frame);
            }
        }
    }

    /// The names in a text, but for those that something is known to be done to since `from`.
    pub(super) fn emit_handed_in_text(&mut self, text: &str, from: usize, frame: &Frame) {
        if frame.qualities.has(Environment::Elsewhere) || text.len() > LONGEST || !text.contains('/') {
            return;
        }
        let names: Vec<String> = names(text).take(NAMES).map(str::to_owned).collect();
        let unpacks = UNPACKS.iter().any(|word| text.contains(word));
        let takes = super::foreign_source::takes_files(text);
        for name in names {
            let word = Word::text(&self.with_home(name.trim_matches(['{', '}'])), 0..0);
            if takes {
                self.may_take(&word, frame);
            }
            if unpacks {
                self.emit_if_ours(Action::Create, &word, qualities![Modifier::Extracts], frame);
            }
            let is_ours = self.places(&word, LinkPolicy::Follow, frame).iter().any(|(spot, _)| {
                let done =
                    self.sink.effects.iter().skip(from).any(
                        |effect| matches!(&effect.target, Target::Path(other) if other.path == spot.path),
                    );
                !done && self.is_ours_to_ask_about(&spot.path)
            });
            if is_ours {
                self.emit_path(Action::Append, &word, qualities![Certainty::AnyProgram], frame);
            }
        }
    }

    /// The names of the files in an agent's own directory in which it is told to call us.
    pub(super) fn hook_files_below(&self, directory: &str) -> Vec<String> {
        if directory == self.home {
            return Vec::new();
        }
        let files = crate::ours::hook_files(self.world, None);
        let below = files.iter().filter_map(|file| file.path.strip_prefix(directory)?.strip_prefix('/'));
        below.filter(|base| !base.contains('/')).map(str::to_owned).collect()
    }

    /// A directory of ours, or one above it, next to a call that takes files away.
    fn may_take(&mut self, word: &Word, frame: &Frame) {
        let places = self.places(word, LinkPolicy::Follow, frame);
        let wide = |zone: Zone| matches!(zone, Zone::HomeRoot | Zone::Root | Zone::System);
        if places.iter().any(|(spot, _)| !wide(spot.zone) && self.is_holder(spot)) {
            let command = [Word::text("mv", 0..0), word.clone(), Word::text("/tmp/x", 0..0)];
            self.suppose_vector(&command, frame);
        }
    }

    fn with_home(&self, name: &str) -> String {
        let rest = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|start| name.strip_prefix(start));
        rest.map_or_else(|| name.to_owned(), |rest| format!("{}/{rest}", self.home))
    }

    /// Returns true if a path is one of ours, or the file in which an agent is told to call us. Paths in the project
    /// are not looked up unless they have our name.
    pub(super) fn is_ours_to_ask_about(&self, path: &str) -> bool {
        let of_project = self.roots.project.as_ref().is_some_and(|project| {
            path.strip_prefix(&project.to_string()).is_some_and(|rest| rest.starts_with('/'))
        });
        if !path.starts_with('/') || of_project && !path.contains("checkrein") {
            return false;
        }
        self.ours().about(&PathPattern::of(path).steps, self.world).iter().any(|found| {
            found.lies == Lies::Is
                && match found.kind {
                    Kind::Ours | Kind::State => true,
                    // Everything in an agent's directory has a usual name; only its files of hooks are meant.
                    Kind::Agent => found.usual.as_ref().is_some_and(|usual| {
                        crate::data::HOOK_FILES.iter().any(|file| self.with_home(file) == usual.to_string())
                    }),
                    Kind::Project | Kind::AgentProgram | Kind::Before => false,
                }
        })
    }
}

/// The parts of a text that may be paths from the root, from the home directory or out of the directory.
fn names(text: &str) -> impl Iterator<Item = &str> {
    const BETWEEN: &[char] =
        &['"', '\'', '`', '=', ',', ';', '(', ')', '<', '>', '[', ']', '|', '&', '@', '\n', '\t', ' '];
    let mut place = 0;
    text.split(BETWEEN).filter_map(move |part| {
        let start = place;
        place += part.len();
        // What was split at is one byte.
        place += 1;
        let before = text.get(..start).unwrap_or_default().trim_end_matches(['"', '\'', '`', 'r', 'b', 'f']);
        if LOOKS.iter().any(|look| before.ends_with(look)) {
            return None;
        }
        // `file:///x`, `OPEN:/x`, `-o/x`, `a:/x`.
        let part = part.strip_prefix("file://").unwrap_or(part);
        let part =
            match part.find(":/").filter(|at| !part.get(*at..).is_some_and(|rest| rest.starts_with("://"))) {
                Some(at) => part.get(at + 1..)?,
                None => part,
            };
        let part = part.split(':').next().unwrap_or(part);
        let part = match part.starts_with('-').then(|| part.find(['/', '~'])).flatten() {
            Some(at) => part.get(at..)?,
            None => part,
        };
        let rooted = ["/", "~/", "$HOME/", "${HOME}/", "../"].iter().any(|start| part.starts_with(start));
        (rooted || part.contains('/') && part.contains("checkrein"))
            .then_some(part)
            .filter(|part| part.len() > 2 || matches!(*part, "/" | "~/"))
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_found_wherever_they_stand() {
        let found = |text: &str| names(text).map(str::to_owned).collect::<Vec<_>>();
        for text in [
            "/a/b",
            "--out=/a/b",
            "-o/a/b",
            "OPEN:/a/b,creat",
            "x \"/a/b\" y",
            "f('/a/b')",
            "file:///a/b",
            "host:/a/b",
            "a;/a/b",
            "/a/b:ro",
        ] {
            assert_eq!(found(text), ["/a/b"], "{text}");
        }
        for text in
            ["os.path.exists('/a/b')", "print(\"/a/b\")", "a/b", "https://a/b", "x", "fs.existsSync(`/a/b`)"]
        {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
