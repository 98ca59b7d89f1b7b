//! `checkrein doctor`: checks that the agents on this machine really call checkrein, without starting them.
//!
//! A hook that is registered but never runs looks like one that has no objection. So `doctor` checks everything that decides
//! whether checkrein is called, and every finding has a fix.

mod entries;
mod kept;
mod live;
mod mark;
pub(crate) mod ours;
mod sources;
mod trail;
mod verdict;

use crate::{
    args::{Doctor, Target},
    exit::ExitStatus,
    install::{self, agents::Agent},
    term::{data, out, style, wrap::fitted},
};
use checkrein::SmallSort as _;
use checkrein_hosts::doctor::{Finding, Severity};
use serde_json::{Value, json};
use verdict::Verdict;

const GREEN: &str = "\x1b[32m";

const fn colour(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "\x1b[36m",
        Severity::Warning => "\x1b[33m",
        Severity::Problem => "\x1b[31m",
    }
}

/// The findings about one part: checkrein itself, or an agent.
pub(crate) struct Report {
    /// The name alone.
    name: String,
    /// The display name with the version.
    title: String,
    /// Fields of the JSON object in addition to the findings.
    fields: Value,
    /// Lines about the current state.
    facts: Vec<String>,
    findings: Vec<Finding>,
}

pub(crate) fn run(doctor: &Doctor) -> anyhow::Result<ExitStatus> {
    if doctor.live {
        return live::run(doctor);
    }
    let agents = chosen(doctor)?;
    let ours = ours::report();
    let reports: Vec<Report> = agents.iter().map(of_agent).collect();
    let all = || std::iter::once(&ours).chain(&reports);
    let ok = all().flat_map(|report| &report.findings).all(|finding| finding.severity < Severity::Problem);
    let is_protected =
        !reports.is_empty() && !reports.iter().any(|report| Verdict::of(report, &ours).is_open());
    if doctor.json {
        let agents: Vec<Value> = reports.iter().map(|report| of_agent_as_json(report, &ours)).collect();
        let verdict = style::harmless(&verdict::of_all(&ours, &reports));
        data!(
            "{}",
            style::json(json!({
                "ok": ok, "protected": is_protected, "verdict": verdict, "checkrein": as_json(&ours),
                "agents": agents,
            }))
        );
    } else {
        for report in &reports {
            verdict::show(report, &ours);
        }
        if !reports.is_empty() {
            out!();
        }
        all().for_each(show);
        let verdict = style::harmless(&verdict::of_all(&ours, &reports));
        let lines = fitted(&verdict, 0).join("\n");
        let colour = if ok && !reports.is_empty() { GREEN } else { colour(Severity::Problem) };
        out!("{colour}{lines}\x1b[0m");
    }
    Ok(ExitStatus::success_if(ok))
}

/// Returns the agents that the command line selects.
fn chosen(doctor: &Doctor) -> anyhow::Result<Vec<Agent>> {
    install::chosen(&Target { agents: doctor.agents.clone(), user: false, project: false })
}

/// Reports everything about one agent that is visible without starting it.
fn of_agent(agent: &Agent) -> Report {
    let sources = sources::all(agent);
    let mut findings: Vec<Finding> = version(agent).into_iter().chain(not_proved(agent)).collect();
    findings.extend(entries::findings(agent, &sources));
    findings.extend(kept::findings(agent, &sources));
    findings.extend(agent.host.doctor.findings(&sources::seen(agent), &sources));
    findings.small_sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let version = agent.version.map(|version| version.to_string());
    let facts = entries::facts(agent, &sources);
    let program = agent.program.as_ref().map(|program| program.to_string_lossy().into_owned());
    Report {
        name: agent.recipe.labelled(),
        title: [Some(agent.recipe.labelled()), version.clone(), program.clone()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
        fields: json!({"agent": agent.recipe.host, "program": program, "version": version}),
        facts,
        findings,
    }
}

/// Compares the version with those that we know.
fn version(agent: &Agent) -> Option<Finding> {
    let recipe = agent.recipe;
    let prove = "`checkrein doctor --live` starts the agent and tests what it does";
    match agent.version {
        None if agent.program.is_none() => Some(Finding::note(
            "program-not-found",
            format!("`{}` is not on your PATH, so its version is not known", recipe.program),
            "run checkrein with the PATH that the agent has",
        )),
        None if recipe.measured.is_none() => {
            let fix = "nothing here depends on its version";
            Some(Finding::note("version-unknown", "its version cannot be determined", fix))
        }
        None => Some(Finding::note("version-unknown", "its version cannot be determined", prove)),
        Some(version) if version < recipe.oldest => Some(Finding::warning(
            "version-old",
            format!("{version} is older than {}, the oldest supported version", recipe.oldest),
            match recipe.measured {
                Some(measured) => format!("upgrade it; {measured} is the newest tested version"),
                None => "upgrade it".to_owned(),
            },
        )),
        Some(version) => recipe.measured.filter(|measured| version > *measured).map(|measured| {
            let text = format!("{version} is newer than {measured}, the newest tested version");
            Finding::note("version-new", text, prove)
        }),
    }
}

/// Returns a finding about an agent that is supported from its documentation alone.
fn not_proved(agent: &Agent) -> Option<Finding> {
    agent.recipe.measured.is_none().then(|| {
        let text = format!(
            "not proved: no run of {} has shown that it obeys; its documentation says so",
            agent.recipe.title
        );
        Finding::note(
            "not-proved",
            text,
            "have it try a call that is denied, such as `git push --force`, before you rely on it",
        )
    })
}

/// Returns the report of an agent as JSON, with its verdict.
fn of_agent_as_json(report: &Report, ours: &Report) -> Value {
    let mut value = as_json(report);
    let verdict = Verdict::of(report, ours);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("protected".into(), (!verdict.is_open()).into());
        fields.insert("verdict".into(), style::harmless(&verdict.words(&report.name)).into());
    }
    value
}

fn as_json(report: &Report) -> Value {
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            // A path in a sentence is part of it, and a JSON reader shows the sentence.
            let (text, fix) = (style::harmless(&finding.text), style::harmless(&finding.fix));
            json!({"severity": finding.severity.as_str(), "id": finding.id, "text": text, "fix": fix})
        })
        .collect();
    let facts: Vec<String> = report.facts.iter().map(|fact| style::harmless(fact)).collect();
    let mut fields = report.fields.clone();
    if let Some(fields) = fields.as_object_mut() {
        fields.insert("facts".into(), json!(facts));
        fields.insert("findings".into(), findings.into());
    }
    fields
}

fn show(report: &Report) {
    out!("{}", style::harmless(&report.title));
    for fact in &report.facts {
        fitted(&style::harmless(fact), 2).iter().for_each(|line| out!("  {line}"));
    }
    for finding in &report.findings {
        let Finding { severity, id, text, fix } = finding;
        out!("  {}{}\x1b[0m: {} [{id}]", colour(*severity), severity.as_str(), style::harmless(text));
        fitted(&style::harmless(fix), 4).iter().for_each(|line| out!("    {line}"));
    }
    if report.findings.iter().all(|finding| finding.severity == Severity::Note) {
        out!("  ok");
    }
    out!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_in_json_are_escaped_like_lines() {
        let path = "/home/dev/a\u{1b}[2J\nb\u{202e}é";
        let report = Report {
            name: String::new(),
            title: String::new(),
            fields: json!({}),
            facts: vec![path.to_owned()],
            findings: vec![Finding::note("x", path, path)],
        };
        let value = as_json(&report);
        let shown = "/home/dev/a\\u{1b}[2J\\u{a}b\\u{202e}é";
        assert_eq!(value["facts"][0], shown);
        assert_eq!(
            (&value["findings"][0]["text"], &value["findings"][0]["fix"]),
            (&json!(shown), &json!(shown))
        );
    }
}
