//! Configuration files: reading, validating, layering and compiling them.

pub(crate) mod bounds;
pub(crate) mod build;
pub(crate) mod compiled;
pub(crate) mod configured;
pub(crate) mod content;
pub(crate) mod default_file;
pub(crate) mod fields;
pub(crate) mod format;
pub(crate) mod hook;
pub(crate) mod hook_files;
pub(crate) mod json_list;
pub(crate) mod keys;
pub(crate) mod layer;
pub(crate) mod layered;
pub(crate) mod learn;
pub(crate) mod managed;
pub(crate) mod mcp;
pub(crate) mod monitor;
pub(crate) mod notify;
pub(crate) mod paths;
pub(crate) mod problem;
pub(crate) mod read_file;
pub(crate) mod reader;
pub(crate) mod reference;
pub(crate) mod rewrite;
pub(crate) mod rule;
pub(crate) mod schema;
pub(crate) mod serialize;
pub(crate) mod toml_file;
pub(crate) mod trail;
pub(crate) mod tree;
pub(crate) mod undo;
pub(crate) mod written_for;

use self::{
    bounds::Bounds,
    build::{Setup, entry},
    compiled::Cache,
    content::FileContent,
    format::Notation,
    hook::HookDefinition,
    layer::Layer,
    managed::{MANAGED_FILE, exposed, is_cut_off},
    problem::{ConfigError, Problem, ProblemCollector},
    reader::{Checks, ConfigReader},
};
use crate::builtin::Guard;
use checkrein_core::{Dispatcher, EventName, ToolCall};
use checkrein_guard::{AllowRule, Exception, Grade, Rule};
use std::path::{Path, PathBuf};

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
/// # Ok::<(), checkrein::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) layer: Layer,
    pub(crate) path: PathBuf,
    pub(crate) directory: PathBuf,
    pub(crate) content: FileContent,
    /// A digest of its text, which tells policies apart.
    pub(crate) digest: String,
}

impl Config {
    /// Reads the file at `path`: TOML, or mini-coding-agent's JSON list, whatever its name says.
    ///
    /// The whole of it is checked, whichever event is to be answered: so a mistake in a hook for another event is
    /// found at once.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::load_as(Layer::Flag, path)
    }

    /// Reads the file at `path` as a file of `layer`.
    pub fn load_as(layer: Layer, path: &Path) -> Result<Self, ConfigError> {
        let bytes = read_file::read_within(path, Bounds::of(layer).file)
            .map_err(|error| Problem::of_file(path, error))?;
        Self::understand(layer, path, &bytes, Checks::All)
    }

    /// Refuses the administrator's file of this machine if other users can change it. A file that a caller names as managed is
    /// the caller's choice, and is not checked.
    fn is_closed(layer: Layer, path: &Path) -> Result<(), ConfigError> {
        let is_of_the_machine = layer == Layer::Managed && path == Path::new(MANAGED_FILE);
        // Where no file is, nothing is bound, and most machines have none.
        if !is_of_the_machine {
            return Ok(());
        }
        if path.symlink_metadata().is_err() {
            let error =
                || Problem::of_file(path, "its directory is not a directory, so its content is unknown");
            return if is_cut_off(path) { Err(error().into()) } else { Ok(()) };
        }
        exposed(path).map_or(Ok(()), |exposed| Err(Problem::of_file(path, exposed).into()))
    }

    /// Reads the file at `path` as a file of `layer`; returns `None` if there is no file.
    pub(crate) fn load_if_there(layer: Layer, path: &Path) -> Result<Option<Self>, ConfigError> {
        Self::is_closed(layer, path)?;
        match read_file::read_within(path, Bounds::of(layer).file) {
            Ok(bytes) => Self::understand(layer, path, &bytes, Checks::All).map(Some),
            Err(read_file::ReadFileError::Missing) => Ok(None),
            Err(error) => Err(Problem::of_file(path, error).into()),
        }
    }

    /// Reads only the hooks that may concern an event, from `cache` if that is up to date.
    pub(crate) fn load_for(
        cache: Option<&Cache>,
        (layer, path): (Layer, &Path),
        (event, call): (EventName, Option<&ToolCall>),
    ) -> Result<Option<Self>, ConfigError> {
        Self::is_closed(layer, path)?;
        // Every program of the user can write to the cache, so the managed layer is not cached.
        let cache = cache.filter(|_| layer != Layer::Managed);
        if let Some(config) = cache.and_then(|cache| cache.read(layer, path, event, call)) {
            return Ok(Some(config));
        }
        let mut read = read_file::read_with_state(path, Bounds::of(layer).file);
        if let (Err(read_file::ReadFileError::Missing), Some(cache)) = (&read, cache)
            && cache.knows(layer, path)
        {
            // An editor may take a file away before it puts another in its place.
            read = read_file::read_that_was_there(path, Bounds::of(layer).file);
            if let Err(read_file::ReadFileError::Missing) = read {
                cache.forget(layer, path);
            }
        }
        let (bytes, stat) = match read {
            Ok(read) => read,
            Err(read_file::ReadFileError::Missing) if layer != Layer::Flag => return Ok(None),
            Err(error) => return Err(Problem::of_file(path, error).into()),
        };
        // Without a cache they would be examined again with every event.
        let checks = if cache.is_some() { Checks::All } else { Checks::WithoutExamples };
        let mut config = Self::understand(layer, path, &bytes, checks)?;
        if let Some(cache) = cache {
            // A cache that cannot be written costs time and nothing else.
            let _ = cache.write(&config, &stat);
        }
        let content = &mut config.content;
        content.hooks.retain(|hook| hook.event == event && hook.asked().covers(call));
        if !needs_rules(event, call) {
            content.rules.clear();
            content.exceptions.clear();
            content.allow_rules.clear();
        }
        Ok(Some(config))
    }

    /// Returns the words that name what the hooks of the file at `path` run; `None` if that is not known.
    pub(crate) fn words_of(layer: Layer, path: &Path, limit: u64) -> Option<Vec<String>> {
        let bytes = read_file::read_within(path, limit).ok()?;
        let config = Self::understand(layer, path, &bytes, Checks::WithoutExamples).ok()?;
        Some(hook_files::words(&config.content.hooks, config.directory()))
    }

    fn understand(layer: Layer, path: &Path, bytes: &[u8], checks: Checks) -> Result<Self, ConfigError> {
        if layer == Layer::Project && read_file::leads_out_of_its_project(path) {
            return Err(Problem::of_file(path, read_file::ReadFileError::Elsewhere).into());
        }
        // An editor may have emptied it before writing it again, so this must not lead to a run without hooks.
        if read_file::is_empty_text(bytes) {
            return Err(Problem::of_file(path, read_file::ReadFileError::Empty).into());
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse_with(layer, text, path, checks),
            Err(error) => {
                let text = String::from_utf8_lossy(bytes);
                let mut report = ProblemCollector::new(path, &text);
                let at = error.valid_up_to();
                report.add_syntax(&(at..at + 1), "the text is not UTF-8 from here on");
                match report.finish() {
                    Err(problems) => Err(problems),
                    Ok(()) => Err(Problem::of_file(path, "the text is not UTF-8").into()),
                }
            }
        }
    }

    /// Reads `text` as if it were in the file at `path`, which need not exist.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        Self::parse_as(Layer::Flag, text, path)
    }

    /// Reads `text` as a file of `layer` at `path`, which need not exist.
    pub fn parse_as(layer: Layer, text: &str, path: &Path) -> Result<Self, ConfigError> {
        Self::parse_with(layer, text, path, Checks::All)
    }

    fn parse_with(layer: Layer, text: &str, path: &Path, checks: Checks) -> Result<Self, ConfigError> {
        let directory = directory_of(path)?;
        let limit = Bounds::of(layer).file;
        if text.len() as u64 > limit {
            return Err(Problem::of_file(path, read_file::ReadFileError::TooLarge(limit)).into());
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut report = ProblemCollector::new(path, text);
        let notation = if json_list::is_json(text) { Notation::Json } else { Notation::Toml };
        let root = match notation {
            Notation::Toml => toml_file::parse(text, &mut report),
            Notation::Json => json_list::parse(text, &mut report),
        };
        let mut reader = ConfigReader::new(&mut report, notation, layer, checks);
        let content = root.map(|root| reader.file(root)).unwrap_or_default();
        report.finish()?;
        Ok(Self { layer, path: path.to_owned(), directory, content, digest: trail::digest(text) })
    }

    /// The layer that it belongs to.
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// Returns a digest of its text, which tells versions of it apart.
    pub fn hash(&self) -> &str {
        &self.digest
    }

    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the directory of the file, against which programs are resolved: the one in which the file was *named*.
    /// A link to a file elsewhere does not move it, just as for scripts next to the link.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Its rules, in the order in which they are written, with ids that begin with its layer.
    pub fn rules(&self) -> &[Rule] {
        &self.content.rules
    }

    /// Returns them as JSON, with every key as the configuration names it.
    pub fn rules_as_json(&self) -> impl Iterator<Item = serde_json::Value> {
        self.content.rules.iter().map(rule::to_json)
    }

    /// Its exceptions, in the order in which they are written.
    pub fn exceptions(&self) -> &[Exception] {
        &self.content.exceptions
    }

    /// Returns them as JSON, with every key as the configuration names it.
    pub fn exceptions_as_json(&self) -> impl Iterator<Item = serde_json::Value> {
        self.content.exceptions.iter().map(rule::exception_to_json)
    }

    /// Its allow_rules, in the order in which they are written.
    pub fn allow_rules(&self) -> &[AllowRule] {
        &self.content.allow_rules
    }

    /// Returns them as JSON, with every key as the configuration names it.
    pub fn allow_rules_as_json(&self) -> impl Iterator<Item = serde_json::Value> {
        self.content.allow_rules.iter().map(rule::allow_rule_to_json)
    }

    /// Its grades, in the order in which they are written.
    pub fn grades(&self) -> &[Grade] {
        &self.content.grades
    }

    /// Returns them as JSON, with every key as the configuration names it.
    pub fn grades_as_json(&self) -> impl Iterator<Item = serde_json::Value> {
        self.content.grades.iter().map(rule::grade_to_json)
    }

    /// All hooks, in the order in which they are written.
    pub fn dispatcher(&self, setup: &Setup) -> Dispatcher {
        self.build(self.content.hooks.iter(), setup)
    }

    /// Only the hooks of one event: what a process needs that answers one event and ends.
    pub fn for_event(&self, event: EventName, setup: &Setup) -> Dispatcher {
        self.build(self.content.hooks.iter().filter(|hook| hook.event == event), setup)
    }

    fn build<'a>(&self, hooks: impl Iterator<Item = &'a HookDefinition>, setup: &Setup) -> Dispatcher {
        let mut dispatcher = Dispatcher::new();
        for hook in hooks {
            dispatcher.add(entry(hook, &hook.program, &self.directory, setup));
        }
        dispatcher
    }
}

/// Returns true if rules can apply to an event: the guard judges calls that can still be prevented.
pub(crate) fn needs_rules(event: EventName, call: Option<&ToolCall>) -> bool {
    call.is_some() && Guard::EVENTS.contains(&event)
}

/// The absolute directory of a file, without a look at the disk.
pub(crate) fn directory_of(path: &Path) -> Result<PathBuf, ConfigError> {
    let unknown = |error| {
        Problem::of_file(path, format_args!("the directory of the configuration is unknown: {error}"))
    };
    let absolute = std::path::absolute(path).map_err(unknown)?;
    Ok(absolute.parent().unwrap_or(&absolute).to_owned())
}
