//! `checkrein init`: installs checkrein into the agents on this machine.

mod managed_files;
mod preset;

use crate::{
    args::Init,
    authority::Authority,
    exit::ExitStatus,
    install::{
        self,
        agents::{Agent, Scope},
        plan::{self, Planned},
        program,
        write::Lock,
    },
    policy,
    term::{confirm, data, out, style, wrap::fitted},
};
use anyhow::{Context, bail};
use checkrein::{EventName, Layer, LayeredConfig, Places, Session, variable};
use checkrein_hosts::install::{Missing, Wanted, install as entries_alone, recipes};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Tells the user what is kept from now on, and how to turn that off.
const KEPT: &str = "From now on one redacted line per event is kept on this machine for 30 days, never prompts or outputs: `checkrein log` shows \
                    them, `trail = \"off\"` in your configuration turns it off.";

pub(crate) fn run(init: &Init, authority: &Authority) -> anyhow::Result<ExitStatus> {
    if init.managed {
        return managed_files::print(init);
    }
    if !init.preset.is_empty() && init.print {
        preset::print(&init.preset);
        return Ok(ExitStatus::Success);
    }
    let status = agents(init, authority)?;
    if init.preset.is_empty() || status != ExitStatus::Success {
        return Ok(status);
    }
    out!("");
    preset::add(&init.preset, init.dry_run, authority)
}

/// Sets up the agents.
fn agents(init: &Init, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let state = Places::of(variable).state.context("HOME is not set; cannot store the backup")?;
    let program = program::stable()?;
    let agents = install::chosen(&init.target)?;
    if agents.is_empty() {
        bail!(
            "no supported agent found: none of these is on PATH or has a settings directory: {}\n\nhint: name one with `--agent`, for \
             example `checkrein init --agent claude`",
            recipes().map(|recipe| format!("`{}`", recipe.program)).collect::<Vec<_>>().join(", ")
        );
    }
    let scope = install::scope(&init.target);
    let missing = if init.require { Missing::Block } else { Missing::Warn };
    let setup = Setup { agents, scope, program, missing, configured: configured(scope), state };
    if init.print {
        setup.print(init.json)?;
        return Ok(ExitStatus::Success);
    }
    let planned = setup.plan();
    let changes = planned.iter().filter(|planned| planned.change().is_some()).count();
    let only_adds = planned.iter().all(Planned::only_adds);
    if !init.json && changes > 0 {
        setup.summarize(&planned);
        // Of a change to existing entries the user sees every line before they confirm it.
        if init.dry_run || !only_adds {
            install::show(&planned);
        }
    }
    install::complain(&planned);
    setup.print_for_read_only(&planned)?;
    let unfit = program::unfit(&setup.program);
    if unfit.is_none()
        && let Some(doubt) = program::doubt(&setup.program)
    {
        crate::term::err!("warning: {}", style::harmless(&doubt));
    }
    let undone = planned.iter().any(|planned| planned.outcome.is_err());
    if changes == 0 || init.dry_run {
        if let Some(unfit) = &unfit {
            crate::term::err!("warning: {}; {}", style::harmless(&unfit.to_string()), unfit.fix());
        }
        setup.tell(init, &planned, &Done::Nothing)?;
        return Ok(ExitStatus::success_if(!undone));
    }
    if let Some(unfit) = unfit {
        bail!("{unfit}; nothing was written\n\nhint: {}", unfit.fix());
    }
    let agreed = match (only_adds, init.yes) {
        (true, true) => true,
        (true, false) => confirm::agrees("Write these changes?", || install::show(&planned))?,
        (false, _) => authority.confirms("This changes existing entries. Write these changes?")?,
    };
    if !agreed {
        out!("Nothing was written.");
        return Ok(ExitStatus::Failure);
    }
    let (written, failed) = setup.write(&planned)?;
    setup.tell(init, &planned, &Done::Written(written))?;
    Ok(ExitStatus::success_if(!undone && !failed))
}

/// Everything that determines the new content of the files.
struct Setup {
    agents: Vec<Agent>,
    scope: Scope,
    program: PathBuf,
    /// The behaviour of a project's entries where the program is missing.
    missing: Missing,
    configured: Vec<EventName>,
    state: PathBuf,
}

enum Done {
    Nothing,
    Written(Vec<Written>),
}

/// A file that was written, and its backup.
struct Written {
    path: PathBuf,
    backup: Option<PathBuf>,
}

/// The entries of one file alone.
pub(super) struct Snippet {
    pub(super) agent: &'static str,
    pub(super) title: &'static str,
    pub(super) file: PathBuf,
    pub(super) text: String,
}

impl Snippet {
    /// Prints the texts on stdout, and on stderr where each belongs; or everything as one JSON object.
    pub(super) fn print(snippets: &[Self], as_json: bool) {
        if as_json {
            let one = |snippet: &Self| json!({"agent": snippet.agent, "path": snippet.file.to_string_lossy(), "content": snippet.text});
            let files: Vec<Value> = snippets.iter().map(one).collect();
            data!("{}", style::json(json!({"files": files})));
            return;
        }
        for snippet in snippets {
            crate::term::err!("{}: {}", snippet.title, shown(&snippet.file));
            data!("{}", snippet.text.trim_end());
        }
    }
}

impl Setup {
    fn plan(&self) -> Vec<Planned> {
        let one = |agent: &Agent| plan::to_install(agent, self.scope, &self.wanted(agent), &self.state);
        self.agents.iter().flat_map(one).collect()
    }

    fn wanted(&self, agent: &Agent) -> Vec<Wanted> {
        let program = self.program.to_string_lossy();
        let (recipe, version) = (agent.recipe, agent.version);
        let judges_prompts = self.configured.contains(&EventName::UserPromptSubmit);
        let one = |fired| {
            let wanted = match self.scope {
                Scope::User => Wanted::new(recipe, version, fired, &program),
                // Colleagues have the program elsewhere, or not at all.
                Scope::Project => Wanted::shared(recipe, version, fired, self.missing),
            };
            if judges_prompts { wanted.for_judged_prompts(recipe, version) } else { wanted }
        };
        Wanted::with_companions(recipe, recipe.registered(version, &self.configured).map(one).collect())
    }

    /// Returns the entries of an agent alone, each file with its path. The existing files are not read.
    fn entries_of(&self, agent: &Agent) -> anyhow::Result<Vec<Snippet>> {
        let Some(place) = agent.place(self.scope) else { return Ok(Vec::new()) };
        let wanted = self.wanted(agent);
        let files = wanted.chunk_by(|one, next| one.file == next.file);
        let one = |wanted: &[Wanted]| {
            let file = wanted.first().map(|wanted| place.join(&wanted.file)).unwrap_or_default();
            let text = entries_alone("", agent.recipe, wanted)?.text;
            Ok(Snippet { agent: agent.recipe.host, title: agent.recipe.title, file, text })
        };
        files.map(one).collect()
    }

    /// Prints the entries for users who install them by other means.
    fn print(&self, as_json: bool) -> anyhow::Result<()> {
        if self.scope == Scope::User
            && let Some(unfit) = program::unfit(&self.program)
        {
            crate::term::err!("warning: {}; {}", style::harmless(&unfit.to_string()), unfit.fix());
        }
        let each = self.agents.iter().map(|agent| self.entries_of(agent));
        let snippets: Vec<Snippet> =
            each.collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten().collect();
        Snippet::print(&snippets, as_json);
        Ok(())
    }

    /// Prints the entries of files that cannot be written, for the tool that writes them.
    fn print_for_read_only(&self, planned: &[Planned]) -> anyhow::Result<()> {
        for planned in planned.iter().filter(|planned| planned.is_read_only) {
            let Some(agent) = self.agents.iter().find(|agent| agent.recipe.host == planned.recipe.host)
            else {
                continue;
            };
            let snippets = self.entries_of(agent)?;
            for snippet in snippets.iter().filter(|snippet| snippet.file == planned.path) {
                crate::term::err!("add this to what writes {}:", shown(&snippet.file));
                crate::term::err!("{}", snippet.text.trim_end());
            }
        }
        Ok(())
    }

    /// Prints what would change: a line per agent, what is started, and how to undo it.
    fn summarize(&self, planned: &[Planned]) {
        let say = |text: &str| fitted(text, 0).iter().for_each(|line| out!("{line}"));
        say("Checkrein will judge every tool call of these agents:");
        install::summary::show(planned);
        match (self.scope, self.missing) {
            (Scope::User, _) => say(&format!("The hooks run {}.", shown(&self.program))),
            (Scope::Project, Missing::Warn) => {
                say(
                    "The hooks run `checkrein` from the PATH; where it is missing, the user is warned and nothing is checked.",
                );
            }
            (Scope::Project, Missing::Block) => {
                say("The hooks run `checkrein` from the PATH; where it is missing, tool calls are blocked.");
            }
        }
        say("Nothing else in these files changes; `checkrein uninstall` restores them.");
    }

    /// Writes exactly the changes that were shown. Another process or the agent may have changed a file in the meantime.
    fn write(&self, shown: &[Planned]) -> anyhow::Result<(Vec<Written>, bool)> {
        let _lock = Lock::take(&self.state)?;
        let (mut done, mut failed) = (Vec::new(), false);
        for (shown, now) in shown.iter().zip(self.plan()) {
            let (Some(change), Ok(now)) = (shown.change(), &now.outcome) else { continue };
            let written = match now {
                None => continue,
                Some(now) if (&now.before, &now.after) == (&change.before, &change.after) => {
                    now.write(&self.state)
                }
                Some(_) => {
                    Err(anyhow::anyhow!("the file changed in the meantime; run `checkrein init` again"))
                }
            };
            match written {
                Ok(backup) => done.push(Written {
                    path: shown.path.clone(),
                    backup: backup.filter(|_| change.before.is_some()),
                }),
                Err(error) => {
                    failed = true;
                    let path = style::harmless(&shown.path.to_string_lossy());
                    crate::term::err!("checkrein: {path}: {}", style::lines(&format!("{error:#}")));
                }
            }
        }
        Ok((done, failed))
    }

    fn tell(&self, init: &Init, planned: &[Planned], done: &Done) -> anyhow::Result<()> {
        if init.json {
            return self.tell_json(planned, done);
        }
        let written: &[Written] = match done {
            Done::Nothing => &[],
            Done::Written(written) => written,
        };
        for planned in once(planned).filter(|planned| matches!(planned.outcome, Ok(None))) {
            out!("{} is already set up: {}", planned.recipe.title, shown(&planned.path));
        }
        for Written { path, backup } in written {
            out!("Written: {}", shown(path));
            if let Some(backup) = backup {
                out!("  backup: {}", shown(backup));
            }
        }
        for planned in planned {
            for line in &planned.handmade {
                out!(
                    "{}:{line} also runs checkrein, with a custom command; left unchanged",
                    shown(&planned.path)
                );
            }
        }
        if init.dry_run && planned.iter().any(|planned| planned.change().is_some()) {
            out!("Dry run: nothing was written.");
            return Ok(());
        }
        if !written.is_empty() {
            fitted(KEPT, 0).iter().for_each(|line| out!("{line}"));
        }
        let left = self.left_to_do(planned);
        if !left.is_empty() {
            out!("\nNext steps:");
            for line in left {
                fitted(&line, 2).iter().for_each(|line| out!("  {line}"));
            }
        }
        Ok(())
    }

    fn tell_json(&self, planned: &[Planned], done: &Done) -> anyhow::Result<()> {
        let status = |planned: &Planned| match (&planned.outcome, done) {
            (Err(_), _) => "broken",
            (Ok(None), _) => "unchanged",
            (Ok(Some(_)), Done::Nothing) => "would be written",
            (Ok(Some(_)), Done::Written(written)) => {
                if written.iter().any(|written| written.path == planned.path) {
                    "written"
                } else {
                    "not written"
                }
            }
        };
        let files: Vec<Value> =
            planned.iter().map(|planned| install::as_json(planned, status(planned))).collect();
        let program = self.program.to_string_lossy();
        data!(
            "{}",
            style::json(json!({"program": program, "files": files, "left_to_do": self.left_to_do(planned)}))
        );
        Ok(())
    }

    /// Returns the steps that only the user can do.
    fn left_to_do(&self, planned: &[Planned]) -> Vec<String> {
        let mut left = Vec::new();
        for planned in once(planned).filter(|planned| planned.outcome.is_ok()) {
            let title = planned.recipe.title;
            left.extend(planned.recipe.left_to_do.iter().map(|text| format!("{title}: {text}")));
            if self.scope == Scope::Project {
                left.push(format!("{title}: trust this project when asked; until then its hooks do not run"));
            }
        }
        left.push("run `checkrein doctor` to verify".to_owned());
        left
    }
}

/// Returns the first file of every agent.
fn once(planned: &[Planned]) -> impl Iterator<Item = &Planned> {
    planned.chunk_by(|one, next| one.recipe.host == next.recipe.host).filter_map(<[_]>::first)
}

fn shown(path: &Path) -> String {
    style::harmless(&path.to_string_lossy())
}

/// Returns the events that have configured hooks. A broken configuration counts as empty: every event reports it anyway.
fn configured(scope: Scope) -> Vec<EventName> {
    let cwd = std::env::current_dir().ok().map(|directory| directory.to_string_lossy().into_owned());
    let session = Session { cwd: cwd.filter(|_| scope == Scope::Project), ..Session::default() };
    let Ok(stack) = LayeredConfig::load(&policy::places(None, &session)) else { return Vec::new() };
    let here = |layer: Layer| scope == Scope::Project || layer != Layer::Project;
    stack.rows(None).iter().filter(|row| here(row.config.layer())).map(|row| row.event()).collect()
}
