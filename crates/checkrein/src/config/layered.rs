//! Merges the layers: which hooks are active, and why others are not.

use crate::{
    config::{
        Config,
        bounds::PROJECT_FILES,
        build::Setup,
        compiled::Cache,
        configured::{ConfiguredHook, HookStatus},
        content::Settings,
        hook::HookDefinition,
        layer::{ExceptionPolicy, Layer, Unattended, Untrusted},
        learn::LearnSettings,
        mcp::McpSettings,
        monitor::{self, MonitorMode, Monitored},
        paths::Places,
        problem::{ConfigError, Problem},
        rule::in_our_words,
        trail::TrailSettings,
        undo::UndoSettings,
    },
    notify::NotifySettings,
    rewrites::{Kind, Mode, Replace},
    secrets::{
        handles::table::Handle,
        settings::{OutputRule, PromptRule},
    },
    trust::{Content, Hashed, Store, TrustState},
};
use checkrein_core::SmallSort as _;
use checkrein_core::{Decision, Dispatcher, EventName, ToolCall};
use checkrein_guard::{AllowRule, Exception, Grade, Rule};
use std::path::Path;

/// The configuration of every layer that is there, the one with the most authority first.
#[derive(Clone, Debug, Default)]
pub struct LayeredConfig {
    configs: Vec<Config>,
    store: Option<Store>,
}

impl LayeredConfig {
    /// Reads every layer. A file that does not exist is not a layer; a broken one makes the whole configuration broken,
    /// since what it would have denied is unknown.
    pub fn load(places: &Places) -> Result<Self, ConfigError> {
        Self::load_each(places, |layer, path| match layer {
            Layer::Flag => Config::load_as(layer, path).map(Some),
            Layer::Managed | Layer::User | Layer::Project => Config::load_if_there(layer, path),
        })
    }

    /// Loads only the hooks that may concern one event, for a process that answers just that. Files that were read
    /// before and have not changed are not read again.
    pub fn load_for(places: &Places, event: EventName, call: Option<&ToolCall>) -> Result<Self, ConfigError> {
        let cache = places.state.as_deref().map(Cache::new);
        Self::load_each(places, |layer, path| Config::load_for(cache.as_ref(), (layer, path), (event, call)))
    }

    fn load_each(
        places: &Places,
        load: impl Fn(Layer, &Path) -> Result<Option<Config>, ConfigError>,
    ) -> Result<Self, ConfigError> {
        let mut configs = Vec::new();
        let mut problems: Option<ConfigError> = None;
        let mut take = |read: Result<Option<Config>, ConfigError>| match read {
            Ok(config) => configs.extend(config),
            Err(more) => match &mut problems {
                Some(problems) => problems.append(more),
                None => problems = Some(more),
            },
        };
        let managed = places.managed.iter().map(|path| (Layer::Managed, path));
        let user = places.user.iter().map(|path| (Layer::User, path));
        let projects = places.projects.iter().map(|path| (Layer::Project, path));
        let flag = places.flag.iter().map(|path| (Layer::Flag, path));
        if let Some(file) = places.projects.get(PROJECT_FILES) {
            let many = format!(
                "the {}th configuration file of this project, which may have {PROJECT_FILES}",
                PROJECT_FILES + 1
            );
            take(Err(ConfigError::from(Problem::of_file(file, many)).of_layer(Layer::Project)));
        }
        for (layer, path) in managed.chain(user).chain(projects.take(PROJECT_FILES)).chain(flag) {
            take(load(layer, path).map_err(|problems| problems.of_layer(layer)));
        }
        match problems {
            Some(problems) => Err(problems),
            None => Ok(Self { configs, store: places.state.as_deref().map(Store::new) }),
        }
    }

    /// Loads all layers that are not broken, for a user who has allowed that. The managed layer must be whole.
    pub fn load_what_is_whole(places: &Places) -> Result<Self, ConfigError> {
        let mut whole = Self::load(&Places { managed: places.managed.clone(), ..Places::default() })?;
        let each = [
            places
                .user
                .iter()
                .map(|user| Places { user: Some(user.clone()), ..Places::default() })
                .collect::<Vec<_>>(),
            places
                .projects
                .iter()
                .map(|file| Places { projects: vec![file.clone()], ..Places::default() })
                .collect(),
            places.flag.iter().map(|file| Places { flag: Some(file.clone()), ..Places::default() }).collect(),
        ];
        for places in each.iter().flatten() {
            if let Ok(layer) = Self::load(places) {
                whole.configs.extend(layer.configs);
            }
        }
        whole.store = places.state.as_deref().map(Store::new);
        Ok(whole)
    }

    /// A stack of these configurations, in this order.
    pub fn new(configs: Vec<Config>, store: Option<Store>) -> Self {
        Self { configs, store }
    }

    /// The layers of both, in the order of authority.
    #[must_use]
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.configs.extend(other.configs);
        // The order within a layer stays.
        self.configs.small_sort_by_key(Config::layer);
        self.store = other.store.or(self.store);
        self
    }

    /// Returns true if there is no configuration at all.
    pub fn is_empty(&self) -> bool {
        self.configs.is_empty()
    }

    /// The files, in the order of authority.
    pub fn configs(&self) -> &[Config] {
        &self.configs
    }

    /// The rules of every layer, the one with the most authority first. They can only make answers stricter, so those of
    /// an untrusted project are among them; but their texts are left out, since these would go to models and into
    /// questions.
    pub fn rules(&self) -> Vec<Rule> {
        self.configs
            .iter()
            .flat_map(|config| config.content.rules.iter().map(|rule| as_asked(config, rule)))
            .collect()
    }

    /// A rule of a layer as it is written, for a user who wants to read it; `None` for one that is built in.
    pub fn as_written(&self, rule: &Rule) -> Option<&Rule> {
        self.written(rule).map(|(_, written)| written)
    }

    fn written(&self, rule: &Rule) -> Option<(&Config, &Rule)> {
        let all =
            self.configs.iter().flat_map(|config| config.content.rules.iter().map(move |own| (config, own)));
        all.into_iter().find(|(config, own)| own.id == rule.id && as_asked(config, own) == *rule)
    }

    /// The exceptions that count: those of every layer, unless a higher one refuses them.
    pub fn exceptions(&self) -> Vec<Exception> {
        self.heeded().flat_map(|config| config.content.exceptions.iter().cloned()).collect()
    }

    /// The allow rules that are active.
    pub fn allow_rules(&self) -> Vec<AllowRule> {
        self.heeded().flat_map(|config| config.content.allow_rules.iter().cloned()).collect()
    }

    /// Returns the grades that count. A layer above that refuses exceptions refuses milder decisions as well.
    pub fn grades(&self) -> Vec<Grade> {
        let counts = |config: &Config, grade: &Grade| {
            grade.decision == Decision::Deny || self.refused_by(config).is_none()
        };
        let all = self
            .configs
            .iter()
            .flat_map(|config| config.content.grades.iter().map(move |grade| (config, grade)));
        all.filter(|(config, grade)| counts(config, grade)).map(|(_, grade)| grade.clone()).collect()
    }

    /// Returns the monitor mode of every file that has one, also where it does not count.
    pub fn monitor_modes(&self) -> Vec<MonitorMode<'_>> {
        monitor::modes(&self.configs, crate::today())
    }

    /// Returns the notifications of each layer that has some.
    pub(crate) fn notify(&self) -> impl Iterator<Item = (Layer, &NotifySettings)> {
        self.configs
            .iter()
            .filter_map(|config| Some((config.layer, config.content.settings.notify.as_ref()?)))
    }

    /// Returns the modes of the built-in rewrites.
    pub(crate) fn rewrite_modes(&self) -> Vec<(Kind, Mode)> {
        super::rewrite::modes(&self.configs)
    }

    /// Returns the replacements of every layer, those with the most authority first.
    pub(crate) fn replaces(&self) -> Vec<Replace> {
        self.configs.iter().flat_map(|config| config.content.settings.rewrite.replaces.clone()).collect()
    }

    /// Returns the layer that does not let the user's file switch on monitor mode.
    pub fn monitor_refused(&self) -> Option<Layer> {
        monitor::refused(&self.configs, Layer::User)
    }

    /// Returns whether there is a file of the administrator.
    pub fn has_managed(&self) -> bool {
        self.configs.iter().any(|config| config.layer == Layer::Managed)
    }

    /// Returns what is only recorded today.
    pub(crate) fn monitored(&self) -> Monitored {
        // Hardly anybody has any, and a clock takes time to read.
        match self.configs.iter().any(|config| config.content.settings.monitor.is_some()) {
            true => Monitored::of(&self.monitor_modes()),
            false => Monitored::default(),
        }
    }

    /// Returns the handling of permissions that a user gives at a terminal, and of exceptions.
    pub fn exception_policy(&self) -> ExceptionPolicy {
        self.configs.iter().map(|config| config.content.settings.exceptions).max().unwrap_or_default()
    }

    /// Returns the settings of the trail, from all layers.
    pub fn trail(&self) -> TrailSettings {
        TrailSettings::of(&self.configs.iter().map(|config| &config.content.settings))
    }

    /// Returns the settings of undo, from all layers.
    pub fn undo(&self) -> UndoSettings {
        UndoSettings::of(&self.configs.iter().map(|config| &config.content.settings))
    }

    /// Returns the settings of the memory of failures, from all layers.
    pub fn learning(&self) -> LearnSettings {
        LearnSettings::of(&self.configs.iter().map(|config| &config.content.settings))
    }

    /// Returns the store of what a user trusts.
    pub(crate) const fn trust_store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Reads every file again, whole: for one event only a part of each is read. `None` if one of them is broken or gone.
    pub(crate) fn whole(&self) -> Option<Self> {
        let read = |config: &Config| Config::load_if_there(config.layer, &config.path).ok().flatten();
        let configs = self.configs.iter().map(read).collect::<Option<Vec<Config>>>()?;
        Some(Self { configs, store: self.store.clone() })
    }

    /// Returns true if nothing in the files of projects waits for a user's trust.
    pub(crate) fn trusts_projects(&self) -> bool {
        let is_trusted = |row: &ConfiguredHook<'_>| {
            row.config.layer != Layer::Project
                || matches!(row.status, HookStatus::Active | HookStatus::Disabled { .. })
        };
        self.rows(None).iter().all(is_trusted) && self.untrusted_disables().is_empty()
    }

    /// Returns a digest of the policy that changes with the program and with every file of it.
    pub fn policy_hash(&self) -> String {
        // The file with the most authority comes first.
        let files = self.configs.iter().map(|config| config.digest.as_str());
        let names: Vec<&str> = std::iter::once(env!("CARGO_PKG_VERSION")).chain(files).collect();
        super::trail::digest(&names.join(" "))
    }

    /// Returns what MCP servers may do.
    pub fn mcp(&self) -> McpSettings {
        McpSettings::of(&self.configs.iter().map(|config| &config.content.settings))
    }

    /// Returns the handling of a question when no user is there.
    pub fn unattended(&self) -> Unattended {
        let said = self.configs.iter().filter_map(|config| config.content.settings.unattended);
        said.max().unwrap_or(Unattended::Deny)
    }

    /// Returns whether a session begins with a line about what is active.
    pub fn greets(&self) -> bool {
        !self.configs.iter().any(|config| config.content.settings.no_greeting)
    }

    /// The layer that refuses what a configuration excepts and allows.
    pub fn refused_by(&self, config: &Config) -> Option<Layer> {
        let mut above = self.configs.iter().filter(|other| other.layer < config.layer);
        above
            .find(|other| other.content.settings.exceptions == ExceptionPolicy::Refuse)
            .map(|other| other.layer)
    }

    fn heeded(&self) -> impl Iterator<Item = &Config> {
        self.configs.iter().filter(|config| self.refused_by(config).is_none())
    }

    /// Returns the file that defines an exception.
    pub fn file_of_exception(&self, exception: &Exception) -> Option<&Path> {
        self.configs.iter().find(|config| config.content.exceptions.contains(exception)).map(Config::path)
    }

    /// Returns the file that defines a rule of a layer; `None` for a built-in one.
    pub fn file_of(&self, rule: &Rule) -> Option<&Path> {
        self.written(rule).map(|(config, _)| config.path())
    }

    /// Returns the handling of hooks that are not trusted.
    pub fn untrusted(&self) -> Untrusted {
        self.configs.iter().map(|config| config.content.settings.untrusted).max().unwrap_or_default()
    }

    /// Returns whether a setting of the managed layer alone decides.
    pub(crate) fn is_managed(&self, decides: impl Fn(&Settings) -> bool) -> bool {
        let managed = self.configs.iter().filter(|config| config.layer == Layer::Managed);
        managed.into_iter().any(|config| decides(&config.content.settings))
    }

    /// Returns the handling of a prompt with a secret.
    pub(crate) fn secrets_prompt(&self) -> PromptRule {
        self.configs.iter().map(|config| config.content.settings.secrets.prompt).max().unwrap_or_default()
    }

    /// Returns the programs that may be given a secret, in addition to the built-in ones.
    pub(crate) fn secret_handles(&self) -> Vec<Handle> {
        self.configs.iter().flat_map(|config| config.content.settings.secrets.handles.clone()).collect()
    }

    /// Returns the rule for secrets in results.
    pub(crate) fn secrets_output(&self) -> OutputRule {
        self.configs
            .iter()
            .filter_map(|config| config.content.settings.secrets.output)
            .max()
            .unwrap_or_default()
    }

    /// Returns names that a layer lists as disabled and may not disable, or that do not exist.
    pub fn void_disables(&self) -> Vec<(&Config, &str)> {
        let taken = |config: &Config, name: &str| {
            let mut above = self.configs.iter().filter(|other| other.layer < config.layer);
            self.may_disable(config)
                && above.any(|other| {
                    other.content.hooks.iter().any(|hook| hook.overridable && hook.label() == name)
                })
        };
        let listed = self
            .configs
            .iter()
            .flat_map(|config| config.content.settings.disable.iter().map(move |name| (config, name)));
        listed
            .filter(|(config, name)| !taken(config, name))
            .map(|(config, name)| (config, name.as_str()))
            .collect()
    }

    /// Every hook of `event`, or of all events, in the order in which they run.
    pub fn rows(&self, event: Option<EventName>) -> Vec<ConfiguredHook<'_>> {
        let mut rows = Vec::new();
        let mut hashed = Hashed::default();
        for config in &self.configs {
            for definition in &config.content.hooks {
                if event.is_none_or(|event| definition.event == event) {
                    rows.push(self.row(config, definition, &mut hashed));
                }
            }
        }
        rows
    }

    fn row<'a>(
        &'a self,
        config: &'a Config,
        definition: &'a HookDefinition,
        hashed: &mut Hashed,
    ) -> ConfiguredHook<'a> {
        let mut row = ConfiguredHook {
            config,
            definition,
            status: HookStatus::Active,
            uncovered: Vec::new(),
            program: definition.program.clone(),
        };
        if let Some(by) = self.disabled_by(config, definition) {
            row.status = HookStatus::Disabled { by };
        } else if config.layer == Layer::Project {
            match self.trust(&row, hashed) {
                Ok(Some((TrustState::Trusted(program), content))) => {
                    row.program = program;
                    row.uncovered = content.uncovered.into_iter().map(|uncovered| uncovered.word).collect();
                }
                Ok(None | Some((TrustState::Never, _))) => row.status = HookStatus::Untrusted,
                Ok(Some((TrustState::Changed(what), _))) => row.status = HookStatus::Changed(what),
                Err(error) => row.status = HookStatus::Unreadable(error.to_string()),
            }
        }
        row
    }

    fn disabled_by(&self, config: &Config, definition: &HookDefinition) -> Option<Layer> {
        let below = self.configs.iter().filter(|other| other.layer > config.layer);
        let label = definition.overridable.then(|| definition.label())?;
        below
            .filter(|other| other.content.settings.disable.contains(&label) && self.may_disable(other))
            .map(|other| other.layer)
            .next()
    }

    /// Returns true if a layer may disable what it lists: a project needs a user's trust for that too.
    fn may_disable(&self, config: &Config) -> bool {
        config.layer != Layer::Project
            || self.store.as_ref().is_some_and(|store| {
                let content = Content::of_disable(&config.path, &config.content.settings.disable);
                content.is_ok_and(|content| matches!(store.look(&content), Ok(TrustState::Trusted(_))))
            })
    }

    /// Returns the lists of hooks to disable of projects that the user has not trusted.
    pub fn untrusted_disables(&self) -> Vec<std::io::Result<Content>> {
        let listed = self
            .configs
            .iter()
            .filter(|config| !config.content.settings.disable.is_empty() && !self.may_disable(config));
        listed.map(|config| Content::of_disable(&config.path, &config.content.settings.disable)).collect()
    }

    /// Returns the trust in a hook and the files that it is made of; `None` if no hook of that name was ever trusted.
    /// The files of an unknown project are not even read then.
    fn trust(
        &self,
        row: &ConfiguredHook<'_>,
        hashed: &mut Hashed,
    ) -> std::io::Result<Option<(TrustState, Content)>> {
        let Some(store) = &self.store else { return Ok(None) };
        if !store.knows(&row.identity()?)? {
            return Ok(None);
        }
        let content = Content::digests(row.definition, row.config.path(), row.config.directory(), hashed)?;
        Ok(Some((store.look(&content)?, content)))
    }

    /// Returns the configured hooks of `event`, or of all events, that run, and those of projects that do not, without
    /// anything built in. [`Policy`](crate::Policy) assembles what answers an agent.
    pub fn dispatcher(
        &self,
        event: Option<EventName>,
        setup: &Setup,
    ) -> (Dispatcher, Vec<ConfiguredHook<'_>>) {
        let mut dispatcher = Dispatcher::new();
        let mut skipped = Vec::new();
        for row in self.rows(event) {
            match row.status {
                HookStatus::Active => dispatcher.add(row.entry(setup)),
                HookStatus::Disabled { .. } => {}
                HookStatus::Untrusted | HookStatus::Changed(_) | HookStatus::Unreadable(_) => {
                    skipped.push(row);
                }
            }
        }
        (dispatcher, skipped)
    }
}

/// Returns a rule as the guard gets it.
fn as_asked(config: &Config, rule: &Rule) -> Rule {
    match config.layer {
        Layer::Project => in_our_words(rule),
        Layer::Managed | Layer::User | Layer::Flag => rule.clone(),
    }
}
