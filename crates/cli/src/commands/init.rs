//! `checkrein init`: installs checkrein into the agents on this machine.

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
    term::{confirm, out, style},
};
use anyhow::{Context, bail};
use checkrein::{EventName, Layer, LayeredConfig, Places, Session, variable};
use checkrein_hosts::install::{Wanted, install as entries_alone, recipes};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) fn run(init: &Init, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let state = Places::of(variable).state.context("HOME is not set; cannot store the backup")?;
    let program = program::stable()?;
    let agents = install::chosen(&init.target)?;
    if agents.is_empty() {
        bail!(
            "no supported agent found: {} are not on PATH and have no settings directory; name one with `--agent`",
            recipes().map(|recipe| format!("`{}`", recipe.program)).collect::<Vec<_>>().join(" and ")
        );
    }
    let scope = install::scope(&init.target);
    let setup = Setup { agents, scope, program, configured: configured(scope), state };
    if init.print {
        setup.print()?;
        return Ok(ExitStatus::Success);
    }
    let planned = setup.plan();
    let changes = planned.iter().filter(|planned| planned.change().is_some()).count();
    if !init.json {
        install::show(&planned);
    }
    install::complain(&planned);
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
    let only_adds = planned.iter().all(Planned::only_adds);
    let agreed = match (only_adds, init.yes) {
        (true, true) => true,
        (true, false) => confirm::agrees("Write these changes?")?,
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

impl Setup {
    fn plan(&self) -> Vec<Planned> {
        let one = |agent: &Agent| plan::to_install(agent, self.scope, &self.wanted(agent), &self.state);
        self.agents.iter().flat_map(one).collect()
    }

    fn wanted(&self, agent: &Agent) -> Vec<Wanted> {
        let program = self.program.to_string_lossy();
        let fired = agent.recipe.registered(agent.version, &self.configured);
        fired.map(|fired| Wanted::new(agent.recipe, agent.version, fired, &program)).collect()
    }

    /// Prints the entries for users who install them by other means. The existing files are not read.
    fn print(&self) -> anyhow::Result<()> {
        if let Some(unfit) = program::unfit(&self.program) {
            crate::term::err!("warning: {}; {}", style::harmless(&unfit.to_string()), unfit.fix());
        }
        for agent in &self.agents {
            let Some(place) = agent.place(self.scope) else { continue };
            for wanted in self.wanted(agent).chunk_by(|one, next| one.file == next.file) {
                let file = wanted.first().map(|wanted| place.join(&wanted.file)).unwrap_or_default();
                crate::term::err!("{}: {}", agent.recipe.title, shown(&file));
                out!("{}", entries_alone("", agent.recipe, wanted)?.text.trim_end());
            }
        }
        Ok(())
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
        let left = self.left_to_do(planned);
        if !left.is_empty() {
            out!("\nNext steps:");
            for line in left {
                out!("  {line}");
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
        out!(
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
