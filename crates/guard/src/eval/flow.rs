//! The data that flows from one command to the next.

use crate::{
    path::{PathPattern, Segment},
    program::ParseFlag,
    qualities::{Qualities, qualities},
    vocabulary::{Certainty, Modifier, Taint},
};
use checkrein_shell::{Nesting, Output, SimpleCommand, Source, Unknown, UnknownSource, work};
use std::rc::Rc;

/// The maximum length of the text that is carried along.
pub(super) const TEXT: usize = 64 * 1024;
/// The maximum number of paths that are carried along.
const PATHS: usize = 64;

/// The known facts about a stream, a file or a value.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Flow {
    /// Exactly this text.
    pub(super) text: Option<String>,
    /// Its contents and its origin.
    pub(super) qualities: Qualities,
    /// Each of its lines is one of these.
    pub(super) paths: Vec<PathPattern>,
    /// And these are files, no directories.
    pub(super) files: bool,
    /// If the whole is not known: this text is in it.
    pub(super) also: String,
    /// The text with holes for its unknown parts, if not all of it is known.
    pub(super) partial: Option<Rc<Source>>,
    /// True if it may be typed later, without another call.
    pub(super) typed: bool,
}

/// Returns the work of copying a text with holes.
fn cost(source: &Source) -> usize {
    4 + 8 * source.holes().len() + source.len() / 32
}

impl Clone for Flow {
    fn clone(&self) -> Self {
        let bytes = self.text.as_ref().map_or(0, String::len) + self.also.len();
        work::burn(4 + bytes / 32 + 2 * self.paths.len());
        Self {
            text: self.text.clone(),
            qualities: self.qualities,
            paths: self.paths.clone(),
            files: self.files,
            also: self.also.clone(),
            typed: self.typed,
            partial: self.partial.clone(),
        }
    }
}

impl Flow {
    /// A text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()).filter(|text: &String| text.len() <= TEXT), ..Self::default() }
    }

    /// Returns true for a pipe that no command was seen to write to.
    pub(super) fn is_fresh_pipe(&self) -> bool {
        let nothing = self.text.is_none() && self.paths.is_empty() && self.also.is_empty();
        nothing && self.qualities == qualities![Taint::Computed]
    }

    /// Creates a stream that may be typed into later.
    pub(super) fn typed() -> Self {
        Self { typed: true, ..Self::default() }
    }

    /// Returns the part that reaches a program which it was not meant for: typed input goes to any program that
    /// waits.
    pub(super) fn left(&self) -> Self {
        Self { typed: self.typed, ..Self::default() }
    }

    /// Something with these qualities.
    pub(super) fn of(qualities: Qualities) -> Self {
        Self { qualities, ..Self::default() }
    }

    /// Lines that are each one of these paths.
    pub(super) fn paths(paths: impl IntoIterator<Item = PathPattern>) -> Self {
        Self { paths: paths.into_iter().take(PATHS).collect(), ..Self::default() }
    }

    /// Returns true if nothing is known about it.
    pub(super) fn is_unknown(&self) -> bool {
        // That it is a number says nothing about what it is for.
        let qualities = self.qualities.without(ParseFlag::Counted);
        self.text.is_none() && self.paths.is_empty() && qualities.is_empty()
    }

    /// Returns true if it holds answers, so that a program which reads it does not wait for the user.
    pub(super) fn answers(&self) -> bool {
        self.text.is_some() || self.qualities.has(Taint::Endless)
    }

    /// More of the same stream.
    pub(super) fn add(&mut self, other: &Self) {
        work::burn(4);
        let typed = self.typed || other.typed;
        if self.is_unknown() && self.partial.is_none() {
            self.clone_from(other);
            self.typed = typed;
            return;
        }
        self.typed = typed;
        self.partial = self.taken_with_more(other);
        self.text = match (self.text.take(), &other.text) {
            (Some(own), Some(more)) if own.len() + more.len() <= TEXT => Some(own + more),
            (own, more) => {
                for text in own.iter().chain(more).chain([&other.also]) {
                    if self.also.len() + text.len() <= TEXT {
                        self.also.push_str(text);
                    }
                }
                None
            }
        };
        self.qualities = self.qualities.and(other.qualities);
        self.files &= other.files;
        self.paths.extend(other.paths.iter().cloned());
        self.paths.truncate(PATHS);
    }

    /// More of a stream that is not all known. What is not known of one of them is a hole. A stream is put together of many pieces,
    /// so what there is already is not copied.
    fn taken_with_more(&mut self, other: &Self) -> Option<Rc<Source>> {
        let known = |flow: &Self| flow.text.is_some() || flow.partial.is_some();
        if self.text.is_some() && other.text.is_some() || !known(self) && !known(other) {
            return None;
        }
        // Most of what is printed ends with its line.
        let unknown = |whole: &mut Source| {
            whole.push_hole(Unknown::new(UnknownSource::Computed));
            whole.push_text("\n");
        };
        let mut whole = match (&self.text, self.partial.take()) {
            (Some(text), _) => Source::from(text.clone()),
            (None, Some(partial)) => {
                if Rc::strong_count(&partial) > 1 {
                    work::burn(cost(&partial));
                }
                Rc::unwrap_or_clone(partial)
            }
            (None, None) => {
                let mut whole = Source::default();
                unknown(&mut whole);
                whole
            }
        };
        match (&other.text, &other.partial) {
            (Some(text), _) => whole.push_text(text),
            (None, Some(partial)) => {
                work::burn(cost(partial));
                whole.push_source(&**partial);
            }
            (None, None) => unknown(&mut whole),
        }
        Some(Rc::new(whole)).filter(|whole| whole.len() <= TEXT)
    }

    /// Its text, with holes for what is not known of it.
    pub(super) fn source(&self) -> Option<Source> {
        self.text.clone().map(Source::from).or_else(|| self.partial.as_deref().cloned())
    }

    /// Returns its origin if a program that runs it would run unread text: all of it, or its beginning.
    pub(super) fn unreadable(&self) -> Option<Qualities> {
        let how = qualities![Taint::Downloaded, Taint::Decoded, Taint::Computed];
        let origin = self.qualities.only(how);
        match &self.partial {
            _ if origin != Qualities::NONE => Some(origin),
            Some(partial) if partial.is_only_holes() => Some(qualities![Taint::Computed]),
            Some(_) | None => None,
        }
    }

    /// Returns the output of a program that changes it in a way which is not followed: its contents may still be in
    /// it.
    pub(super) fn changed(&self) -> Self {
        let how = if self.text.is_some() { qualities![Taint::Decoded] } else { qualities![Taint::Computed] };
        Self {
            qualities: self.qualities.without(Taint::Endless).and(how),
            typed: self.typed,
            ..Self::default()
        }
    }

    /// Some of its lines: the names of everything in a directory become the names of some of it.
    pub(super) fn narrow(&mut self) {
        self.qualities = self.qualities.without(Modifier::All);
        for path in &mut self.paths {
            if matches!(path.steps.last(), Some(Segment::Pattern(pattern)) if &**pattern == "*")
                && let Some(last) = Rc::make_mut(&mut path.steps).last_mut()
            {
                *last = Segment::Unknown;
            }
        }
    }
}

/// Returns true if the output of a command is output of the text.
pub(super) fn reaches_the_end(simple: &SimpleCommand) -> bool {
    let aside = |place: &Nesting| match place {
        Nesting::Substitution | Nesting::Process | Nesting::Sink | Nesting::Function(_) => true,
        Nesting::Subshell
        | Nesting::Pipeline
        | Nesting::Condition
        | Nesting::Branch
        | Nesting::Loop
        | Nesting::Background => false,
    };
    simple.stdout == Output::Inherited && !simple.within.iter().any(aside)
}

/// Returns the qualities of the content of a place.
pub(super) fn words_of(spot: &crate::path::ResolvedPath) -> Qualities {
    use crate::vocabulary::{Tag, Zone};
    let mut qualities = qualities![Taint::File];
    // All of a home directory includes its keys.
    if spot.tags.has_any(crate::vocabulary::Tags::of(&[Tag::Secret, Tag::History]))
        || matches!(spot.zone, Zone::HomeRoot | Zone::Root)
    {
        qualities = qualities.with(Taint::Secret);
    }
    // Every local user may read these files, and programs elsewhere do not need them.
    if matches!(spot.path.as_str(), "/etc/passwd" | "/etc/group") {
        qualities = qualities.with(Taint::Secret);
    }
    if spot.zone == Zone::ProjectRoot {
        qualities = qualities.with(Modifier::Mirror);
    }
    if spot.tags.has(Tag::Environ) {
        qualities = qualities.with(Taint::Environment);
    }
    // What is told whom to ask names our program.
    if spot.tags.has_any(crate::vocabulary::Tags::of(&[Tag::Agent, Tag::AgentHooks, Tag::Checkrein])) {
        qualities = qualities.with(Certainty::PerhapsOurs);
    }
    qualities
}

/// Returns true if the name of a variable suggests a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let word = |wanted: &str| name.split('_').any(|word| word == wanted);
    ["SECRET", "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "PWD", "APIKEY", "CREDENTIALS", "CREDENTIAL"]
        .into_iter()
        .any(word)
        && name != "PWD"
        && name != "OLDPWD"
        || ["API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "SECRET_KEY", "AUTH_KEY", "ENCRYPTION_KEY", "SIGNING_KEY"]
            .into_iter()
            .any(|wanted| name.contains(wanted))
        || ["PAT", "PW", "PASS"]
            .into_iter()
            .any(|wanted| name == wanted || name.ends_with(&format!("_{wanted}")))
}
