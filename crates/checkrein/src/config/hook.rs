//! A validated hook: every word is understood, every pattern compiled, every limit checked.

use crate::config::{
    format::Notation,
    layer::{ExceptionPolicy, Untrusted},
    raw::{At, Reader, Slot, Texts, WrittenCommand, WrittenHook, one_of},
    tree::{Node, Span, Value},
};
use checkrein_core::{Entry, EventName, OnFailure, Pattern, PatternError, Role, Scope, nearest::nearest};
use checkrein_exec::{Callable, Cwd, Program};
use std::{
    borrow::Cow,
    collections::HashSet,
    path::{Component, Path},
    time::Duration,
};

/// The longest time that a hook may be given. Hosts do not wait longer for anything.
pub(crate) const MOST_SECONDS: f64 = 600.0;

/// One hook of a valid configuration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Definition {
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
}

impl Definition {
    /// Returns what it is called: its name, or its command.
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.program.to_string())
    }
}

/// The names that were given so far. Two hooks of one event may not have the same: hooks are removed, disabled and
/// blamed by name, and one name for two makes each of these a guess. On different events one name is fine, and common:
/// it is one hook that watches several moments. mini-coding-agent's lists never promised it, so they are not held to it.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<(EventName, String)>);

impl Reader<'_, '_> {
    /// Understands one hook; `None` if that is impossible, which is then in the report. All its problems are found,
    /// not just the first.
    pub(crate) fn define(&mut self, hook: WrittenHook<'_>, names: &mut Names) -> Option<Definition> {
        let event = self.event(hook.event, &hook.span);
        let program = self.program(hook.command, hook.callable, &hook.span);
        let name = self.name(hook.name, event, names);
        let scope = self.scope(hook.tool, hook.except);
        let role = self.role(hook.role);
        let timeout = self.timeout(hook.timeout, event, role);
        let on_failure = self.on_failure(hook.on_failure, role);
        let may_allow = self.may_allow(hook.may_allow, role);
        let cwd = self.cwd(hook.cwd);
        let env = self.env(hook.env);
        let files = self.files(hook.files);
        let required = self.required(hook.required, role);
        let overridable = self.in_layer("overridable", hook.overridable);
        Some(Definition {
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
        })
    }

    fn event(&mut self, event: Slot<Cow<'_, str>>, hook: &Span) -> Option<EventName> {
        let At { span, value } = match event {
            Slot::Is(event) => event,
            Slot::Broken => return None,
            Slot::Absent => {
                let hint = "for example `event = \"PreToolUse\"`, which is asked before a tool runs";
                let hint = (self.notation == Notation::Toml).then_some(hint);
                self.problem("", hook, "a hook needs an `event`", hint);
                return None;
            }
        };
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
        command: Slot<WrittenCommand<'_>>,
        callable: Slot<Cow<'_, str>>,
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
            // Said already.
            (Slot::Broken, Slot::Absent | Slot::Broken) | (Slot::Absent | Slot::Is(_), Slot::Broken) => None,
        }
    }

    /// A Python function. Its interpreter is named by the file.
    fn callable_of(&mut self, callable: At<Cow<'_, str>>) -> Option<Program> {
        let At { span, value } = callable;
        if Callable::is_path(&value) {
            return Some(Program::Callable(Callable::new(value)));
        }
        let message = format!("`{value}` is not the name of a Python function");
        let hint = "write `module:function`, for example `hooks.guard:check`";
        self.problem("callable", &span, &message, Some(hint));
        None
    }

    /// The interpreter that calls the functions of this file.
    pub(crate) fn python(&mut self, node: &Node<'_>) -> Option<String> {
        let message = match &node.value {
            Value::Text(python) if python.trim().is_empty() => "the interpreter's name is empty".to_owned(),
            Value::Text(python) if python.contains('\0') => HOLDS_NUL.to_owned(),
            Value::Text(python) => return Some(python.clone().into_owned()),
            other => format!("expected a string, found {}", self.notation.type_of(other)),
        };
        self.report.add("python", &node.span, &message, None);
        None
    }

    fn command_of(&mut self, command: At<WrittenCommand<'_>>) -> Option<Program> {
        let At { span, value } = command;
        let problem = match &value {
            WrittenCommand::Shell(text) if text.trim().is_empty() => Some("the command is empty"),
            WrittenCommand::Shell(text) => text.contains('\0').then_some(HOLDS_NUL),
            WrittenCommand::List(list) => match list.first() {
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
            WrittenCommand::Shell(text) => Program::Shell(text.into_owned()),
            WrittenCommand::List(list) => {
                Program::List(list.into_iter().map(|word| word.value.into_owned()).collect())
            }
        })
    }

    fn name(
        &mut self,
        name: Slot<Cow<'_, str>>,
        event: Option<EventName>,
        names: &mut Names,
    ) -> Option<String> {
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
            let hint = "hooks are removed and blamed by name, so each of an event needs its own";
            self.problem("name", &span, &message, Some(hint));
        }
        Some(name)
    }

    fn scope(&mut self, tool: Slot<Texts<'_>>, except: Slot<Texts<'_>>) -> Option<Scope> {
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

    fn patterns(&mut self, key: &str, texts: Texts<'_>) -> Option<Vec<Pattern>> {
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
                    let message =
                        "the regular expressions of this file take too much together when they are compiled";
                    let hint = "write names, or repeat less in them";
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

    fn role(&mut self, role: Slot<Cow<'_, str>>) -> Role {
        let roles = [Role::Edit, Role::Judge, Role::Observe];
        self.word("role", "role", role, roles.map(|role| (role.as_str(), role))).unwrap_or_default()
    }

    fn on_failure(&mut self, word: Slot<Cow<'_, str>>, role: Role) -> Option<OnFailure> {
        let span = span_of(&word);
        let rules = [OnFailure::Deny, OnFailure::Ask, OnFailure::Ignore];
        let rule =
            self.word("on_failure", "answer to a failure", word, rules.map(|rule| (rule.as_str(), rule)))?;
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
        self.in_layer("may_allow", Slot::Is(At { span, value }))
    }

    /// Nobody waits for an observer, and its failure denies nothing, so that it cannot be required.
    fn required(&mut self, required: Slot<bool>, role: Role) -> bool {
        let Some(At { span, value }) = required.value() else { return false };
        if value && role == Role::Observe {
            let message = "an observer is not waited for, so it cannot be required";
            let hint = "to audit without fail, make it a `judge` that answers nothing: the call waits for it, and its failure denies";
            self.problem("required", &span, message, Some(hint));
        }
        self.in_layer("required", Slot::Is(At { span, value }))
    }

    /// A mark that only some layers may set.
    fn in_layer(&mut self, key: &str, mark: Slot<bool>) -> bool {
        let Some(At { span, value }) = mark.value() else { return false };
        if let (true, Some(why)) = (value, self.layer.refuses(key)) {
            let key = self.whole_key(key);
            self.report.add_refused(key, &span, why);
        }
        value
    }

    /// Files beside the configuration that belong to the hook.
    fn files(&mut self, files: Slot<Texts<'_>>) -> Vec<String> {
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

    /// A time that no event allows would be a promise that is not kept: the hook would be ended earlier, and on an event
    /// that it should hold up its failure may even be ignored.
    fn timeout(&mut self, timeout: Slot<f64>, event: Option<EventName>, role: Role) -> Duration {
        let Some(At { span, value }) = timeout.value() else { return Entry::TIMEOUT };
        let limit = Duration::try_from_secs_f64(value).ok().filter(|limit| !limit.is_zero());
        // Nobody waits for an observer.
        let event = event.filter(|_| role != Role::Observe);
        match (limit, event) {
            // mini-coding-agent's lists run as they did.
            (Some(limit), Some(event)) if value <= MOST_SECONDS && self.notation == Notation::Json => {
                limit.min(event.budget())
            }
            (Some(limit), Some(event)) if value <= MOST_SECONDS && limit > event.budget() => {
                let most = event.budget().as_secs();
                let message = format!("on `{event}` a hook may take at most {most} s");
                let hint = match event.is_preventable() {
                    true => "a call waits for it; what takes longer belongs to `Stop`, or to an observer",
                    false => "the host waits no longer; an observer may take longer",
                };
                self.problem("timeout", &span, &message, Some(hint));
                Entry::TIMEOUT
            }
            (Some(limit), _) if value <= MOST_SECONDS => limit,
            (Some(_) | None, _) => {
                let message = format!("expected seconds, more than 0 and at most {MOST_SECONDS}");
                self.problem("timeout", &span, &message, None);
                Entry::TIMEOUT
            }
        }
    }

    fn cwd(&mut self, cwd: Slot<Cow<'_, str>>) -> Cwd {
        let default = match self.notation {
            Notation::Toml => Cwd::Session,
            // mini-coding-agent runs every hook where its configuration lies.
            Notation::Json => Cwd::Config,
        };
        let words = [("session", Cwd::Session), ("config", Cwd::Config)];
        self.word("cwd", "working directory", cwd, words).unwrap_or(default)
    }

    fn env(&mut self, env: Slot<Texts<'_>>) -> Vec<String> {
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

    /// The names of hooks that a lower layer wants to take away.
    pub(crate) fn disable(&mut self, node: Node<'_>) -> Vec<String> {
        let Value::List(list) = node.value else {
            let message = format!("expected a list of names, found {}", self.notation.type_of(&node.value));
            self.report.add("disable", &node.span, &message, None);
            return Vec::new();
        };
        let mut names = Vec::new();
        for Node { span, value } in list {
            match value {
                Value::Text(name) => names.push(name.into_owned()),
                other => {
                    let message = format!("expected a name, found {}", self.notation.type_of(&other));
                    self.report.add("disable", &span, &message, None);
                }
            }
        }
        names
    }

    /// Returns what becomes of hooks that nobody has trusted.
    pub(crate) fn untrusted(&mut self, node: &Node<'_>) -> Untrusted {
        let rules = [Untrusted::Skip, Untrusted::Deny];
        let Value::Text(word) = &node.value else {
            let message = format!("expected `skip` or `deny`, found {}", self.notation.type_of(&node.value));
            self.report.add("untrusted", &node.span, &message, None);
            return Untrusted::default();
        };
        rules.into_iter().find(|rule| rule.as_str() == word).unwrap_or_else(|| {
            let message = format!("expected `skip` or `deny`, found `{word}`");
            self.report.add("untrusted", &node.span, &message, None);
            Untrusted::default()
        })
    }

    /// Returns whether exceptions and allow rules of lower layers count.
    pub(crate) fn leave(&mut self, node: &Node<'_>) -> ExceptionPolicy {
        let words = [ExceptionPolicy::Accept, ExceptionPolicy::Refuse];
        let found = match &node.value {
            Value::Text(word) => match words.into_iter().find(|leave| leave.as_str() == word) {
                Some(leave) => return leave,
                None => format!("`{word}`"),
            },
            other => self.notation.type_of(other).to_owned(),
        };
        let message = format!("expected `accept` or `refuse`, found {found}");
        self.report.add("exceptions", &node.span, &message, None);
        ExceptionPolicy::default()
    }

    /// One of a few words.
    fn word<T: Copy, const N: usize>(
        &mut self,
        key: &str,
        what: &str,
        word: Slot<Cow<'_, str>>,
        known: [(&'static str, T); N],
    ) -> Option<T> {
        let At { span, value } = word.value()?;
        if let Some((_, meant)) = known.iter().find(|(word, _)| *word == value) {
            return Some(*meant);
        }
        let words = known.map(|(word, _)| word);
        let message = format!("unknown {what} `{value}`, expected {}", one_of(&words));
        let hint = nearest(&value, words).map(|near| format!("did you mean `{near}`?"));
        self.problem(key, &span, &message, hint.as_deref());
        None
    }
}

const HOLDS_NUL: &str = "the command holds a NUL character, which no program can be given";

fn span_of<T>(slot: &Slot<T>) -> Span {
    match slot {
        Slot::Is(at) => at.span.clone(),
        Slot::Absent | Slot::Broken => 0..0,
    }
}
