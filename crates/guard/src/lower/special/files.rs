//! Programs whose operands change their meaning with the options.

use super::Reader;
use crate::{
    code::{Language, Started},
    effect::Target,
    lower::{Content, Context, Lowering, flow::Flow, size},
    path::Last,
    program::{Parsed, Role},
    vocabulary::{Mark, Marks, Tag, Verb},
    word::Word,
};
use std::borrow::Cow;

impl Lowering<'_> {
    pub(super) fn tar(&mut self, rest: &[Word], context: &Context) -> Flow {
        let mut inner = context.clone();
        let (mut letters, mut archive, mut members) = (String::new(), None, Vec::new());
        let (mut removes, mut prints) = (false, false);
        let mut reader = Reader::new(rest);
        let mut first = true;
        while let Some(word) = reader.next() {
            let lead = word.lead().to_owned();
            let old_style = first
                && !lead.starts_with('-')
                && lead.chars().all(|char| char.is_ascii_alphabetic())
                && word.constant().is_some();
            first = false;
            if let Some(long) = lead.strip_prefix("--") {
                let (name, value) = long
                    .split_once('=')
                    .map_or((long, None), |(name, _)| (name, Some(word.skip(name.len() + 3))));
                let mut value = || value.clone().or_else(|| reader.next().cloned());
                match name {
                    "create" | "catenate" | "append" | "update" => letters.push('c'),
                    "extract" | "get" => letters.push('x'),
                    "list" | "diff" | "compare" => letters.push('t'),
                    "to-stdout" => prints = true,
                    "remove-files" => removes = true,
                    "file" => archive = value(),
                    "directory" => self.change_folder(value().as_ref(), &mut inner),
                    "to-command" | "use-compress-program" | "rsh-command" | "info-script" => {
                        if let Some(text) = value() {
                            self.run_text(&text, context);
                        }
                    }
                    "checkpoint-action" => {
                        if let Some(text) = value()
                            && text.lead().starts_with("exec=")
                        {
                            self.run_text(&text.skip("exec=".len()), context);
                        }
                    }
                    "files-from" | "exclude-from" | "exclude" | "transform" | "owner" | "group" | "mode"
                    | "strip-components" => drop(value()),
                    _ => {}
                }
            } else if old_style || lead.len() > 1 && lead.starts_with('-') {
                let cluster = if old_style { lead.as_str() } else { lead.trim_start_matches('-') };
                for (place, letter) in cluster.char_indices() {
                    let joined = || {
                        Some(word.skip(lead.len() - cluster.len() + place + 1))
                            .filter(|rest| !old_style && !rest.parts.is_empty())
                    };
                    match letter {
                        'f' | 'C' | 'I' | 'T' | 'X' | 'F' => {
                            let value = joined().or_else(|| reader.next().cloned());
                            match (letter, value) {
                                ('f', value) => archive = value,
                                ('C', value) => self.change_folder(value.as_ref(), &mut inner),
                                ('I' | 'F', Some(value)) => self.run_text(&value, context),
                                _ => {}
                            }
                            if !old_style {
                                break;
                            }
                        }
                        'O' => prints = true,
                        _ => letters.push(letter),
                    }
                }
            } else {
                members.push(word.clone());
            }
        }
        let is_stdout = archive.as_ref().is_none_or(|archive| archive.constant().as_deref() == Some("-"));
        if letters.contains('x') {
            let here = Word::text(".", 0..0);
            let mut fetched = context.stdin.marks.has(Mark::Downloaded);
            if let Some(archive) = archive.filter(|_| !is_stdout) {
                self.path(Verb::Read, &archive, Marks::NONE, context);
                fetched = self.content_of(&archive, context).marks.has(Mark::Downloaded);
            }
            if !prints {
                self.path(Verb::Create, &here, Marks::of(&[Mark::Extracts]), &inner);
                if fetched {
                    self.fetches(&here, &inner);
                }
            }
            return self.through(&members, context);
        }
        if !letters.contains(['c', 'r', 'u']) {
            return Flow::default();
        }
        let mut held = Flow::default();
        for member in &members {
            held.add(&self.reads(member, &inner));
            if removes {
                self.path(Verb::Delete, member, Marks::of(&[Mark::Recursive]), &inner);
            }
        }
        let packed = Flow { marks: held.marks, ..Flow::default() };
        match archive.filter(|_| !is_stdout) {
            Some(archive) => {
                self.path(Verb::Write, &archive, Marks::NONE, context);
                self.fill(&archive, &packed, false, context);
                Flow::default()
            }
            None => packed,
        }
    }

    pub(super) fn sed(&mut self, rest: &[Word], context: &Context) -> Flow {
        let mut reader = Reader::new(rest);
        let (mut scripts, mut files, mut in_place) = (Vec::new(), Vec::new(), false);
        let mut given = false;
        while let Some(word) = reader.next() {
            let lead = word.lead().to_owned();
            match lead.as_str() {
                "-e" | "--expression" => {
                    given = true;
                    scripts.extend(reader.next().cloned());
                }
                "-f" | "--file" => {
                    given = true;
                    reader.next();
                }
                "-l" | "--line-length" => drop(reader.next()),
                "--help" | "--version" => return Flow::default(),
                _ if lead.starts_with("--expression=") => {
                    given = true;
                    scripts.push(word.skip("--expression=".len()));
                }
                _ if lead.starts_with("--in-place") => in_place = true,
                _ if lead.starts_with("--") => {}
                _ if lead.len() > 1 && lead.starts_with('-') => {
                    in_place |= lead.contains('i');
                    // `-ne script`: the last letter takes the next word.
                    if let Some(place) =
                        lead.find('e').filter(|place| lead.find('i').is_none_or(|i| place < &i))
                    {
                        given = true;
                        let joined = word.skip(place + 1);
                        scripts.extend(if joined.parts.is_empty() {
                            reader.next().cloned()
                        } else {
                            Some(joined)
                        });
                    }
                }
                _ if !given && scripts.is_empty() => {
                    given = true;
                    scripts.push(word.clone());
                }
                _ => files.push(word.clone()),
            }
        }
        for script in scripts.iter().filter_map(Word::constant) {
            self.acts(Language::Sed, &script, &Started::default(), context);
        }
        let mut held = Flow::default();
        let empties = scripts.iter().filter_map(Word::constant).any(|script| keeps_nothing(&script));
        let unhooks = scripts.iter().filter_map(Word::constant).any(|script| {
            let script = script.to_ascii_lowercase();
            ["hook", "checkrein", "pretooluse", "beforetool"].iter().any(|word| script.contains(word))
        });
        for file in &files {
            if in_place && empties {
                self.empties(file, context);
            } else if in_place && unhooks && self.is_agents(file, context) {
                // What takes the hooks out of the file is the loss of them.
                self.path(Verb::Write, file, Marks::of(&[Mark::InPlace]), context);
            } else if in_place {
                self.path(Verb::Append, file, Marks::of(&[Mark::InPlace]), context);
            } else {
                held.add(&self.reads(file, context));
            }
        }
        let source = if files.is_empty() { &context.stdin } else { &held };
        source.changed()
    }

    pub(super) fn dd(&mut self, rest: &[Word], context: &Context) -> Flow {
        let mut held = if rest.iter().any(|word| word.lead().starts_with("if=")) {
            Flow::default()
        } else {
            context.stdin.clone()
        };
        let mut target = None;
        for word in rest {
            if word.lead().starts_with("if=") {
                held.add(&self.reads(&word.skip(3), context));
            } else if word.lead().starts_with("of=") {
                target = Some(word.skip(3));
            }
        }
        let given = |name: &str| rest.iter().find(|word| word.lead().starts_with(name)).map(|word| word.skip(name.len()));
        if let Some(count) = given("count=") {
            let block = given("bs=").as_ref().and_then(size::bytes).unwrap_or(512);
            let whole = size::bytes(&count).and_then(|count| count.checked_mul(block));
            if whole.is_none_or(|whole| whole < size::HUGE) {
                held.marks = held.marks.without(Mark::Endless);
            }
        }
        match target {
            Some(target) => {
                self.path(Verb::Write, &target, Marks::NONE, context);
                self.fill(&target, &held, false, context);
                Flow::default()
            }
            None => held,
        }
    }

    pub(super) fn chmod(&mut self, rest: &[Word], context: &Context) -> Flow {
        let mut marks = Marks::NONE;
        let mut mode: Option<Cow<'_, str>> = None;
        let mut files = Vec::new();
        for word in rest {
            let lead = word.lead();
            let symbolic = lead.len() > 1
                && lead.starts_with('-')
                && lead.chars().skip(1).all(|char| "rwxXst".contains(char));
            match lead {
                "-R" | "--recursive" | "-Rf" | "-fR" | "-Rv" | "-vR" => marks = marks.with(Mark::Recursive),
                "--help" | "--version" => return Flow::default(),
                _ if lead.starts_with("--reference") => mode = Some(Cow::default()),
                _ if lead.starts_with('-') && !symbolic => {
                    if lead.contains('R') && !lead.starts_with("--") {
                        marks = marks.with(Mark::Recursive);
                    }
                }
                _ if mode.is_none() => mode = word.constant().or(Some(Cow::default())),
                _ => files.push(word.clone()),
            }
        }
        let mode = mode.unwrap_or_default();
        marks = marks.and(permissions(&mode));
        for file in &files {
            let secret = || {
                self.places(file, Last::Follow, context).iter().any(|(spot, _)| spot.tags.has(Tag::Secret))
            };
            let marks = if opens(&mode) && secret() { marks.with(Mark::World) } else { marks };
            if stops(&mode)
                && self.is_agents(file, context)
                && !file.lead().ends_with("json")
                && !file.lead().ends_with("toml")
            {
                // A hook that cannot run is none.
                self.path(Verb::Write, file, marks, context);
            }
            self.path(Verb::Mode, file, marks, context);
        }
        Flow::default()
    }

    pub(super) fn rsync(&mut self, parsed: &Parsed, context: &Context) -> Flow {
        self.roles(parsed, context);
        let dry = parsed.marks.has(Mark::DryRun);
        let target = parsed
            .roles
            .iter()
            .rev()
            .find(|(role, _)| *role == Role::RemoteWrite)
            .map(|(_, word)| word.clone());
        if let Some(target) = target
            && parsed.marks.has(Mark::Remove)
            && !dry
        {
            // What the source does not have is deleted there.
            match target.lead().split_once(':') {
                Some((host, _)) if !host.contains('/') && host.len() > 1 => {
                    let inner = Context { marks: context.marks.with(Mark::Elsewhere), ..context.clone() };
                    self.path(
                        Verb::Delete,
                        &target.skip(host.len() + 1),
                        Marks::of(&[Mark::Recursive, Mark::Mirror]),
                        &inner,
                    );
                }
                _ => {
                    self.path(Verb::Delete, &target, Marks::of(&[Mark::Recursive, Mark::Mirror]), context);
                }
            }
        }
        if parsed.marks.has(Mark::Packs) && !dry {
            let sources: Vec<Word> = parsed
                .roles
                .iter()
                .filter(|(role, _)| *role == Role::RemoteRead)
                .map(|(_, word)| word.clone())
                .collect();
            for source in &sources {
                self.path(Verb::Move, source, Marks::of(&[Mark::Recursive]), context);
            }
        }
        Flow::default()
    }

    pub(super) fn link(&mut self, parsed: &Parsed, context: &Context) -> Flow {
        let operands = &parsed.operands;
        let (sources, link) = match operands.as_slice() {
            [] => return Flow::default(),
            [target] => (std::slice::from_ref(target), None),
            [sources @ .., link] => (sources, Some(link)),
        };
        let Some(link) = link else { return Flow::default() };
        self.path(Verb::Link, link, parsed.marks, context);
        if let [source] = sources {
            let program = self
                .texts(source)
                .into_iter()
                .find(|path| path.contains("bin/"))
                .and_then(|path| path.rsplit('/').next().map(str::to_owned));
            let target = self.places(source, Last::Follow, context).into_iter().next();
            for (spot, _) in self.places(link, Last::Keep, context) {
                if let Some(program) = &program {
                    self.files.insert(
                        spot.path.clone(),
                        Content { program: Some(program.clone()), flow: Flow::default() },
                    );
                }
                if let Some((target, _)) = &target {
                    self.links.insert(spot.path, target.path.clone());
                }
            }
        }
        Flow::default()
    }

    /// Whether a file holds the hooks of an agent.
    fn is_agents(&self, file: &Word, context: &Context) -> bool {
        self.places(file, Last::Follow, context).iter().any(|(spot, _)| spot.tags.has(Tag::AgentHooks))
    }

    /// Notes something that is done to a target without a path.
    pub(super) fn tell(&mut self, verb: Verb, name: &str, marks: &[Mark], context: &Context) {
        let target = if name.is_empty() { Target::Nothing } else { Target::Name(name.to_owned()) };
        self.say(verb, target, Marks::of(marks), context);
    }
}

/// Whether a script of sed leaves no line, or nothing in any line.
fn keeps_nothing(script: &str) -> bool {
    let script = script.trim().trim_end_matches(';');
    matches!(
        script,
        "d" | "1,$d" | "/.*/d" | "/^/d" | "s/.*//" | "s/.*//g" | "s/^.*$//" | "s/^.*$//g" | "1,$ d"
    )
}

/// Whether a mode takes away the right to run.
fn stops(mode: &str) -> bool {
    if mode.chars().all(|char| char.is_digit(8)) && !mode.is_empty() {
        return u32::from_str_radix(mode, 8).is_ok_and(|value| value & 0o111 == 0);
    }
    mode.split(',').filter_map(|clause| clause.split_once('-')).any(|(_, what)| what.contains('x'))
}

/// Whether a mode lets others read.
fn opens(mode: &str) -> bool {
    if mode.chars().all(|char| char.is_digit(8)) && !mode.is_empty() {
        return u32::from_str_radix(mode, 8).is_ok_and(|value| value & 0o044 != 0);
    }
    mode.split(',')
        .filter_map(|clause| clause.split_once(['+', '=']))
        .any(|(who, what)| what.contains('r') && (who.is_empty() || who.contains(['o', 'a', 'g'])))
}

/// What a mode of `chmod` or `install -m` gives away.
pub(in crate::lower) fn permissions(mode: &str) -> Marks {
    let mut marks = Marks::NONE;
    if mode.chars().all(|char| char.is_digit(8)) && !mode.is_empty() {
        let value = u32::from_str_radix(mode, 8).unwrap_or(0);
        if value & 0o4000 != 0 {
            marks = marks.with(Mark::Setuid);
        }
        if value & 0o002 != 0 && value & 0o1000 == 0 {
            marks = marks.with(Mark::World);
        }
        if value & 0o700 == 0 {
            marks = marks.with(Mark::Immutable);
        }
        return marks;
    }
    for clause in mode.split(',') {
        let Some(place) = clause.find(['+', '=']) else { continue };
        let (who, what) = clause.split_at(place);
        // For a group it is the usual way to share a folder.
        if what.contains('s') && who != "g" {
            marks = marks.with(Mark::Setuid);
        }
        if what.contains('w') && who.contains(['o', 'a']) {
            marks = marks.with(Mark::World);
        }
    }
    marks
}
