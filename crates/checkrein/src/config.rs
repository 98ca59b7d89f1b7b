//! A configuration file, and the dispatcher that it describes.

use crate::{
    definition::{Definition, Names},
    environment::Environment,
    json_list,
    notation::Notation,
    problem::{Problem, Problems, Report},
    source, toml_file,
    tree::{Node, Value},
    written::{Reader, hint_for},
};
use checkrein_core::{Dispatcher, Entry, EventName, Role};
use checkrein_exec::{CommandHook, CommandObserver, Supervisor};
use std::path::{Path, PathBuf};

/// What hooks are built with, apart from their configuration.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    environment: Environment,
    supervisor: Supervisor,
}

impl Setup {
    /// Hooks that get their share of `environment`.
    pub fn new(environment: Environment) -> Self {
        Self { environment, supervisor: Supervisor::default() }
    }

    /// The same, and `supervisor` keeps the time of observers.
    #[must_use]
    pub fn supervisor(mut self, supervisor: Supervisor) -> Self {
        self.supervisor = supervisor;
        self
    }
}

/// A configuration without a problem.
///
/// ```
/// use checkrein::{Config, Environment, EventName, Setup};
/// let text = r#"
///     [[hook]]
///     event = "PreToolUse"
///     match = { tool = "Bash" }
///     command = "./no-force-push.sh"
///     role = "judge"
/// "#;
/// let config = Config::parse(text, "hooks.toml".as_ref())?;
/// let hooks = config.for_event(EventName::PreToolUse, &Setup::new(Environment::of_process()));
/// assert_eq!(hooks.entries().len(), 1);
///
/// let problems = Config::parse("[[hooks]]", "hooks.toml".as_ref()).unwrap_err();
/// assert_eq!(
///     problems.to_string(),
///     "hooks.toml:1:3: unknown key `hooks`\n1 | [[hooks]]\n  |   ^^^^^\nhint: did you mean `hook`?"
/// );
/// # Ok::<(), checkrein::Problems>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    path: PathBuf,
    folder: PathBuf,
    hooks: Vec<Definition>,
}

impl Config {
    /// Reads the file at `path`: TOML, or the ancestor's JSON list, whatever its name says.
    ///
    /// The whole of it is checked, whichever event is to be answered: a mistake in a hook for another event is found
    /// on the day that it is made.
    pub fn load(path: &Path) -> Result<Self, Problems> {
        let bytes = source::read(path).map_err(|error| Problem::of_file(path, error))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(text, path),
            Err(error) => {
                let text = String::from_utf8_lossy(&bytes);
                let mut report = Report::new(path, &text);
                let at = error.valid_up_to();
                report.add("", &(at..at + 1), "the text is not UTF-8 from here on", None);
                match report.finish() {
                    Err(problems) => Err(problems),
                    Ok(()) => Err(Problem::of_file(path, "the text is not UTF-8").into()),
                }
            }
        }
    }

    /// Reads `text` as if it stood in the file at `path`, which need not exist.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Problems> {
        let folder = folder_of(path)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut report = Report::new(path, text);
        let notation = if json_list::is_json(text) { Notation::Json } else { Notation::Toml };
        let root = match notation {
            Notation::Toml => toml_file::parse(text, &mut report),
            Notation::Json => json_list::parse(text, &mut report),
        };
        let hooks = root.map(|root| hooks_of(root, notation, &mut report)).unwrap_or_default();
        report.finish()?;
        Ok(Self { path: path.to_owned(), folder, hooks })
    }

    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the file, against which programs are resolved: the one in which the file was *named*. A link to
    /// a file elsewhere does not move it, as with scripts that lie beside the link.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All hooks, in the order in which they are written.
    pub fn dispatcher(&self, setup: &Setup) -> Dispatcher {
        self.build(self.hooks.iter(), setup)
    }

    /// Only the hooks of one event: what a process needs that answers one event and ends.
    pub fn for_event(&self, event: EventName, setup: &Setup) -> Dispatcher {
        self.build(self.hooks.iter().filter(|hook| hook.event == event), setup)
    }

    fn build<'a>(&self, hooks: impl Iterator<Item = &'a Definition>, setup: &Setup) -> Dispatcher {
        let mut dispatcher = Dispatcher::new();
        for hook in hooks {
            dispatcher.add(self.entry(hook, setup));
        }
        dispatcher
    }

    fn entry(&self, definition: &Definition, setup: &Setup) -> Entry {
        let mut hook = CommandHook::new(definition.program.clone())
            .config_dir(&self.folder)
            .cwd(definition.cwd)
            .environment(setup.environment.share(&definition.env));
        if let Some(name) = &definition.name {
            hook = hook.named(name);
        }
        let entry = match definition.role {
            Role::Observe => {
                Entry::new(definition.event, CommandObserver::new(hook, setup.supervisor.clone()))
            }
            Role::Plain | Role::Edit | Role::Judge => Entry::new(definition.event, hook),
        };
        let entry = entry
            .scope(definition.scope.clone())
            .role(definition.role)
            .timeout(definition.timeout)
            .grants(definition.grants);
        match definition.on_failure {
            Some(rule) => entry.on_failure(rule),
            None => entry,
        }
    }
}

/// The absolute folder of a file, without a look at the disk.
fn folder_of(path: &Path) -> Result<PathBuf, Problems> {
    let unknown =
        |error| Problem::of_file(path, format_args!("the folder of the configuration is unknown: {error}"));
    let absolute = std::path::absolute(path).map_err(unknown)?;
    Ok(absolute.parent().unwrap_or(&absolute).to_owned())
}

/// Understands every hook below the root.
fn hooks_of<'t>(root: Node<'t>, notation: Notation, report: &mut Report<'t>) -> Vec<Definition> {
    let mut names = Names::default();
    let mut hooks = Vec::new();
    for (index, node) in written_hooks(root, notation, report).into_iter().enumerate() {
        if report.is_full() {
            break;
        }
        let mut reader = Reader { report, notation, index };
        let Some(written) = reader.hook(node) else { continue };
        hooks.extend(reader.define(written, &mut names));
    }
    hooks
}

/// The list of hooks in the root of a file.
fn written_hooks<'t>(root: Node<'t>, notation: Notation, report: &mut Report<'t>) -> Vec<Node<'t>> {
    match (notation, root.value) {
        (Notation::Json, Value::List(list)) => list,
        (Notation::Json, other) => {
            let message = format!("expected a list of hooks, found {}", notation.type_of(&other));
            let hint = "for example `[{\"event\": \"PreToolUse\", \"command\": \"./hook.sh\"}]`";
            report.add("", &root.span, &message, Some(hint));
            Vec::new()
        }
        (Notation::Toml, Value::Table(fields)) => {
            let mut hooks = Vec::new();
            for field in fields {
                match (&*field.key, field.node.value) {
                    ("hook", Value::List(list)) => hooks = list,
                    ("hook", other) => {
                        let message =
                            format!("expected a list of tables, found {}", notation.type_of(&other));
                        report.add(
                            "hook",
                            &field.key_span,
                            &message,
                            Some("write `[[hook]]`, and the event below it"),
                        );
                    }
                    (key, _) => {
                        let message = format!("unknown key `{key}`");
                        report.add("", &field.key_span, &message, Some(&hint_for(key, &["hook"])));
                    }
                }
            }
            hooks
        }
        // A TOML document is a table; should it ever be something else, that is no reason to run without hooks.
        (Notation::Toml, other) => {
            let message = format!("expected a table, found {}", notation.type_of(&other));
            report.add("", &root.span, &message, None);
            Vec::new()
        }
    }
}
