//! A validated hook: every word is understood, every pattern compiled, every limit checked.

use crate::config::{
    fields::{At, CommandText, Fields, Slot, Text, Texts, one_of},
    format::Notation,
    keys::MOST_SECONDS,
    reader::ConfigReader,
    tree::Span,
};
use checkrein_core::{Entry, EventName, OnFailure, Pattern, PatternError, Role, Scope, nearest::nearest};
use checkrein_exec::{Callable, Cwd, Program};
use checkrein_hosts::foreign::Foreign;
use std::{
    borrow::Cow,
    collections::BTreeSet,
    path::{Component, Path},
    time::Duration,
};

/// One hook of a valid configuration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HookDefinition {
    pub(crate) event: EventName,
    pub(crate) name: Option<String>,
    pub(crate) scope: Scope,
    pub(crate) program: Program,
    pub(crate) role: Role,
    pub(crate) timeout: Duration,
    pub(crate) on_failure: Option<OnFailure>,
    pub(crate) may_allow: bool,
    pub(crate) cwd: Cwd,
    pub(crate) env: Vec<String>,
    pub(crate) files: Vec<String>,
    pub(crate) required: bool,
    pub(crate) overridable: bool,
    /// The host that it was written for, and that host's event: `HOST` or `HOST:EVENT`.
    pub(crate) written_for: Option<String>,
}

impl HookDefinition {
    /// Returns its name, or its command.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.program.to_string())
    }

    /// Returns the calls that it is asked about. The patterns of a hook for another host are about that host's names, so it
    /// compares them itself.
    pub(crate) fn asked(&self) -> Cow<'_, Scope> {
        match self.written_for {
            None => Cow::Borrowed(&self.scope),
            Some(_) => Cow::Owned(Scope::all()),
        }
    }
}

/// The names that were given so far. Two hooks of one event may not have the same: hooks are removed, disabled and
/// reported by name, and a name with two meanings makes each of these a guess. On different events one name is fine, and
/// common: it is one hook that watches several moments. mini-coding-agent's lists never promised it, so they are not
/// held to it.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<(EventName, String)>);

impl<'t> ConfigReader<'_, 't> {
    /// Parses one hook; `None` if that is impossible. All problems of the hook are reported, not just the first.
    pub(crate) fn hook(&mut self, mut fields: Fields<'t>, names: &mut Names) -> Option<HookDefinition> {
        let event = self.event(fields.text("event"));
        let (command, callable) = (fields.command("command"), fields.text("callable"));
        let program = self.program(command, callable, &fields.span);
        let name = self.name(fields.text("name"), event, names);
        let scope = self.scope(fields.table("match"));
        let role: Role = self.word(&mut fields, "role").unwrap_or_default();
        let timeout = self.timeout(fields.number_at("timeout"), event, role);
        let on_failure = self.on_failure(&mut fields, role);
        let may_allow = self.may_allow(fields.flag_at("may_allow"), role);
        let cwd = self.cwd(&mut fields);
        let env = self.env(fields.texts("env"));
        let files = self.files(fields.texts("files"));
        let required = self.required(fields.flag_at("required"), role);
        let overridable = fields.flag("overridable");
        let written_for = self.written_for(fields.text("written_for"), event, program.as_ref());
        fields.finish();
        Some(HookDefinition {
            event: event?,
            name,
            scope: scope?,
            program: program?,
            role,
            timeout,
            on_failure,
            may_allow,
            cwd,
            env,
            files,
            required,
            overridable,
            written_for,
        })
    }

    /// Parses the host that the hook was written for.
    fn written_for(
        &mut self,
        written_for: Slot<Text<'t>>,
        event: Option<EventName>,
        program: Option<&Program>,
    ) -> Option<String> {
        let At { span, value } = written_for.value()?;
        if let Some(Program::Callable(_)) = program {
            let message = "a Python function gets the event in our form, not in that of another agent";
            self.problem("written_for", &span, message, Some("remove `written_for`, or run a `command`"));
            return None;
        }
        match Foreign::parse(&value, event?) {
            Ok(_) => Some(value.into_owned()),
            Err(error) => {
                let hint =
                    "write the agent, or the agent and its event: `cursor`, `cursor:beforeShellExecution`";
                self.problem("written_for", &span, &error.to_string(), Some(hint));
                None
            }
        }
    }

    fn event(&mut self, event: Slot<Text<'t>>) -> Option<EventName> {
        let At { span, value } = event.value()?;
        let events = self.notation.events();
        let known = events.iter().copied().find(|event| event.as_str() == value);
        if known.is_none() {
            let hint = match (nearest(&value, events.iter().map(|event| event.as_str())), self.notation) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Notation::Toml) => {
                    "the usual ones are `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `SessionStart` and `Stop`"
                        .to_owned()
                }
                (None, Notation::Json) => {
                    let words: Vec<&str> = events.iter().map(|event| event.as_str()).collect();
                    format!("expected {}", one_of(&words))
                }
            };
            self.problem("event", &span, &format!("unknown event `{value}`"), Some(&hint));
        }
        known
    }

    fn program(
        &mut self,
        command: Slot<CommandText<'t>>,
        callable: Slot<Text<'t>>,
        hook: &Span,
    ) -> Option<Program> {
        match (command, callable) {
            (Slot::Is(command), Slot::Absent) => self.command_of(command),
            (Slot::Absent, Slot::Is(callable)) => self.callable_of(callable),
            (Slot::Is(_) | Slot::Broken, Slot::Is(callable)) => {
                let message = "a hook has a `command` or a `callable`, not both";
                self.problem("callable", &callable.span, message, None);
                None
            }
            (Slot::Absent, Slot::Absent) => {
                self.problem("", hook, "a hook needs a `command` to run, or a `callable`", None);
                None
            }
            // Already reported.
            (Slot::Broken, Slot::Absent | Slot::Broken) | (Slot::Absent | Slot::Is(_), Slot::Broken) => None,
        }
    }

    /// Parses a Python function. The file names its interpreter.
    fn callable_of(&mut self, callable: At<Text<'t>>) -> Option<Program> {
        let At { span, value } = callable;
        if Callable::is_path(&value) {
            return Some(Program::Callable(Callable::new(value)));
        }
        let message = format!("`{value}` is not the name of a Python function");
        let hint = "write `module:function`, for example `hooks.guard:check`";
        self.problem("callable", &span, &message, Some(hint));
        None
    }

    /// Parses the interpreter that calls the functions of this file.
    pub(crate) fn python(&mut self, python: Slot<Text<'t>>) -> Option<String> {
        let At { span, value } = python.value()?;
        let message = if value.trim().is_empty() {
            "the interpreter's name is empty"
        } else if value.contains('\0') {
            HOLDS_NUL
        } else {
            return Some(value.into_owned());
        };
        self.problem("python", &span, message, None);
        None
    }

    fn command_of(&mut self, command: At<CommandText<'t>>) -> Option<Program> {
        let At { span, value } = command;
        let problem = match &value {
            CommandText::Shell(text) if text.trim().is_empty() => Some("the command is empty"),
            CommandText::Shell(text) => text.contains('\0').then_some(HOLDS_NUL),
            CommandText::List(list) => match list.first() {
                None => Some("the list is empty; its first word is the program"),
                Some(program) if program.value.trim().is_empty() => Some("the program's name is empty"),
                Some(_) => list.iter().any(|word| word.value.contains('\0')).then_some(HOLDS_NUL),
            },
        };
        if let Some(message) = problem {
            self.problem("command", &span, message, None);
            return None;
        }
        Some(match value {
            CommandText::Shell(text) => Program::Shell(text.into_owned()),
            CommandText::List(list) => {
                Program::List(list.into_iter().map(|word| word.value.into_owned()).collect())
            }
        })
    }

    fn name(&mut self, name: Slot<Text<'t>>, event: Option<EventName>, names: &mut Names) -> Option<String> {
        let At { span, value } = name.value()?;
        if value.trim().is_empty() {
            self.problem("name", &span, "the name is empty", Some("leave it out to use the command"));
            return None;
        }
        let name = value.into_owned();
        if let (Some(event), Notation::Toml) = (event, self.notation)
            && !names.0.insert((event, name.clone()))
        {
            let message = format!("another hook of `{event}` is named `{name}`");
            let hint = "hooks are disabled and reported by name, so each hook of an event needs its own";
            self.problem("name", &span, &message, Some(hint));
        }
        Some(name)
    }

    fn scope(&mut self, matcher: Slot<Fields<'t>>) -> Option<Scope> {
        let mut matcher = match matcher {
            Slot::Absent => return Some(Scope::all()),
            Slot::Broken => return None,
            Slot::Is(matcher) => matcher.value,
        };
        let (tool, except) = (matcher.texts("tool"), matcher.texts("except"));
        matcher.finish();
        let scope = match tool {
            Slot::Absent => Some(Scope::all()),
            Slot::Broken => None,
            Slot::Is(At { span, value }) if value.is_empty() => {
                let message = "an empty list matches no tool, so the hook would never run";
                let hint = "leave `match` out to match every tool";
                self.problem("match.tool", &span, message, Some(hint));
                None
            }
            Slot::Is(tool) => self.patterns("match.tool", tool.value).map(Scope::only),
        };
        let except = match except {
            Slot::Absent => Some(Vec::new()),
            Slot::Broken => None,
            Slot::Is(except) => self.patterns("match.except", except.value),
        };
        Some(scope?.except(except?))
    }

    fn patterns(&mut self, key: &str, texts: Texts<'t>) -> Option<Vec<Pattern>> {
        let mut patterns = Some(Vec::with_capacity(texts.len()));
        for At { span, value } in texts {
            let limit = self.bounds.regex.min(self.bounds.regexes);
            let pattern = Pattern::within(&value, limit);
            if let Ok(pattern) = &pattern {
                self.bounds.regexes = self.bounds.regexes.saturating_sub(pattern.compiled_size());
            }
            match (pattern, &mut patterns) {
                (Ok(pattern), Some(patterns)) => patterns.push(pattern),
                (Ok(_), None) => {}
                (Err(PatternError::TooLarge { .. }), _) if limit < self.bounds.regex => {
                    let message = "the compiled regular expressions of this file are too large together";
                    let hint = "use names, or fewer repetitions";
                    self.problem(key, &span, message, Some(hint));
                    patterns = None;
                }
                (Err(error), _) => {
                    self.problem(key, &span, &error.to_string(), None);
                    patterns = None;
                }
            }
        }
        patterns
    }

    fn on_failure(&mut self, fields: &mut Fields<'t>, role: Role) -> Option<OnFailure> {
        let span = fields.span_of("on_failure");
        let rule: OnFailure = self.word(fields, "on_failure")?;
        if role == Role::Observe && rule != OnFailure::Ignore {
            let message = format!("an observer decides nothing, so its failure cannot become `{rule}`");
            let hint = "its role must be `judge` or `edit` for that";
            self.problem("on_failure", &span, &message, Some(hint));
        }
        Some(rule)
    }

    fn may_allow(&mut self, may_allow: Slot<bool>, role: Role) -> bool {
        let Some(At { span, value }) = may_allow.value() else { return false };
        if value && role == Role::Observe {
            self.problem("may_allow", &span, "an observer decides nothing, so it cannot allow", None);
        }
        value
    }

    /// Nothing waits for an observer, and its failure denies nothing, so it cannot be required.
    fn required(&mut self, required: Slot<bool>, role: Role) -> bool {
        let Some(At { span, value }) = required.value() else { return false };
        if value && role == Role::Observe {
            let message = "an observer is not waited for, so it cannot be required";
            let hint = "to audit without fail, make it a `judge` that answers nothing: the call waits for it, and its failure denies";
            self.problem("required", &span, message, Some(hint));
        }
        value
    }

    /// Parses the files next to the configuration that belong to the hook.
    fn files(&mut self, files: Slot<Texts<'t>>) -> Vec<String> {
        let mut names = Vec::new();
        for (index, At { span, value }) in files.value().into_iter().flat_map(|files| files.value).enumerate()
        {
            let path = Path::new(&*value);
            let inside =
                path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            if value.is_empty() || value.contains('\0') || !inside {
                let message = format!("`{value}` is not a file next to the configuration");
                let hint = "name a relative path without `..`, for example `hooks/helper.py`";
                self.problem(&format!("files[{index}]"), &span, &message, Some(hint));
            } else {
                names.push(value.into_owned());
            }
        }
        names
    }

    /// Parses the timeout. A timeout longer than the event allows is an error: the hook would be stopped earlier, and on
    /// some events its failure would even be ignored.
    fn timeout(&mut self, timeout: Slot<f64>, event: Option<EventName>, role: Role) -> Duration {
        let Some(At { span, value }) = timeout.value() else { return Entry::TIMEOUT };
        let limit = Duration::try_from_secs_f64(value).ok().filter(|limit| !limit.is_zero());
        // Nothing waits for an observer.
        let event = event.filter(|_| role != Role::Observe);
        match (limit, event) {
            // mini-coding-agent's lists run as they did.
            (Some(limit), Some(event))
                if value <= f64::from(MOST_SECONDS) && self.notation == Notation::Json =>
            {
                limit.min(event.budget())
            }
            (Some(limit), Some(event)) if value <= f64::from(MOST_SECONDS) && limit > event.budget() => {
                let most = event.budget().as_secs();
                let message = format!("on `{event}` a hook may take at most {most} s");
                let hint = match event.is_preventable() {
                    true => "a call waits for it; what takes longer belongs to `Stop`, or to an observer",
                    false => "the host waits no longer; an observer may take longer",
                };
                self.problem("timeout", &span, &message, Some(hint));
                Entry::TIMEOUT
            }
            (Some(limit), _) if value <= f64::from(MOST_SECONDS) => limit,
            (Some(_) | None, _) => {
                let message = format!("expected seconds, more than 0 and at most {MOST_SECONDS}");
                self.problem("timeout", &span, &message, None);
                Entry::TIMEOUT
            }
        }
    }

    fn cwd(&mut self, fields: &mut Fields<'t>) -> Cwd {
        let default = match self.notation {
            Notation::Toml => Cwd::Session,
            // mini-coding-agent runs every hook in the directory of its configuration.
            Notation::Json => Cwd::Config,
        };
        self.word(fields, "cwd").unwrap_or(default)
    }

    fn env(&mut self, env: Slot<Texts<'t>>) -> Vec<String> {
        let mut names = Vec::new();
        for (index, At { span, value }) in env.value().into_iter().flat_map(|env| env.value).enumerate() {
            // A pattern here would silently name nothing.
            let fits = |c: char| c == '_' || c.is_ascii_alphanumeric();
            if value.is_empty() || !value.chars().all(fits) || value.starts_with(|c: char| c.is_ascii_digit())
            {
                let message = format!("`{value}` is not the name of a variable");
                let hint = "each variable is named in full; `NAME=value` and `NAME_*` are not known here";
                self.problem(&format!("env[{index}]"), &span, &message, Some(hint));
            } else {
                names.push(value.into_owned());
            }
        }
        names
    }
}

const HOLDS_NUL: &str = "the command contains a NUL character, which cannot be passed to a program";
