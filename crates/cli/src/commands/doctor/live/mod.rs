//! `checkrein doctor --live`: tests the agents on this machine, offline, each in a sandbox, with canaries.
//!
//! Files show the configuration, but not what an agent really does. So it first checks everything that is
//! visible without starting the agent. Then it starts the agent, without a network, against a scripted
//! model that makes it try harmless calls: once under a copy of the user's own settings, which shows
//! whether *this* setup is protected, and then in scratch directories, which show how this version of the
//! agent handles our answers. The crate `checkrein-live` does the work; this module selects the agents,
//! draws the conclusion, and shows the findings.

mod own;
mod show;
mod verdict;

use super::{Report, chosen, of_agent, ours};
use crate::{
    args::Doctor,
    exit::ExitStatus,
    install::agents::Agent,
    term::{data, out, style},
};
use anyhow::{Context, bail};
use checkrein::variable;
use checkrein_live::{ALL, Proof, Sandbox, Subject, prove, prove_own};
use serde_json::json;
use verdict::Verdict;

/// An agent, its static report, and its proof.
struct Tried<'a> {
    subject: &'a Subject,
    setup: &'a Report,
    proof: &'a Proof,
    verdict: Verdict,
}

/// Tests the selected agents. Exit code 1 if one of them is not protected or does not do what it must.
pub(super) fn run(doctor: &Doctor) -> anyhow::Result<ExitStatus> {
    let sandbox = Sandbox::find()?;
    let (subjects, setups): (Vec<Subject>, Vec<Report>) =
        subjects(doctor, &chosen(doctor)?)?.into_iter().unzip();
    let titles: Vec<&str> = subjects.iter().map(|subject| subject.agent.title()).collect();
    crate::term::err!(
        "checkrein: starting {} with copies of your settings and without network access; this takes {}",
        titles.join(" and "),
        if doctor.quick { "a few seconds" } else { "about a minute" }
    );
    let ours = ours::report();
    let proofs = if doctor.quick { prove_own(&sandbox, &subjects) } else { prove(&sandbox, &subjects) };
    let tried: Vec<Tried<'_>> = subjects
        .iter()
        .zip(&setups)
        .zip(&proofs)
        .map(|((subject, setup), proof)| {
            let verdict = Verdict::of(&[setup, &ours], proof);
            Tried { subject, setup, proof, verdict }
        })
        .collect();
    let ok = tried.iter().all(|tried| tried.verdict.is_protected());
    if doctor.json {
        let agents: Vec<_> = tried.iter().map(show::json).collect();
        data!("{}", style::json(json!({"ok": ok, "checkrein": super::as_json(&ours), "agents": agents})));
    } else {
        for tried in &tried {
            show::verdict(tried);
        }
        out!();
        super::show(&ours);
        for tried in &tried {
            super::show(tried.setup);
            show::rows(tried);
        }
    }
    Ok(ExitStatus::success_if(ok))
}

/// Returns the agents that can be started here, each with its static report.
fn subjects(doctor: &Doctor, agents: &[Agent]) -> anyhow::Result<Vec<(Subject, Report)>> {
    let checkrein = std::env::current_exe().context("cannot find the path of this program")?;
    let path = variable("PATH").unwrap_or_default();
    let mut subjects = Vec::new();
    for found in agents {
        let Some(agent) = ALL.iter().find(|agent| agent.name() == found.recipe.host) else {
            // One that was not named is left out.
            if doctor.agents.is_empty() {
                continue;
            }
            bail!("{} cannot be started offline, so nothing can be proved here", found.recipe.title);
        };
        match &found.program {
            Some(program) => {
                let subject = Subject {
                    plugins: None,
                    agent: *agent,
                    program: program.clone(),
                    path: path.clone(),
                    checkrein: checkrein.clone(),
                    own: own::own(found, &checkrein),
                };
                subjects.push((subject, of_agent(found)));
            }
            // The user named it.
            None if !doctor.agents.is_empty() => {
                bail!("`{}` is not on your PATH, so it cannot be started", found.recipe.program);
            }
            None => {}
        }
    }
    if subjects.is_empty() {
        let programs: Vec<String> = ALL.iter().map(|agent| format!("`{}`", agent.program())).collect();
        bail!("no agent can be started here: your PATH has none of {}", programs.join(", "));
    }
    Ok(subjects)
}
