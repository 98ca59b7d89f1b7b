//! Decides what an effect does to the guard itself. A path is checked where the effect is recorded, no matter what
//! named it.

use super::{Evaluator, Frame};
use crate::{
    effect::Target,
    glob,
    ours::{Found, Lies, Ours},
    own::Kind,
    path::{LinkPolicy, PathPattern, ResolvedPath, Segment, tags},
    program::ParseFlag,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Actions, Environment, Modifier, Tag, Tags, Taint, Zone},
    world::FileKind,
};
use checkrein_shell::Word;
use std::rc::Rc;

/// The actions that change a path or what is below it.
pub(super) const CHANGES: Actions = Actions::of(&[
    Action::Write,
    Action::Append,
    Action::Truncate,
    Action::Create,
    Action::Delete,
    Action::Move,
    Action::Link,
    Action::Mode,
    Action::Owner,
    Action::Mount,
    Action::Discard,
]);

/// The actions that remove, replace or close everything in a directory.
const TAKES: Actions = Actions::of(&[
    Action::Delete,
    Action::Move,
    Action::Link,
    Action::Mode,
    Action::Owner,
    Action::Mount,
    Action::Discard,
]);

/// The actions that create something new.
const PUTS: Actions =
    Actions::of(&[Action::Write, Action::Append, Action::Truncate, Action::Create, Action::Link]);

/// The flags that only serve to find the answer.
const INTERNAL: Qualities =
    qualities![ParseFlag::Merged, ParseFlag::Gives, ParseFlag::Exact, ParseFlag::Hard];

impl Evaluator<'_> {
    /// The target of an effect with what it has to do with us.
    pub(super) fn mark_ours(
        &self,
        action: Action,
        target: Target,
        qualities: Qualities,
    ) -> (Target, Qualities) {
        let said = qualities.minus(INTERNAL);
        let Target::Path(mut spot) = target else { return (target, said) };
        let elsewhere = qualities.has_any(qualities![Environment::Elsewhere, Modifier::DryRun])
            || qualities.has(Environment::Throwaway) && spot.zone == Zone::Temporary
            || spot.zone == Zone::Nowhere;
        if elsewhere {
            return (Target::Path(spot), said);
        }
        if action == Action::Read {
            self.mark_read(&mut spot);
            return (Target::Path(spot), said);
        }
        if !CHANGES.has(action) {
            return (Target::Path(spot), said);
        }
        let steps = steps_of(&spot);
        let Changed { arrives, is_hook_file } = self.mark_changed(action, &mut spot, &steps, qualities);
        let said = if arrives { said.with(Modifier::Arrives) } else { said };
        // Only now is it known of which file this is another name.
        let said =
            if self.removes_hooks(action, &spot, is_hook_file) { said.with(Modifier::Unhooks) } else { said };
        (Target::Path(spot), said)
    }

    /// Tags what is changed.
    fn mark_changed(
        &self,
        action: Action,
        spot: &mut ResolvedPath,
        steps: &PathPattern,
        qualities: Qualities,
    ) -> Changed {
        let mut is_hook_file = false;
        if !steps.absolute {
            return Changed { arrives: self.may_be_our_program(spot, steps), is_hook_file };
        }
        let project = matches!(spot.zone, Zone::Project | Zone::Generated | Zone::Repository);
        let mut arrives = false;
        let mut found = self.found_ours(steps);
        if !project && spot.zone != Zone::Temporary {
            found.extend(self.agents_found(steps));
        }
        let patterned = steps.steps.iter().any(|step| !matches!(step, Segment::Name(_)));
        for Found { kind, lies, usual } in found {
            if let Some(usual) = usual {
                spot.tags = spot.tags.and(tags(&usual, &self.roots));
            }
            match (kind, lies) {
                // A pattern that gives permissions to everything around our files does not harm them.
                (Kind::Ours | Kind::State, Lies::Is)
                    if patterned && action == Action::Mode && qualities.has(ParseFlag::Gives) => {}
                (Kind::Ours | Kind::State, Lies::Is) => spot.tags = spot.tags.with(Tag::Checkrein),
                // Only what puts something there counts.
                (Kind::Before, Lies::Is) if !patterned && PUTS.has(action) => {
                    spot.tags = spot.tags.with(Tag::Checkrein);
                }
                (Kind::Before, Lies::Above) if !project && spot.zone != Zone::Temporary => {
                    let arriving = matches!(Self::above(action, qualities), Above::Arrives)
                        || action == Action::Write && qualities.has(ParseFlag::Exact);
                    if arriving {
                        spot.tags = spot.tags.with(Tag::Holder);
                        arrives = true;
                    }
                }
                (Kind::Before, _) => {}
                (Kind::AgentProgram, Lies::Is) => spot.tags = spot.tags.with(Tag::Shadow),
                (Kind::Agent, Lies::Is) => is_hook_file = true,
                (Kind::AgentProgram, _) | (Kind::Project, Lies::Is) => {}
                // A project's own directory is the project's.
                (Kind::Project, _) if !project || action == Action::Create || action == Action::Write => {}
                // Who takes the home directory away is stopped for that.
                (_, Lies::Above)
                    if matches!(action, Action::Delete | Action::Move)
                        && matches!(spot.zone, Zone::Root | Zone::HomeRoot) => {}
                (_, Lies::Above) => match Self::above(action, qualities) {
                    Above::Nothing => {}
                    Above::Taken => spot.tags = spot.tags.with(Tag::Holder),
                    Above::Arrives => {
                        spot.tags = spot.tags.with(Tag::Holder);
                        arrives = true;
                    }
                },
                (_, Lies::Perhaps) => {
                    let near = self.is_near(steps);
                    let all = qualities.has_any(qualities![Modifier::Recursive, Modifier::Sweeping]);
                    let creates = action == Action::Create && !qualities.has(Modifier::Extracts);
                    if near
                        && !creates
                        && !qualities.has_any(qualities![
                            ParseFlag::Gives,
                            Taint::Identity,
                            ParseFlag::Merged
                        ])
                    {
                        spot.tags = spot.tags.with(Tag::Holder);
                        arrives = !(all && TAKES.has(action));
                    }
                }
            }
        }
        if spot.tags.has(Tag::Checkrein) {
            spot.tags = spot.tags.without(Tag::Agent);
        }
        // What takes the directory away does so whatever else arrives.
        Changed { arrives: arrives && !spot.tags.has(Tag::Checkrein), is_hook_file }
    }

    /// Handles `$directory/checkrein`: the directory is unknown, and the name is enough.
    fn may_be_our_program(&self, spot: &mut ResolvedPath, steps: &PathPattern) -> bool {
        let (Some(Segment::Unknown), Some(Segment::Name(name))) = (steps.steps.first(), steps.steps.last())
        else {
            return false;
        };
        let ours = &**name == "checkrein"
            && self.ours().about(&steps.steps, self.world).iter().any(|found| found.lies == Lies::Is);
        if ours {
            spot.tags = spot.tags.with(Tag::Holder);
        }
        ours
    }

    /// Returns what happens to our files when a directory above them is affected.
    fn above(action: Action, qualities: Qualities) -> Above {
        match action {
            Action::Mode if qualities.has(ParseFlag::Gives) => Above::Nothing,
            Action::Owner if qualities.has_any(qualities![ParseFlag::Gives, Taint::Identity]) => {
                Above::Nothing
            }
            Action::Delete if qualities.has(Modifier::Empty) => Above::Nothing,
            action if TAKES.has(action) => Above::Taken,
            Action::Write | Action::Create if qualities.has(ParseFlag::Merged) => Above::Nothing,
            Action::Write if qualities.has(ParseFlag::Exact) => Above::Taken,
            Action::Write => Above::Arrives,
            Action::Create if qualities.has(Modifier::Extracts) => Above::Arrives,
            _ => Above::Nothing,
        }
    }

    /// Tags files that only we read. Nothing is looked up for paths in the project.
    fn mark_read(&self, spot: &mut ResolvedPath) {
        if matches!(
            spot.zone,
            Zone::Project
                | Zone::ProjectRoot
                | Zone::Generated
                | Zone::Repository
                | Zone::Device
                | Zone::System
        ) {
            return;
        }
        let steps = steps_of(spot);
        // A search through everything reads our files only incidentally.
        let known = steps.is_known();
        if !steps.absolute || !known && !self.is_near(&steps) {
            return;
        }
        for Found { kind, lies, .. } in self.found_ours(&steps) {
            match (kind, lies) {
                (Kind::State, Lies::Is) => spot.tags = spot.tags.with(Tag::Remembered),
                (Kind::State, Lies::Above | Lies::Perhaps) => spot.tags = spot.tags.with(Tag::Holder),
                _ => {}
            }
        }
    }

    /// Returns true if a path with unknown names goes further than the home directory: directly below that it may be
    /// anything, and mostly is.
    fn is_near(&self, steps: &PathPattern) -> bool {
        steps.steps.len() > self.roots.home.as_ref().map_or(1, |home| home.steps.len() + 1)
    }

    pub(super) fn ours(&self) -> &Ours {
        self.ours.get_or_init(|| {
            let project = self.roots.project.as_ref().map(ToString::to_string);
            Ours::new(self.world, &self.home, project.as_deref())
        })
    }

    fn found_ours(&self, steps: &PathPattern) -> Vec<Found> {
        self.sink.burn(4 * steps.steps.len());
        self.ours().about(&steps.steps, self.world)
    }

    fn agents_found(&self, steps: &PathPattern) -> Vec<Found> {
        self.agents.get_or_init(|| Ours::with_agents(self.world)).about(&steps.steps, self.world)
    }

    /// Returns true if a place is a directory that contains something of ours.
    pub(super) fn is_holder(&self, spot: &ResolvedPath) -> bool {
        let steps = steps_of(spot);
        steps.is_known()
            && self
                .found_ours(&steps)
                .iter()
                .any(|found| found.lies == Lies::Above && found.kind != Kind::Project)
    }

    /// Returns how a copy of `source` that becomes `target` affects us: a directory is judged by the names in it.
    pub(super) fn merges(&self, source: &Word, target: &Word, frame: &Frame) -> Qualities {
        let places = self.places(target, LinkPolicy::Follow, frame);
        let holders: Vec<PathPattern> =
            places.iter().filter(|(spot, _)| self.is_holder(spot)).map(|(spot, _)| steps_of(spot)).collect();
        if holders.is_empty() {
            return Qualities::NONE;
        }
        let sources: Vec<Arriving> = self
            .places(source, LinkPolicy::Follow, frame)
            .iter()
            .map(|(spot, _)| Arriving::of(spot))
            .collect();
        if sources.is_empty() || !sources.iter().all(|source| self.is_as_on_disk(&source.directory)) {
            return qualities![Modifier::Arrives];
        }
        let any = holders.iter().any(|holder| {
            self.ours()
                .below(&holder.steps)
                .filter(|(kind, _)| *kind != Kind::Project)
                .any(|(_, names)| sources.iter().any(|source| self.comes(source, names)))
        });
        // What comes is ours: then it takes our place.
        if any { qualities![ParseFlag::Exact] } else { qualities![ParseFlag::Merged] }
    }

    /// Returns true if something with these names, or something in their way, is in what arrives.
    fn comes(&self, source: &Arriving, names: &[Rc<str>]) -> bool {
        let mut path = source.directory.clone();
        for (place, name) in names.iter().enumerate() {
            if place == 0 && source.pattern.as_ref().is_some_and(|pattern| !glob::matches(pattern, name)) {
                return false;
            }
            path.push('/');
            path.push_str(name);
            match self.world.entry(&path) {
                None => return false,
                Some(FileKind::Directory) => {}
                Some(_) => return true,
            }
        }
        true
    }

    /// Returns the paths at which the sources of a copy arrive in `target`, and how. A directory that contains
    /// something of ours is judged by the names that arrive in it.
    pub(super) fn emit_arrival(
        &self,
        sources: &[&Word],
        target: &Word,
        qualities: Qualities,
        frame: &Frame,
    ) -> Vec<(Word, Qualities)> {
        // A single name in the home directory is none of ours: those are further down.
        let wide = |(spot, _): &(ResolvedPath, Qualities)| matches!(spot.zone, Zone::HomeRoot | Zone::Root);
        let unknown = || match self.places(target, LinkPolicy::Follow, frame).iter().all(wide) {
            true => Vec::new(),
            false => vec![(target.clone(), qualities![Modifier::Arrives])],
        };
        if sources.is_empty() {
            return unknown();
        }
        let mut landed = Vec::new();
        for source in sources {
            // A pattern is known; only parts that depend on the run are not.
            let shown = || (!source.is_unknown()).then(|| super::words::show(source));
            let text = self.texts(source).into_iter().next().or_else(shown);
            let (whole, name) = match text.as_deref() {
                // The contents of a directory, or what a pattern finds in it.
                Some(text)
                    if text.ends_with("/.") || text.ends_with("/..") || text == "." || text == ".." =>
                {
                    (true, None)
                }
                Some(text) if qualities.has(Modifier::Mirror) && text.ends_with('/') => (true, None),
                // What is in the source is copied, and not the source.
                Some(_) if qualities.has(Modifier::Extracts) => (true, None),
                Some(text) => {
                    let name = text.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
                    (name.contains(['*', '?', '[']), Some(name.to_owned()).filter(|name| !name.is_empty()))
                }
                None => return unknown(),
            };
            if super::network::remote(source).is_some() {
                match name.clone().filter(|_| !whole) {
                    Some(name) => landed.push((below(target, &name), Qualities::NONE)),
                    None if name.is_some() => return unknown(),
                    // What is in a directory may be anything, however deep.
                    None if qualities.has_any(qualities![Modifier::Extracts, Modifier::Mirror]) => {
                        landed.push((target.clone(), qualities![Modifier::Arrives]));
                    }
                    None => return unknown(),
                }
                continue;
            }
            match name.filter(|_| !whole && !qualities.has(ParseFlag::Exact)) {
                Some(name) => {
                    let file = below(target, &name);
                    let more = self.merges(source, &file, frame);
                    landed.push((file, more));
                }
                None => landed.push((target.clone(), self.merges(source, target, frame))),
            }
        }
        landed
    }

    /// Notes that something becomes `target`, or arrives in it under names that are not known.
    pub(super) fn emit_arrival_at(&mut self, target: &Word, qualities: Qualities, frame: &Frame) {
        if qualities.has(Modifier::Arrives) {
            let qualities = qualities.without(Modifier::Arrives).with(Modifier::Extracts);
            self.emit_if_ours(Action::Create, target, qualities, frame);
        } else {
            self.emit_path(Action::Write, target, qualities.without(Taint::Secret), frame);
        }
    }

    /// Notes what is done to a file only if that is one of ours, or of an agent: it is no effect elsewhere.
    pub(super) fn emit_if_ours(&mut self, action: Action, word: &Word, qualities: Qualities, frame: &Frame) {
        const OURS: Tags = Tags::of(&[Tag::Checkrein, Tag::Holder, Tag::AgentHooks, Tag::Agent]);
        let last = if action == Action::Move { LinkPolicy::Keep } else { LinkPolicy::Follow };
        for (spot, more) in self.places(word, last, frame) {
            let qualities = qualities.and(more);
            let (target, _) =
                self.mark_ours(action, Target::Path(spot.clone()), qualities.and(frame.qualities));
            // What is mounted on the root is asked about by itself.
            let root = action == Action::Mount && spot.zone == Zone::Root;
            if !root && matches!(&target, Target::Path(spot) if spot.tags.has_any(OURS)) {
                self.emit(action, Target::Path(spot), qualities, frame);
            }
        }
    }

    /// Returns true if a directory is as the disk says: it exists, is known, and was not changed by the call itself.
    fn is_as_on_disk(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        let is_inside = |path: &String| path.starts_with(&inside);
        path.starts_with('/')
            && !path.contains(['…', '*', '?', '['])
            && self.world.entry(path).is_some()
            && !self.session.files.keys().any(is_inside)
            && !self.session.links.keys().any(is_inside)
            && !self.session.fetched.iter().any(|fetched| fetched == path || is_inside(fetched))
            && !self.sink.effects.iter().any(|effect| {
                CHANGES.has(effect.action)
                    && matches!(&effect.target, Target::Path(own) if own.path == path || is_inside(&own.path))
            })
    }
}

/// The way in which something is changed.
struct Changed {
    /// Only the names that arrive would tell.
    arrives: bool,
    /// It is a file in which an agent of the user is told to ask us, by whatever name.
    is_hook_file: bool,
}

/// The sources of a copy: everything in a directory, or what a pattern matches there.
struct Arriving {
    directory: String,
    pattern: Option<String>,
}

impl Arriving {
    fn of(spot: &ResolvedPath) -> Self {
        match spot.path.rsplit_once('/') {
            Some((directory, name)) if name.contains(['*', '?', '[']) => {
                Self { directory: directory.to_owned(), pattern: Some(name.to_owned()) }
            }
            _ => Self { directory: spot.path.trim_end_matches('/').to_owned(), pattern: None },
        }
    }
}

/// The effect on something inside a directory.
enum Above {
    Nothing,
    Taken,
    Arrives,
}

fn below(target: &Word, name: &str) -> Word {
    let mut file = target.clone();
    file.push_text(&format!("/{name}"));
    file
}

/// The steps of a place that was found.
fn steps_of(spot: &ResolvedPath) -> PathPattern {
    let start = if spot.path.starts_with('/') { PathPattern::of("/") } else { PathPattern::default() };
    let steps = spot.path.split('/').filter(|name| !name.is_empty()).map(|name| match name {
        "…" => Segment::Unknown,
        name if name.contains(['*', '?', '[']) => Segment::Pattern(name.into()),
        name => Segment::Name(name.into()),
    });
    start.join(steps, false)
}
