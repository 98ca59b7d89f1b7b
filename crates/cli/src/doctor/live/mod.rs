//! `checkrein doctor --live`: the agents of this machine themselves, offline, each in a cage, with canaries.
//!
//! What files say is one thing, what an agent does another. So it is started for real, in scratch folders and a network
//! namespace of its own, against a scripted model that has it try harmless calls; see the crate `checkrein-live`. Here is
//! only which agents are tried and how the findings are shown.

mod show;

use super::chosen;
use crate::{args::Doctor, install::agents::Agent, out::out, paint};
use anyhow::{Context, bail};
use checkrein::variable;
use checkrein_live::{ALL, Cage, Proof, Subject, prove};
use serde_json::json;
use std::process::ExitCode;

/// Tries the agents that are meant. Exit code 1 if one of them does not do what it must.
pub(super) fn run(doctor: &Doctor) -> anyhow::Result<ExitCode> {
    let cage = Cage::find()?;
    let subjects = subjects(doctor, &chosen(doctor)?)?;
    let titles: Vec<&str> = subjects.iter().map(|subject| subject.agent.title()).collect();
    crate::out::err!(
        "checkrein: starting {} in scratch folders, without a network; this takes about half a minute",
        titles.join(" and ")
    );
    let proofs = prove(&cage, &subjects);
    let ok = proofs.iter().all(holds);
    if doctor.json {
        let agents: Vec<_> =
            proofs.iter().zip(&subjects).map(|(proof, subject)| show::json(proof, subject)).collect();
        out!("{}", paint::json(json!({"ok": ok, "agents": agents})));
    } else {
        for (proof, subject) in proofs.iter().zip(&subjects) {
            show::text(proof, subject);
        }
    }
    Ok(ExitCode::from(u8::from(!ok)))
}

/// Whether everything could be tried and nothing that must hold was broken.
fn holds(proof: &Proof) -> bool {
    proof.failures.is_empty()
        && !proof.findings.is_empty()
        && proof.findings.iter().all(|finding| finding.seen.is_fine())
}

/// The agents that can be started here.
fn subjects(doctor: &Doctor, agents: &[Agent]) -> anyhow::Result<Vec<Subject>> {
    let checkrein = std::env::current_exe().context("cannot find out where this program lies")?;
    let path = variable("PATH").unwrap_or_default();
    let mut subjects = Vec::new();
    for found in agents {
        let Some(agent) = ALL.iter().find(|agent| agent.name() == found.recipe.host) else {
            bail!("{} cannot be tried yet", found.recipe.title);
        };
        match &found.program {
            Some(program) => subjects.push(Subject {
                agent: *agent,
                program: program.clone(),
                path: path.clone(),
                checkrein: checkrein.clone(),
            }),
            // It was asked for by its name.
            None if !doctor.agents.is_empty() => {
                bail!("`{}` is not on your PATH, so it cannot be started", found.recipe.program);
            }
            None => {}
        }
    }
    if subjects.is_empty() {
        let programs: Vec<String> = ALL.iter().map(|agent| format!("`{}`", agent.program())).collect();
        bail!("no agent can be started here: none of {} is on your PATH", programs.join(", "));
    }
    Ok(subjects)
}
