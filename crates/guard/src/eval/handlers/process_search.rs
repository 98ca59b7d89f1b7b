//! The results of a search among processes: a pattern is compared with our own names and command lines as the tool
//! itself would do it.

use super::processes::OURSELVES;
use crate::{
    ere::Ere,
    eval::{Evaluator, Frame, flow::Flow, installed},
    glob,
    ours::Lies,
    own::Kind,
    path::{LinkPolicy, PathPattern, ResolvedPath},
    program::{self, ParseFlag, Parsed, Role},
    vocabulary::{Tag, Tags, Taint},
};
use checkrein_code::{self as code, Language};
use checkrein_shell::{Part, Word};
use std::{borrow::Cow, ops::Range};

/// Events on whose hooks something hangs.
const EVENTS: [&str; 3] = ["PreToolUse", "PermissionRequest", "PostToolUse"];
/// The maximum number of literals of a filter that are examined.
const LITERALS: usize = 16;

/// The possible result of a search among processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::eval) enum Hunt {
    /// Neither us nor an agent.
    #[default]
    Others,
    /// A coding agent.
    Agent,
    /// Not known.
    Unknown,
    /// The guard itself.
    Ourselves,
}

/// The way in which a name is compared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    /// With the whole command line.
    pub(super) full: bool,
    /// From the beginning to the end.
    pub(super) exact: bool,
    pub(super) ignore_case: bool,
    /// True if the text is literal, and not a pattern.
    pub(super) literal: bool,
}

impl Evaluator<'_> {
    /// Returns which processes have a file open: we have our program, our settings and our state.
    pub(super) fn openers(&self, word: &Word, frame: &Frame) -> Hunt {
        let is_number =
            |text: &str| text.split(['/', ',']).next().is_some_and(|port| port.parse::<u32>().is_ok());
        if word.constant().is_some_and(|text| is_number(&text)) {
            return Hunt::Others;
        }
        let places = self.places(word, LinkPolicy::Follow, frame);
        // A pattern may be our program among others.
        let fits = |spot: &ResolvedPath| {
            spot.path.rsplit_once('/').is_some_and(|(directory, name)| {
                name.contains(['*', '?', '['])
                    && glob::matches(name, OURSELVES)
                    && self.world.entry(&format!("{directory}/{OURSELVES}")).is_some()
            })
        };
        if places.iter().any(|(spot, _)| fits(spot)) {
            return Hunt::Ourselves;
        }
        let is_ours = |spot: &ResolvedPath| {
            let found = self.ours().about(&PathPattern::of(&spot.path).steps, self.world);
            found.iter().any(|found| found.kind == Kind::Ours && found.lies == Lies::Is)
        };
        if places.iter().any(|(spot, _)| is_ours(spot)) {
            return Hunt::Ourselves;
        }
        let has = |tags: Tags| places.iter().any(|(spot, _)| spot.tags.has_any(tags));
        if has(Tags::of(&[Tag::Checkrein])) {
            Hunt::Ourselves
        } else if has(Tags::of(&[Tag::Agent, Tag::AgentHooks])) {
            Hunt::Agent
        } else if word.is_unknown() && places.iter().all(|(spot, _)| spot.path.is_empty()) {
            Hunt::Unknown
        } else {
            Hunt::Others
        }
    }

    /// Returns the output of a search. The names that it was given take the place of the numbers.
    pub(super) fn found_by(&self, hunt: Hunt, names: &[Word], frame: &Frame) -> Flow {
        let mut flow = self.passthrough(names, frame);
        flow.text =
            names.iter().map(Word::constant).collect::<Option<Vec<_>>>().map(|names| names.join(" ") + "\n");
        if hunt != Hunt::Others {
            flow.qualities = flow.qualities.with(Taint::Processes);
        }
        flow
    }

    pub(super) fn record_hunt(&mut self, hunt: Hunt) {
        self.session.hunt = self.session.hunt.max(Some(hunt));
    }

    /// A filter of a list of processes, or a look at what is below `/proc`: what it lets through.
    pub(in crate::eval) fn filter_processes(
        &mut self,
        parsed: &Parsed,
        rest: &[Word],
        frame: &Frame,
    ) -> Option<Hunt> {
        let lists = frame.stdin.qualities.has(Taint::Processes);
        let of_process = |word: &Word| {
            word.lead().starts_with("/proc/")
                || self
                    .places(word, LinkPolicy::Follow, frame)
                    .iter()
                    .any(|(spot, _)| spot.path.starts_with("/proc/"))
        };
        let filters = matches!(
            parsed.program.name.items(),
            ["grep" | "egrep" | "fgrep" | "zgrep" | "ggrep" | "ugrep" | "rg" | "ripgrep" | "ag" | "ack"]
        );
        let hunt = match parsed.program.name.items() {
            _ if filters => {
                let about = lists || parsed.operands.iter().skip(1).any(of_process);
                let flag = |letter: char, long: &str| has_flag(rest, letter, long);
                if !about || flag('v', "--invert-match") {
                    return None;
                }
                let look = Look {
                    full: true,
                    ignore_case: flag('i', "--ignore-case"),
                    literal: flag('F', "--fixed-strings") || parsed.program.name.items() == ["fgrep"],
                    exact: false,
                };
                let given =
                    parsed.roles.iter().filter(|(role, _)| *role == Role::Text).map(|(_, word)| word.clone());
                let given: Vec<Word> = if parsed.qualities.has(ParseFlag::PatternGiven) {
                    given.collect()
                } else {
                    parsed.operands.first().cloned().into_iter().collect()
                };
                let extended = flag('E', "--extended-regexp")
                    || flag('P', "--perl-regexp")
                    || !matches!(parsed.program.name.items(), ["grep" | "zgrep" | "ggrep"]);
                given
                    .iter()
                    .map(|word| self.hunt_of(&if extended { word.clone() } else { extend(word) }, look))
                    .max()?
            }
            // It compares what it was given with something.
            ["test" | "["] if rest.iter().any(|word| word.is_unknown()) => {
                let exact = Look { exact: true, ..Look::default() };
                let constants = rest.iter().filter(|word| word.constant().is_some());
                let hunt = constants.map(|word| self.hunt_of(word, exact)).max()?;
                (hunt == Hunt::Ourselves).then_some(hunt)?
            }
            ["awk" | "gawk" | "mawk" | "nawk" | "sed" | "gsed" | "perl" | "ruby" | "python" | "node"]
                if lists =>
            {
                let language = parsed.program.name.first().and_then(|name| Language::of(name));
                let look = Look { full: true, ..Look::default() };
                let sources: Vec<Cow<'_, str>> = rest.iter().filter_map(Word::constant).collect();
                sources.iter().filter_map(|source| self.code_filter(language, source, look)).max()?
            }
            _ => return None,
        };
        self.record_hunt(hunt);
        Some(hunt)
    }

    /// A program of another language lists processes and ends some: its texts say which.
    pub(in crate::eval) fn filter_by_code(&mut self, language: Language, source: &str) -> Hunt {
        let look = Look { full: true, literal: true, ..Look::default() };
        self.code_filter(Some(language), source, look).unwrap_or(Hunt::Unknown)
    }

    /// Returns true if a program selects among the processes by a text.
    pub(in crate::eval) fn selects(&self, language: Language, source: &str) -> bool {
        let look = Look { full: true, literal: true, ..Look::default() };
        self.code_filter(Some(language), source, look).is_some()
    }

    /// Returns what the texts in a program find. Any of them may be about us; only those that it selects by show that
    /// it is about others.
    pub(super) fn code_filter(&self, language: Option<Language>, source: &str, look: Look) -> Option<Hunt> {
        let found = |texts: Vec<String>| {
            let texts = texts.into_iter().map(|text| text.trim_end_matches("\\n").to_owned());
            let texts = texts.filter(|text| !look.literal || text.len() > 2 && !text.starts_with('/'));
            texts.take(LITERALS).map(|text| self.hunt_of(&Word::text(&text, 0..0), look)).max()
        };
        let all = found(literals(source));
        match language {
            Some(Language::Sed) | None => all,
            Some(_) if all == Some(Hunt::Ourselves) => all,
            Some(language) => found(code::selects_by(language, source)),
        }
    }

    /// Returns what a pattern or a name finds.
    pub(super) fn hunt_of(&self, word: &Word, look: Look) -> Hunt {
        let texts = self.texts(word);
        if texts.is_empty() {
            // A part that is in none of our lines is enough.
            let misses = |part: &Part| {
                matches!(part, Part::Text(text) | Part::Glob(text)
                if !text.trim().is_empty() && self.hunt_of_text(text, Look { exact: false, full: true, ..look }) == Hunt::Others)
            };
            return if word.parts.iter().any(misses) { Hunt::Others } else { Hunt::Unknown };
        }
        texts.iter().map(|text| self.hunt_of_text(text, look)).max().unwrap_or_default()
    }

    pub(super) fn hunt_of_text(&self, text: &str, look: Look) -> Hunt {
        let text = text.trim_end_matches('\n');
        // The whole path of a program.
        let base = text.rsplit('/').next().filter(|_| look.exact && !look.full && text.starts_with('/'));
        let text = base.unwrap_or(text);
        if !self.sink.burn(512) {
            return Hunt::Unknown;
        }
        let ere = match Ere::new(text, look.ignore_case).filter(|_| !look.literal) {
            Some(ere) => ere,
            None => Ere::literal(text, look.ignore_case),
        };
        let agents = || program::names().filter(|name| is_agent(name));
        let finds = |name: &str| if look.exact { ere.is_whole(name) } else { ere.find(name).is_some() };
        if !look.full {
            if finds(OURSELVES) {
                return Hunt::Ourselves;
            }
            // The beginning of a name, unless another program is called so.
            let begins = |name: &str| {
                ere.find(name).is_some_and(|found| found.start == 0 && found.end > 3)
                    && program::find(text).is_none()
            };
            let meant = |name: &str| ere.is_whole(name) || !look.exact && begins(name);
            return if agents().any(meant) { Hunt::Agent } else { Hunt::Others };
        }
        let home = self.home.trim_end_matches('/');
        let mut directories = vec![
            String::new(),
            "/usr/local/bin/".to_owned(),
            "/usr/bin/".to_owned(),
            format!("{home}/.cargo/bin/"),
            format!("{home}/.local/bin/"),
        ];
        // Where the program really is.
        let own = self.world.own().map(|own| own.belongings(None)).unwrap_or_default();
        directories.extend(own.iter().filter(|one| one.kind == Kind::Ours).filter_map(|one| {
            let (directory, name) = one.path.rsplit_once('/')?;
            (name == OURSELVES).then(|| format!("{directory}/"))
        }));
        directories.dedup();
        let mut hunt = Hunt::Others;
        for directory in &directories {
            for host in ["claude", "codex"] {
                for event in EVENTS {
                    let line = format!("{directory}{OURSELVES} hook --host {host} --event {event}");
                    let Some(found) = ere.find(&line).filter(|_| !look.exact || ere.is_whole(&line)) else {
                        continue;
                    };
                    let own = directory.chars().count();
                    let name = line.find(host).unwrap_or_default();
                    let of_host = name..name + host.len();
                    if found.end + 1 >= own && !within(&found, &of_host) && (found.end > own || own > 0) {
                        return Hunt::Ourselves;
                    }
                    if found == of_host {
                        hunt = Hunt::Agent;
                    }
                }
            }
        }
        if agents()
            .any(|name| ere.find(name).is_some_and(|found| found.start == 0 && found.end == name.len()))
        {
            hunt = hunt.max(Hunt::Agent);
        }
        hunt
    }
}

pub(super) fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// Returns true if a program in another language names the files of processes.
pub(super) fn names_processes(source: &str) -> bool {
    literals(source).iter().any(|text| text.starts_with("/proc"))
}

/// A coding agent, by the name of its program; names of two letters mean too many other things.
pub(super) fn is_agent(name: &str) -> bool {
    name.len() > 3 && installed::is_agent(name)
}

/// Returns how the options say that names are compared.
pub(super) fn look(name: &[&str], rest: &[Word]) -> Look {
    let flag = |letter: char, long: &str| has_flag(rest, letter, long);
    match name {
        ["killall"] => Look {
            full: false,
            exact: !flag('r', "--regexp"),
            ignore_case: flag('I', "--ignore-case"),
            literal: !flag('r', "--regexp"),
        },
        ["pidof" | "skill" | "snice" | "xkill" | "gkill"] => {
            Look { exact: true, literal: true, ..Look::default() }
        }
        _ => Look {
            full: flag('f', "--full"),
            exact: flag('x', "--exact"),
            ignore_case: flag('i', "--ignore-case"),
            literal: false,
        },
    }
}

/// Returns true if a switch is given, alone or among other letters. `-KILL` is a signal.
pub(super) fn has_flag(rest: &[Word], letter: char, long: &str) -> bool {
    let options = rest.iter().take_while(|word| word.lead() != "--");
    options.map(Word::lead).any(|lead| {
        let letters = lead.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        let is_signal = |letters: &str| {
            letters.len() > 2
                && letters.chars().all(|char| char.is_ascii_uppercase() || char.is_ascii_digit())
        };
        lead.starts_with("--") && lead.len() > 4 && long.starts_with(lead)
            || letters.is_some_and(|letters| letters.contains(letter) && !is_signal(letters))
    })
}

/// A basic expression in the words of an extended one.
pub(super) fn extend(word: &Word) -> Word {
    let Some(text) = word.constant() else { return word.clone() };
    let mut extended = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some(next @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => extended.push(next),
                Some(next) => extended.extend(['\\', next]),
                None => extended.push('\\'),
            },
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => extended.extend(['\\', char]),
            other => extended.push(other),
        }
    }
    Word::text(&extended, word.span.clone())
}

/// The texts and expressions in a program: what is between quotes or slashes.
pub(super) fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = source.chars();
    while let Some(char) = chars.next() {
        if !matches!(char, '"' | '\'' | '/') {
            continue;
        }
        let mut text = String::new();
        let mut closed = false;
        while let Some(next) = chars.next() {
            match next {
                '\\' => {
                    text.push('\\');
                    text.extend(chars.next());
                }
                end if end == char => {
                    closed = true;
                    break;
                }
                other => text.push(other),
            }
        }
        if closed && !text.is_empty() && found.len() < LITERALS {
            found.push(text);
        }
    }
    found
}
