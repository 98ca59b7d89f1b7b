//! Programs that copy and link files, and whose operands change their meaning with the options.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, session::Content, size},
    path::{LinkPolicy, ResolvedPath},
    program::ParseFlag,
    program::{Parsed, Role},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Environment, Modifier, Tag, Taint},
};
use checkrein_shell::Word;

/// Follows `dd`.
pub(in crate::eval) fn dd(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let mut held = if rest.iter().any(|word| word.lead().starts_with("if=")) {
        Flow::default()
    } else {
        frame.stdin.clone()
    };
    let mut target = None;
    for word in rest {
        if word.lead().starts_with("if=") {
            held.add(&evaluator.read_file(&word.skip(3), frame));
        } else if word.lead().starts_with("of=") {
            target = Some(word.skip(3));
        }
    }
    let given = |name: &str| {
        let word = rest.iter().find(|word| word.lead().starts_with(name))?;
        Some(word.skip(name.len()))
    };
    if let Some(count) = given("count=") {
        let block = given("bs=").as_ref().and_then(size::bytes).unwrap_or(512);
        let whole = size::bytes(&count).and_then(|count| count.checked_mul(block));
        if whole.is_none_or(|whole| whole < size::HUGE) {
            held.qualities = held.qualities.without(Taint::Endless);
        }
    }
    match target {
        Some(target) => {
            evaluator.emit_path(Action::Write, &target, Qualities::NONE, frame);
            evaluator.write_file(&target, &held, false, frame);
            Flow::default()
        }
        None => held,
    }
}

/// Follows a named pipe: what is read from it is written to it later.
pub(in crate::eval) fn fifo(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let flow = evaluator.follow_table(parsed, rest, frame);
    for word in &parsed.operands {
        for (spot, _) in evaluator.places(word, LinkPolicy::Follow, frame) {
            let flow = Flow::of(qualities![Taint::Computed]);
            evaluator.session.files.insert(spot.path, Content { program: None, flow });
        }
    }
    flow
}

/// Follows `ln`.
pub(in crate::eval) fn link(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let operands = &parsed.operands;
    let (sources, link) = match operands.as_slice() {
        [] => return Flow::default(),
        [target] => (std::slice::from_ref(target), None),
        [sources @ .., link] => (sources, Some(link)),
    };
    if !parsed.qualities.has(ParseFlag::Symbolic) {
        // A second name of a file is a way to write it.
        for source in operands.iter().take(sources.len().max(1)) {
            evaluator.emit_if_ours(Action::Link, source, Qualities::NONE, frame);
        }
    }
    if let Some((_, directory)) = parsed.roles.iter().find(|(role, _)| *role == Role::Write) {
        for (link, more) in evaluator.linked(&operands.iter().collect::<Vec<_>>(), directory, parsed, frame) {
            evaluator.emit_path(Action::Link, &link, parsed.qualities.and(more), frame);
        }
        return Flow::default();
    }
    let Some(link) = link else {
        // It gets the name of what it leads to, here.
        let here = Word::text(".", 0..0);
        for (link, more) in evaluator.linked(&operands.iter().collect::<Vec<_>>(), &here, parsed, frame) {
            evaluator.emit_if_ours(Action::Link, &link, parsed.qualities.and(more), frame);
        }
        return Flow::default();
    };
    for (link, more) in evaluator.linked(&sources.iter().collect::<Vec<_>>(), link, parsed, frame) {
        evaluator.emit_path(Action::Link, &link, parsed.qualities.and(more), frame);
    }
    if let [source] = sources {
        let program = evaluator
            .texts(source)
            .into_iter()
            .find(|path| path.contains("bin/"))
            .and_then(|path| path.rsplit('/').next().map(str::to_owned));
        let target = evaluator.places(source, LinkPolicy::Follow, frame).into_iter().next();
        for (spot, _) in evaluator.places(link, LinkPolicy::Keep, frame) {
            if let Some(program) = &program {
                evaluator.session.files.insert(
                    spot.path.clone(),
                    Content { program: Some(program.clone()), flow: Flow::default() },
                );
            }
            if let Some((target, _)) = &target {
                evaluator.session.links.insert(spot.path, target.path.clone());
            }
        }
    }
    Flow::default()
}

/// Follows `rsync`.
pub(in crate::eval) fn rsync(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    evaluator.follow_operands(parsed, frame);
    let dry = parsed.qualities.has(Modifier::DryRun);
    let target =
        parsed.roles.iter().rev().find(|(role, _)| *role == Role::RemoteWrite).map(|(_, word)| word.clone());
    if let Some(target) = target
        && parsed.qualities.has(Modifier::Remove)
        && !dry
    {
        // What the source does not have is deleted there.
        match target.lead().split_once(':') {
            Some((host, _)) if !host.contains('/') && host.len() > 1 => {
                let inner =
                    Frame { qualities: frame.qualities.with(Environment::Elsewhere), ..frame.clone() };
                evaluator.emit_path(
                    Action::Delete,
                    &target.skip(host.len() + 1),
                    qualities![Modifier::Recursive, Modifier::Mirror],
                    &inner,
                );
            }
            _ => {
                evaluator.emit_path(
                    Action::Delete,
                    &target,
                    qualities![Modifier::Recursive, Modifier::Mirror],
                    frame,
                );
            }
        }
    }
    if parsed.qualities.has(ParseFlag::Packs) && !dry {
        let sources: Vec<Word> = parsed
            .roles
            .iter()
            .filter(|(role, _)| *role == Role::RemoteRead)
            .map(|(_, word)| word.clone())
            .collect();
        for source in &sources {
            evaluator.emit_path(Action::Move, source, qualities![Modifier::Recursive], frame);
        }
    }
    Flow::default()
}

impl Evaluator<'_> {
    /// The links that are made. In a directory that holds something of ours each gets the name of what it leads to.
    fn linked(
        &self,
        sources: &[&Word],
        link: &Word,
        parsed: &Parsed,
        frame: &Frame,
    ) -> Vec<(Word, Qualities)> {
        let holds = |(spot, _): &(ResolvedPath, Qualities)| self.is_holder(spot);
        let inside = !parsed.qualities.has(ParseFlag::Exact)
            && self.places(link, LinkPolicy::Keep, frame).iter().any(holds);
        if !inside {
            return vec![(link.clone(), Qualities::NONE)];
        }
        let landed = self.emit_arrival(sources, link, Qualities::NONE, frame);
        // A link is not merged with what is there.
        landed.into_iter().map(|(link, qualities)| (link, qualities.without(ParseFlag::Merged))).collect()
    }

    /// Returns true if a file contains the hooks of an agent.
    pub(super) fn is_agents(&self, file: &Word, frame: &Frame) -> bool {
        self.places(file, LinkPolicy::Follow, frame).iter().any(|(spot, _)| spot.tags.has(Tag::AgentHooks))
    }
}

/// Follows `zmv`, which expands its arguments by itself: `zmv '~/x/(*).json' '~/x/$1.old'`.
pub(in crate::eval) fn move_by_pattern(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    frame: &mut Frame,
) -> Flow {
    let parsed = call.parsed;
    if parsed.qualities.has(Modifier::DryRun) {
        return Flow::default();
    }
    let expanded = |word: &Word| {
        let Some(text) = word.constant() else { return word.clone() };
        let text = text.replace(['(', ')'], "");
        let mut word = Word { parts: Vec::new(), span: word.span.clone() };
        let rest = match text.strip_prefix("~/") {
            Some(rest) => {
                word.push_text(&evaluator.home);
                word.push_text("/");
                rest
            }
            None => &text,
        };
        for (place, step) in rest.split('/').enumerate() {
            if place > 0 {
                word.push_text("/");
            }
            // `$1` is replaced by the text that a part of the pattern has matched.
            match step.contains(['*', '?', '[', '$', '<']) {
                true => word.push_glob(if step.contains('$') { "*" } else { step }),
                false => word.push_text(step),
            }
        }
        word
    };
    let words: Vec<Word> = parsed.operands.iter().map(expanded).collect();
    let copies = call.rest().iter().any(|word| matches!(word.lead(), "-C" | "-L"));
    let program = if copies || !call.words.first().is_some_and(|name| name.lead().ends_with("mv")) {
        "cp"
    } else {
        "mmv"
    };
    let words: Vec<Word> = std::iter::once(Word::text(program, 0..0)).chain(words).collect();
    evaluator.follow_argv(&words, frame)
}
