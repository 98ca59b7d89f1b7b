//! Programs that run another one for each thing that they find or are given.

use super::{
    find_expression::{self, Filter, FindAction},
    join,
};
use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, stdout::pattern_steps},
    path::{LinkPolicy, PathPattern, Reach, ResolvedPath, Segment},
    program::{ParseFlag, Role},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Modifier, Taint, Zone},
};
use checkrein_shell::{Candidates, Part, Unknown, UnknownSource, Word};
use std::borrow::Cow;

/// The maximum number of known words that are passed one by one.
const GIVEN: usize = 64;
/// The name under which what was found is known to the words of the command.
const FOUND: &str = "{}";

/// Returns the placeholder for what was found, as a part of a word.
pub(super) fn found() -> Part {
    Part::Unknown(Unknown {
        why: UnknownSource::Variable(FOUND.to_owned()),
        empty: false,
        splits: false,
        many: false,
        among: Candidates::Anything,
        made_of: None,
    })
}

/// Returns true for what a search gives to a command.
pub(in crate::eval) fn is_found(unknown: &Unknown) -> bool {
    matches!(&unknown.why, UnknownSource::Variable(name) if name == FOUND)
}

/// The word with what was found in the place of a mark.
pub(super) fn put(word: &Word, mark: &str) -> Word {
    let mut result = Word { parts: Vec::new(), span: word.span.clone() };
    for part in &word.parts {
        match part {
            Part::Text(text) if text.contains(mark) => {
                for (place, piece) in text.split(mark).enumerate() {
                    if place > 0 {
                        result.push(found());
                    }
                    result.push_text(piece);
                }
            }
            Part::Text(_) | Part::Glob(_) | Part::Unknown(_) => result.push(part.clone()),
        }
    }
    result
}

/// The word with a text in the place of a mark.
fn filled(word: &Word, mark: &str, text: &str) -> Word {
    match word.constant() {
        Some(constant) if constant.contains(mark) => {
            Word::text(&constant.replace(mark, text), word.span.clone())
        }
        _ => word.clone(),
    }
}

/// Follows `find`.
pub(in crate::eval) fn find(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let is_start = |word: &&Word| !word.lead().starts_with(['-', '(', '!', ')']) && word.lead() != ",";
    let options = rest
        .iter()
        .take_while(|word| matches!(word.lead(), "-H" | "-L" | "-P" | "-D" | "-O0" | "-O1" | "-O2" | "-O3"))
        .count();
    let rest = rest.get(options..).unwrap_or_default();
    let starts = rest.iter().take_while(is_start).count();
    let (starts, expression) = rest.split_at(starts.min(rest.len()));
    let here = [Word::text(".", 0..0)];
    let starts = if starts.is_empty() { &here } else { starts };
    let mut ran = Flow::default();
    let (mut printed, mut given): (Option<Flow>, Option<Flow>) = (None, None);
    for (action, filter) in find_expression::actions(expression) {
        let paths = evaluator.found_paths(starts, &filter, frame);
        let qualities = evaluator.finds_us(starts, &filter, frame);
        let found_flow = Flow { files: filter.files, qualities, ..Flow::paths(paths.clone()) };
        evaluator.bind_placeholder(found_flow.clone());
        match action {
            FindAction::Delete(word) => {
                let qualities = if filter.names.is_empty() && !filter.narrow {
                    qualities![Modifier::Recursive, Modifier::Force]
                } else if filter.names.is_empty() && !filter.chosen {
                    // By age or size, whatever it is.
                    qualities![Modifier::Sweeping, Modifier::Force]
                } else {
                    qualities![Modifier::Force]
                };
                let target = Word { parts: vec![found()], span: word.span.clone() };
                evaluator.emit_path(Action::Delete, &target, qualities, frame);
            }
            FindAction::Write(file) => drop(evaluator.emit_path(Action::Write, file, Qualities::NONE, frame)),
            FindAction::Run { by, command } => {
                // `./{}` of `-execdir` is what was found.
                let alone = Word::text(FOUND, 0..0);
                let is_found =
                    |word: &Word| by.ends_with("dir") && word.constant().as_deref() == Some("./{}");
                let command: Vec<Word> = command
                    .iter()
                    .map(|word| put(if is_found(word) { &alone } else { word }, FOUND))
                    .collect();
                let mut inner = frame.clone();
                inner.stdin = frame.stdin.left();
                if by.starts_with("-ok") && !frame.stdin.answers() {
                    inner.qualities = inner.qualities.with(Modifier::Asks);
                }
                if by.ends_with("dir") {
                    // In the directory of each.
                    inner.directories = paths
                        .iter()
                        .map(|path| path.clone().join([Segment::Name("..".into())], false))
                        .collect();
                }
                ran.add(&evaluator.follow_argv(&command, &inner));
                also(&mut given, found_flow);
            }
            FindAction::Print => also(&mut printed, found_flow),
        }
    }
    // The output of the commands, if there are any and it is known; most print their arguments.
    let mut flow = if ran.is_unknown() { printed.or(given).unwrap_or_default() } else { ran };
    if starts.iter().any(|start| start.lead().trim_end_matches('/') == "/proc") {
        flow.qualities = flow.qualities.with(Taint::Processes);
    }
    flow
}

/// Follows `entr`, which runs a command when one of the files changes that its input names. `/_` is that file.
pub(in crate::eval) fn entr(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let mut input = frame.stdin.clone();
    if let Some(text) = &input.text {
        // One after the other.
        input.text = Some(text.lines().collect::<Vec<_>>().join("\n"));
    }
    evaluator.bind_placeholder(input);
    let inner = frame.without_stdin();
    let changed = Word { parts: vec![found()], span: 0..0 };
    if parsed.qualities.has(Modifier::Shell) {
        let text = parsed.roles.iter().find(|(role, _)| *role == Role::Shell).map(|(_, text)| text.clone());
        let words = [Word::text("sh", 0..0), Word::text("-c", 0..0)].into_iter().chain(text).chain([changed]);
        return evaluator.follow_argv(&words.collect::<Vec<_>>(), &inner);
    }
    let is_changed = |word: &Word| word.constant().as_deref() == Some("/_");
    let command: Vec<Word> = parsed
        .command
        .iter()
        .map(|word| if is_changed(word) { changed.clone() } else { word.clone() })
        .collect();
    evaluator.follow_argv(&command, &inner)
}

/// Follows `xargs`.
pub(in crate::eval) fn xargs(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let words = call.words;
    let mut input = frame.stdin.clone();
    let mut command = parsed.command.clone();
    let parallel = words.first().is_some_and(|name| name.lead().ends_with("parallel"));
    // `parallel cmd ::: a b`: its input is in the words.
    if let Some(place) = command.iter().position(|word| word.lead().starts_with("::::")) {
        let files: Vec<Word> = command.iter().skip(place + 1).cloned().collect();
        input = Flow::default();
        files.iter().for_each(|file| input.add(&evaluator.read_file(file, frame)));
        command.truncate(place);
    } else if let Some(place) = command.iter().position(|word| word.lead().starts_with(":::")) {
        let given: Vec<String> =
            command.iter().skip(place + 1).flat_map(|word| evaluator.names_of(word)).collect();
        input = Flow::text(given.join("\n"));
        command.truncate(place);
    }
    for (_, file) in parsed.roles.iter().filter(|(role, _)| *role == Role::Read) {
        input = evaluator.read_file(file, frame);
    }
    // Words that are separated by white space are words here, too.
    let whole_lines = words.iter().any(|word| {
        matches!(word.lead(), "-0" | "--null" | "-d" | "-L" | "-I")
            || word.lead().starts_with("-I")
            || word.lead().starts_with("-d")
    });
    if let Some(text) = &input.text {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let lines = text.replace('\0', "\n");
        input.text = Some(if whole_lines || parallel { lines } else { words.join("\n") });
    }
    evaluator.consume_typed(&input, frame);
    let commands = input.clone();
    let unknown = input.is_unknown() && !input.qualities.has(ParseFlag::Counted);
    let given: Option<Vec<Word>> = input.text.as_deref().map(|text| {
        let words = text.lines().filter(|line| !line.is_empty() && !line.contains(' '));
        words.take(GIVEN).map(|word| Word::text(word, 0..0)).collect()
    });
    evaluator.bind_placeholder(input);
    let mark = replaced(words, &command, parallel);
    let mut full: Vec<Word> = match &mark {
        Some(mark) => command.iter().map(|word| put(word, mark)).collect(),
        None => command.clone(),
    };
    if let (Some(mark), Some(given)) = (&mark, &given) {
        // One of the known words may be an option.
        for word in given.iter().filter_map(Word::constant).filter(|word| word.starts_with('-')).take(8) {
            let filled = command.iter().map(|part| filled(part, mark, &word)).collect::<Vec<Word>>();
            evaluator.follow_argv(&filled, &frame.without_stdin());
        }
    }
    if mark.is_none() && !command.is_empty() {
        // Known words are passed as they are: one of them may be a subcommand or an option.
        if let Some(given) = given.filter(|given| !given.is_empty()) {
            let words: Vec<Word> = full.iter().cloned().chain(given).collect();
            let inner = frame.without_stdin();
            evaluator.follow_argv(&words, &inner);
        }
        let why = if unknown { UnknownSource::Computed } else { UnknownSource::Variable(FOUND.to_owned()) };
        let last = Unknown { empty: false, many: true, ..Unknown::new(why) };
        full.push(Word { parts: vec![Part::Unknown(last)], span: 0..0 });
    }
    let qualities = frame.qualities.with(Taint::Piped);
    let inner = Frame { stdin: Flow::default(), qualities, ..frame.clone() };
    // It hands its words to a shell, which may be told of variables first.
    let assigns = |word: &Word| word.lead().split_once('=').is_some_and(|(name, _)| !name.contains('/'));
    let is_text = |word: &Word| word.lead().contains(' ') && full.len() <= 2 || assigns(word);
    if parallel && full.first().is_some_and(is_text) {
        evaluator.run_text(&join(&full), &inner);
        return Flow::default();
    }
    if full.is_empty() && parallel {
        // Its input is the commands.
        evaluator.run_content(&commands, &inner);
        return Flow::default();
    }
    if full.is_empty() {
        return frame.stdin.clone();
    }
    evaluator.emit(Action::Run, Target::Nothing, qualities![Taint::Piped], frame);
    evaluator.follow_argv(&full, &inner)
}

impl Evaluator<'_> {
    /// The mark of what a search outside the project finds whose names fit ours.
    pub(super) fn finds_us(&self, starts: &[Word], filter: &Filter, frame: &Frame) -> Qualities {
        let fits = |step: &Segment| match step {
            Segment::Name(name) | Segment::Pattern(name) => crate::eval::own_program::names_us(name),
            Segment::Unknown => false,
        };
        let within = |(spot, _): &(ResolvedPath, Qualities)| {
            matches!(
                spot.zone,
                Zone::Project | Zone::ProjectRoot | Zone::Generated | Zone::Repository | Zone::Temporary
            )
        };
        // Among the files of an agent is the one with our entry.
        let hooks = |(spot, _): &(ResolvedPath, Qualities)| {
            self.hook_files_below(&spot.path).iter().any(|base| {
                filter.names.is_empty()
                    || filter.names.iter().filter_map(|steps| steps.last()).any(|step| match step {
                        Segment::Name(name) => **name == **base,
                        Segment::Pattern(name) => crate::glob::matches(name, base),
                        Segment::Unknown => true,
                    })
            })
        };
        let of_agents = |start: &Word| self.places(start, LinkPolicy::Follow, frame).iter().any(hooks);
        if filter.same.is_none() && starts.iter().any(of_agents) {
            return qualities![Certainty::PerhapsOurs];
        }
        let outside = |start: &Word| !self.places(start, LinkPolicy::Follow, frame).iter().all(within);
        if filter.names.iter().flatten().any(fits) && starts.iter().any(outside) {
            qualities![Certainty::PerhapsOurs]
        } else {
            Qualities::NONE
        }
    }

    /// The paths that a search finds.
    pub(super) fn found_paths(&self, starts: &[Word], filter: &Filter, frame: &Frame) -> Vec<PathPattern> {
        let mut paths = Vec::new();
        // Whatever its names are, it is one file.
        if let Some(same) = &filter.same {
            let places = self.places(same, LinkPolicy::Follow, frame);
            paths.extend(places.iter().map(|(spot, _)| pattern_steps(&spot.path)));
        }
        for start in starts {
            for (spot, _) in self.places(start, LinkPolicy::Follow, frame) {
                let base = if spot.path.contains('…') {
                    PathPattern::unknown()
                } else {
                    pattern_steps(&spot.path)
                };
                let base = if spot.reach == Reach::Contents {
                    base.join([Segment::Name("..".into())], false)
                } else {
                    base
                };
                let wide = matches!(spot.zone, Zone::Root | Zone::System | Zone::HomeRoot | Zone::Personal);
                let anywhere = matches!(spot.zone, Zone::Root | Zone::System);
                if anywhere || filter.names.is_empty() && (!filter.narrow || wide) {
                    paths.push(base.join([Segment::Pattern("*".into())], false));
                } else if filter.names.is_empty() {
                    paths.push(base.join([Segment::Unknown], false));
                } else {
                    let all = filter.names.iter();
                    // At any depth.
                    paths.extend(all.map(|name| {
                        base.clone()
                            .join(std::iter::once(Segment::Unknown).chain(name.iter().cloned()), false)
                    }));
                }
            }
        }
        paths
    }

    /// Binds `{}` to what was found or passed.
    pub(super) fn bind_placeholder(&mut self, flow: Flow) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.variables.insert(FOUND.to_owned(), flow);
        }
    }
}

/// Adds what another action is given.
fn also(flows: &mut Option<Flow>, flow: Flow) {
    match flows {
        Some(flows) => flows.add(&flow),
        None => *flows = Some(flow),
    }
}

/// The mark that xargs replaces, if it does.
fn replaced(words: &[Word], command: &[Word], parallel: bool) -> Option<String> {
    let mut options = words.iter().skip(1).take(words.len().saturating_sub(command.len() + 1));
    while let Some(word) = options.next() {
        let lead = word.lead();
        if let Some(mark) = lead.strip_prefix("-I").or_else(|| lead.strip_prefix("-J")) {
            return if mark.is_empty() {
                options.next().and_then(Word::constant).map(Cow::into_owned)
            } else {
                Some(mark.to_owned())
            };
        }
        if lead == "-i" || lead == "--replace" {
            return Some("{}".to_owned());
        }
        if let Some(mark) = lead.strip_prefix("--replace=") {
            return Some(mark.to_owned());
        }
    }
    let mentions = command
        .iter()
        .any(|word| word.parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains("{}"))));
    (parallel && mentions).then(|| "{}".to_owned())
}
