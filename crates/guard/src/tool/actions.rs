//! Judges what a tool call comes to: commands, files, program texts, and things that have a name.

use super::{
    call::{FileAccess, ToolCommand},
    combine,
    mcp::ToolAction,
    reading::{self, Language, reading},
    script_content, skills,
};
use crate::{
    Action, CallContext, Certainty, Finding, Judgement, Tag, Target, World, judge,
    judge::{judge_handed, judge_resource},
    judge_argv, judge_file,
};
use checkrein_core::{Decision, ToolCall};

pub(super) fn shell(command: &ToolCommand<'_>, place: &CallContext, world: &dyn World) -> Judgement {
    match command {
        // `:!command`, as editors escape to a shell.
        ToolCommand::Shell(text) => judge(text.trim_start().strip_prefix(":!").unwrap_or(text), place, world),
        ToolCommand::PowerShell(text) => {
            let words = ["pwsh".to_owned(), "-Command".to_owned(), (*text).to_owned()];
            judge_argv(&words, place, world)
        }
        ToolCommand::Arguments(words) => judge_argv(words, place, world),
        ToolCommand::NotUnderstood(why) => combine::no_command(why),
    }
}

/// A change of settings or instructions of an agent is judged by the whole file that it leaves, where the disk tells.
pub(super) fn whole(
    call: &ToolCall,
    touches: &mut Vec<FileAccess<'_>>,
    place: &CallContext,
    world: &dyn World,
) {
    let [first, ..] = touches.as_slice() else { return };
    // Most changes are about neither: this is asked of each of them.
    let settings = [".json", ".jsonc", ".toml", ".yaml", ".yml"];
    if !settings.iter().any(|ending| first.path.ends_with(ending)) {
        return;
    }
    let same = first.action == Action::Append && touches.iter().all(|touch| touch.path == first.path);
    let path = match &place.cwd {
        Some(cwd) if !first.path.starts_with(['/', '~']) => format!("{cwd}/{}", first.path),
        Some(_) | None => first.path.clone().into_owned(),
    };
    let decides = same
        && judge_file(Action::Write, &first.path, None, place, world)
            .effects
            .iter()
            .any(|effect| matches!(&effect.target, Target::Path(spot) if spot.tags.has(Tag::AgentHooks)));
    if decides && let Some(after) = world.text(&path).and_then(|before| skills::after(&call.input, &before)) {
        let path = first.path.clone().into_owned().into();
        touches.insert(0, FileAccess { action: Action::Write, path, content: Some(after.into()) });
    }
}

pub(super) fn files(touches: &[FileAccess<'_>], place: &CallContext, world: &dyn World) -> Judgement {
    let mut all = Judgement::default();
    for FileAccess { action, path, content } in touches {
        let file = judge_file(*action, path, content.as_deref(), place, world);
        let runs = file
            .effects
            .iter()
            .any(|effect| matches!(&effect.target, Target::Path(spot) if spot.tags.has(Tag::AgentRuns)));
        combine::add(&mut all, file);
        let written = content.as_deref().filter(|_| *action != Action::Read);
        let instructs = written.filter(|_| runs);
        if let Some(more) = instructs.and_then(|text| skills::judged(*action, path, text, place, world)) {
            combine::add(&mut all, more);
        }
        if let Some(more) = written.and_then(|text| script_content::judged(*action, path, text, place, world))
        {
            combine::add(&mut all, more);
        }
    }
    all
}

pub(super) fn deeds(deeds: &[ToolAction<'_>], place: &CallContext, world: &dyn World) -> Judgement {
    let mut all = Judgement::default();
    for deed in deeds {
        let one = match deed {
            ToolAction::Command(command) => shell(command, place, world),
            ToolAction::Code { language, text, quiet } => code(*language, text, *quiet, place, world),
            ToolAction::Foreign(text) => foreign(text, place, world),
            ToolAction::Keys(text) => typed(text, place, world),
            ToolAction::TooMany => combine::too_many(),
            ToolAction::FileAccess(touch) => files(std::slice::from_ref(touch), place, world),
            ToolAction::Given { action, path } => given(*action, path, place, world),
            ToolAction::Destroy(effect) => judge_resource(effect.clone(), place, world),
        };
        combine::add(&mut all, one);
    }
    all
}

/// Judges a path that a tool of another server is given: it counts if it is one of ours.
fn given(action: Option<Action>, path: &str, place: &CallContext, world: &dyn World) -> Judgement {
    let judgement = match action {
        // It only lists names.
        Some(Action::Run) => return Judgement::default(),
        Some(action) => judge_file(action, path, None, place, world),
        None => judge_handed(path, place, world),
    };
    let protects = |_: &Judgement, finding: &Finding| finding.rule.id.starts_with("protection.");
    let mut judgement = combine::only(judgement, protects);
    if judgement.findings.is_empty() {
        judgement.effects.clear();
    }
    judgement
}

/// Judges source code that a tool is given. If its language is not known, the usual ones are tried.
fn code(
    language: Option<Language>,
    text: &str,
    quiet: bool,
    place: &CallContext,
    world: &dyn World,
) -> Judgement {
    const USUAL: [&str; 6] = ["sh", "python", "javascript", "ruby", "php", "lua"];
    let languages: Vec<Language> = match language {
        Some(language) => vec![language],
        None => USUAL.into_iter().filter_map(Language::named).collect(),
    };
    let mut all = Judgement::default();
    for language in languages {
        let reading = reading(language, text, place, world);
        let too_much = reading.too_much;
        for one in reading.said {
            let one = if quiet { combine::only(one, is_denied_or_ours) } else { one };
            combine::add(&mut all, one);
        }
        if too_much {
            combine::add(&mut all, combine::unread_script("it is too long or too deep to be read"));
        }
    }
    all
}

/// Judges the literals of a program in a language that is not parsed here: one that would be denied as a command is
/// asked about.
fn foreign(text: &str, place: &CallContext, world: &dyn World) -> Judgement {
    // `:!command`, as editors escape to a shell.
    let escaped = text.lines().filter_map(|line| line.trim().trim_start_matches(':').strip_prefix('!'));
    let mut all = Judgement::default();
    for command in escaped {
        combine::add(&mut all, judge(command, place, world));
    }
    for literal in reading::literals(text).iter().filter(|literal| literal.contains('/')) {
        combine::add(&mut all, given(None, literal, place, world));
    }
    if !all.findings.is_empty() {
        return all;
    }
    let found = reading::literals(text).into_iter().find_map(|literal| {
        let said = combine::only(judge(&literal, place, world), is_denied);
        said.findings.first().map(|finding| combine::script(&finding.rule))
    });
    found.unwrap_or_default()
}

/// Judges text that is typed into something that runs. Most typed text is a shell command; a program in another
/// language, or a statement, counts if it would be denied.
fn typed(text: &str, place: &CallContext, world: &dyn World) -> Judgement {
    let readable = |judgement: &Judgement, finding: &Finding| {
        judgement
            .effects
            .get(finding.effect)
            .is_some_and(|effect| !effect.certainty.has(Certainty::Unreadable))
    };
    let mut all = combine::only(judge(text, place, world), readable);
    for name in ["python", "javascript"] {
        combine::add(&mut all, code(Language::named(name), text, true, place, world));
    }
    let statement = ["psql", "-c", text].map(str::to_owned);
    combine::add(&mut all, combine::only(judge_argv(&statement, place, world), is_denied));
    all
}

/// Returns true if a finding denies, or is about the guard itself: what an unknown function does to our files is asked about.
fn is_denied_or_ours(judgement: &Judgement, finding: &Finding) -> bool {
    finding.rule.id.starts_with("protection.") || is_denied(judgement, finding)
}

/// Returns true if a finding denies, and not only because the text cannot be read.
fn is_denied(judgement: &Judgement, finding: &Finding) -> bool {
    finding.rule.decision == Decision::Deny && reading::is_told(judgement, finding)
}
