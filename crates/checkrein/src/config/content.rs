//! The content of a configuration file: its settings, hooks, rules, exceptions and allow rules.

use crate::config::{
    fields::{Fields, Slot},
    format::Notation,
    hook::{HookDefinition, Names},
    keys::{ALLOW, ConfigWord, EXCEPTION, FILE, GRADE, HANDLE, HOOK},
    layer::{ExceptionPolicy, Unattended, Untrusted},
    learn::LearnKeys,
    mcp::McpKeys,
    monitor::MonitorKeys,
    notify,
    reader::ConfigReader,
    trail::TrailKeys,
    tree::{Node, NodeValue},
    undo::UndoKeys,
};
use crate::{
    notify::NotifySettings,
    rewrites::settings::RewriteKeys,
    secrets::{self, handles::table::Handle},
};
use checkrein_exec::Program;
use checkrein_guard::{AllowRule, Exception, Grade, Rule};
use serde_json::{Value, json};

/// The content of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileContent {
    pub(crate) settings: Settings,
    pub(crate) hooks: Vec<HookDefinition>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) exceptions: Vec<Exception>,
    pub(crate) allow_rules: Vec<AllowRule>,
    pub(crate) grades: Vec<Grade>,
}

/// The keys of a file that are not lists of tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    /// Names of hooks of higher layers to disable.
    pub(crate) disable: Vec<String>,
    pub(crate) untrusted: Untrusted,
    /// Tells if exceptions and allow rules of lower layers count.
    pub(crate) exceptions: ExceptionPolicy,
    pub(crate) secrets: secrets::settings::Settings,
    pub(crate) mcp: McpKeys,
    pub(crate) trail: TrailKeys,
    /// The handling of a question when no user is there; `None` if the file does not set it.
    pub(crate) unattended: Option<Unattended>,
    /// True if sessions begin without a line about what is active.
    pub(crate) no_greeting: bool,
    pub(crate) monitor: Option<MonitorKeys>,
    pub(crate) notify: Option<NotifySettings>,
    pub(crate) undo: UndoKeys,
    pub(crate) learn: LearnKeys,
    pub(crate) rewrite: RewriteKeys,
    #[cfg(test)]
    pub(crate) example_shown: bool,
}

impl Settings {
    /// Returns the settings as a file would write them. (`python` is kept with the hooks that it is for.)
    pub(crate) fn to_json(&self) -> Value {
        let mut secrets = json!({"prompt": self.secrets.prompt.word()});
        if let (Some(output), Some(secrets)) = (self.secrets.output, secrets.as_object_mut()) {
            secrets.insert("output".to_owned(), output.word().into());
        }
        if let (false, Some(secrets)) = (self.secrets.handles.is_empty(), secrets.as_object_mut()) {
            let handles: Vec<Value> = self.secrets.handles.iter().map(Handle::to_json).collect();
            secrets.insert("handle".to_owned(), handles.into());
        }
        let mut settings = json!({
            "disable": self.disable,
            "untrusted": self.untrusted.word(),
            "exceptions": self.exceptions.word(),
            "secrets": secrets,
            "mcp": self.mcp.to_json(),
            "unattended": self.unattended.map(ConfigWord::word),
            "greeting": !self.no_greeting,
            "monitor": self.monitor.as_ref().map(MonitorKeys::to_json),
            "notify": self.notify.as_ref().map(notify::to_json),
            "undo": self.undo.to_json(),
            "learn": self.learn.to_json(),
        });
        self.trail.write(&mut settings);
        self.rewrite.write(&mut settings);
        #[cfg(test)]
        let settings = crate::config::keys::example::with_example(settings, self.example_shown);
        settings
    }
}

impl<'t> ConfigReader<'_, 't> {
    /// Reads a whole file.
    pub(crate) fn file(&mut self, root: Node<'t>) -> FileContent {
        match (self.notation, root.value) {
            (Notation::Json, NodeValue::List(list)) => {
                FileContent { hooks: self.hooks(list), ..FileContent::default() }
            }
            (Notation::Json, other) => {
                let message = format!("expected a list of hooks, found {}", self.notation.type_of(&other));
                let hint = "for example `[{\"event\": \"PreToolUse\", \"command\": \"./hook.sh\"}]`";
                self.problem("", &root.span, &message, Some(hint));
                FileContent::default()
            }
            (Notation::Toml, NodeValue::Table(fields)) => {
                let fields = self.fields(root.span, fields, &FILE, "");
                self.content(fields)
            }
            // A TOML document is a table. Anything else must not lead to a run without hooks.
            (Notation::Toml, other) => {
                let message = format!("expected a table, found {}", self.notation.type_of(&other));
                self.problem("", &root.span, &message, None);
                FileContent::default()
            }
        }
    }

    fn content(&mut self, mut fields: Fields<'t>) -> FileContent {
        let settings = self.settings(&mut fields);
        let python = self.python(fields.text("python"));
        let mut hooks = self.hooks(fields.tables("hook"));
        for hook in &mut hooks {
            if let (Program::Callable(callable), Some(python)) = (&mut hook.program, &python) {
                callable.python.clone_from(python);
            }
        }
        let rules = self.rules(fields.tables("rule"));
        let most = self.bounds.tables;
        let exceptions = self.each_table(fields.tables("exception"), &EXCEPTION, most, Self::exception);
        let allow_rules = self.each_table(fields.tables("allow"), &ALLOW, most, Self::allow_rule);
        let grades = self.each_table(fields.tables("grade"), &GRADE, most, Self::grade);
        fields.finish();
        FileContent { settings, hooks, rules, exceptions, allow_rules, grades }
    }

    /// Takes the settings of a file.
    pub(crate) fn settings(&mut self, fields: &mut Fields<'t>) -> Settings {
        let disable = match fields.texts("disable") {
            Slot::Is(names) => names.value.into_iter().map(|name| name.value.into_owned()).collect(),
            Slot::Absent | Slot::Broken => Vec::new(),
        };
        Settings {
            disable,
            untrusted: self.word(fields, "untrusted").unwrap_or_default(),
            exceptions: self.word(fields, "exceptions").unwrap_or_default(),
            secrets: self.secrets(fields),
            mcp: self.mcp(fields),
            trail: self.trail(fields),
            unattended: self.word(fields, "unattended"),
            no_greeting: !fields.flag("greeting"),
            monitor: self.monitor(fields),
            notify: self.notify(fields),
            undo: self.undo(fields),
            learn: self.learn(fields),
            rewrite: self.rewrites(fields),
            #[cfg(test)]
            example_shown: fields
                .table("example")
                .value()
                .is_some_and(|mut example| example.value.flag("shown")),
        }
    }

    fn secrets(&mut self, fields: &mut Fields<'t>) -> secrets::settings::Settings {
        let Some(mut table) = fields.table("secrets").value() else { return Default::default() };
        let settings = secrets::settings::Settings {
            prompt: self.word(&mut table.value, "prompt").unwrap_or_default(),
            output: self.word(&mut table.value, "output"),
            handles: self.each_table(table.value.tables("handle"), &HANDLE, self.bounds.tables, Self::handle),
        };
        table.value.finish();
        settings
    }

    fn handle(&mut self, mut fields: Fields<'t>) -> Option<Handle> {
        let program = fields.text("program").value().map(|text| text.value.into_owned());
        let variable = fields.text("variable").value().map(|text| text.value.into_owned());
        let mut list = |key: &str| match fields.texts(key) {
            Slot::Is(words) => words.value.into_iter().map(|word| word.value.into_owned()).collect(),
            Slot::Absent | Slot::Broken => Vec::new(),
        };
        let (hosts, commands, switches, values) =
            (list("hosts"), list("commands"), list("switches"), list("values"));
        fields.finish();
        Some(Handle { program: program?, variable: variable?, hosts, commands, switches, values })
    }

    fn hooks(&mut self, list: Vec<Node<'t>>) -> Vec<HookDefinition> {
        let mut names = Names::default();
        let most = self.bounds.hooks;
        self.each_table(list, &HOOK, most, |reader, fields| reader.hook(fields, &mut names))
    }
}
