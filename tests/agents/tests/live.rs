//! Real agents and our answers. The crate documentation explains how to run this.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::{
    installed::{checkrein, chosen, pinned, subjects},
    machine::Machine,
    table::{PAGES, replaced, tables},
};
use checkrein_live::{ALL, Ability, Finding, Proof, Proved, Sandbox, Seen, prove, proved, written};
use std::{env, fs, path::Path, sync::LazyLock};

/// The proofs of all agents, shared by all tests of this file.
static PROOFS: LazyLock<Result<Vec<Proof>, String>> = LazyLock::new(|| {
    let machine = set_up().map_err(|error| error.to_string())?;
    let subjects = subjects(Some(&machine))?;
    let sandbox = Sandbox::find().map_err(|error| error.to_string())?;
    Ok(prove(&sandbox, &subjects))
});

/// Creates a machine on which both agents are set up, as after `init` and Codex's review.
fn set_up() -> std::io::Result<Machine> {
    let machine = Machine::new()?;
    let checkrein = checkrein().map_err(std::io::Error::other)?;
    for agent in chosen() {
        machine.init(agent.recipe(), &checkrein)?;
        if matches!(agent.name(), "hermes" | "openclaw") {
            machine.agree(agent.recipe())?;
        }
    }
    if chosen().iter().any(|agent| agent.name() == "codex") {
        machine.trust()?;
    }
    machine.trust_project()?;
    Ok(machine)
}

fn proofs() -> &'static [Proof] {
    PROOFS.as_ref().unwrap_or_else(|reason| panic!("{reason}"))
}

/// Asserts the finding for each agent, and shows all evidence if it differs.
fn each(ability: Ability, seen: &[(&str, Seen, &str)]) {
    for (agent, seen, words) in seen {
        if !chosen().iter().any(|chosen| chosen.name() == *agent) {
            eprintln!("skipped: {agent} is not among the agents that are tried");
            continue;
        }
        let Proof { findings, failures, .. } =
            proofs().iter().find(|proof| proof.agent.name() == *agent).unwrap();
        let finding = findings.iter().find(|finding| finding.ability == ability);
        let Some(Finding { seen: really, words: said, evidence, .. }) = finding else {
            panic!("{agent}: {} was not tried: {failures:?}", ability.as_str())
        };
        assert_eq!((really, said.as_str()), (seen, *words), "{agent}:\n{}", evidence.join("\n"));
    }
}

/// Asserts the same finding for every agent that is tried.
fn all(ability: Ability, seen: Seen, words: &str) {
    for agent in chosen() {
        each(ability, &[(agent.name(), seen, words)]);
    }
}

/// Asserts the same finding for every agent that is tried, and another one for Cline, which ends its run on a denial.
fn all_but_cline(ability: Ability, words: &str, of_cline: &str) {
    for agent in chosen() {
        let words = if agent.name() == "cline" { of_cline } else { words };
        each(ability, &[(agent.name(), Seen::Held, words)]);
    }
}

const ENDED: &str = "blocked; the run ends";
const ENDED_UNSEEN: &str = "the run ends, and the model does not see the output";

/// Asserts a finding for Claude Code, and the same for Codex.
fn both(ability: Ability, seen: Seen, words: &str) {
    each(ability, &[("claude", seen, words), ("codex", seen, words)]);
}

const TOLD: &str = "blocked; the model gets the reason";

#[test]
fn the_agents_have_the_pinned_versions() {
    let versions: Vec<(&str, &str)> =
        proofs().iter().map(|proof| (proof.agent.name(), proof.version.as_str())).collect();
    assert_eq!(versions, pinned());
}

#[test]
fn every_scenario_ran() {
    for proof in proofs() {
        assert_eq!(proof.failures, [""; 0], "{}", proof.agent.title());
        // Nine canaries belong to one scenario, and the user's own settings and our plugin are tried too.
        let plugin = usize::from(proof.agent.plugin(Path::new("/")).is_some());
        let expected = 9 + proof.agent.scenarios().len() + plugin;
        assert_eq!(proof.findings.len(), expected, "{}: {:?}", proof.agent.title(), proof.findings);
    }
}

#[test]
fn our_program_is_called_before_and_after_a_call() {
    all(Ability::Fired, Seen::Held, "hooks run before and after the call; the call runs");
}

#[test]
fn a_denial_is_honoured() {
    all_but_cline(Ability::Denial, TOLD, ENDED);
}

#[test]
fn the_guard_is_honoured() {
    all_but_cline(Ability::Policy, TOLD, ENDED);
}

/// This canary goes through the user's own files, not through ours.
#[test]
fn the_users_own_settings_protect() {
    all_but_cline(Ability::Own, TOLD, ENDED);
}

/// The agent itself installs the plugin, offline, from the directory that `cargo xtask plugins` writes.
#[test]
fn a_plugin_protects_like_an_entry() {
    for agent in ["claude", "codex", "gemini", "qwen", "copilot", "pi", "opencode"] {
        each(Ability::Plugin, &[(agent, Seen::Held, TOLD)]);
    }
}

#[test]
fn a_subagent_is_guarded_like_its_agent() {
    for agent in ["claude", "codex", "gemini", "qwen", "copilot", "opencode", "kilo"] {
        each(Ability::Subagent, &[(agent, Seen::Held, TOLD)]);
    }
}

#[test]
fn a_background_command_is_guarded_like_any_other() {
    each(Ability::Monitor, &[("claude", Seen::Held, TOLD)]);
}

/// Codex sends no event for input that is typed into an open shell, so the guard denies opening one.
#[test]
fn an_interactive_shell_is_not_opened() {
    each(Ability::Typed, &[("codex", Seen::Held, TOLD)]);
}

#[test]
fn a_skill_with_a_denied_command_is_neither_written_nor_used() {
    each(Ability::SkillWritten, &[("claude", Seen::Held, TOLD)]);
    each(Ability::Skill, &[("claude", Seen::Held, TOLD)]);
}

#[test]
fn a_question_without_a_user_is_a_denial() {
    all_but_cline(Ability::Question, TOLD, ENDED);
}

#[test]
fn a_rewrite_is_applied() {
    both(Ability::Rewrite, Seen::Held, "the call runs as rewritten");
    each(
        Ability::Rewrite,
        &[
            ("gemini", Seen::Held, "the call runs as rewritten"),
            // It does not read a changed input before a tool.
            ("qwen", Seen::Held, "blocked; the model gets the rewritten call"),
            ("copilot", Seen::Held, "the call runs as rewritten"),
            ("cline", Seen::Held, "the call runs as rewritten"),
            ("pi", Seen::Held, "the call runs as rewritten"),
            ("opencode", Seen::Held, "the call runs as rewritten"),
            ("kilo", Seen::Held, "the call runs as rewritten"),
            ("kimi", Seen::Held, "blocked; the model gets the rewritten call"),
            ("grok", Seen::Held, "the call runs as rewritten"),
            ("openclaw", Seen::Held, "the call runs as rewritten"),
            ("hermes", Seen::Held, "blocked; the model gets the rewritten call"),
        ],
    );
}

/// The agents that give an output to the model whatever a hook answers. Once one does not, change this.
const CANNOT_HIDE: &[&str] = &["kimi", "grok", "openclaw", "hermes"];

/// Asserts a finding about an output. Cline ends its run, and some agents cannot hide one.
fn hidden(ability: Ability, words: &str) {
    for agent in chosen() {
        let (seen, words) = match agent.name() {
            "cline" => (Seen::Held, ENDED_UNSEEN),
            name if CANNOT_HIDE.contains(&name) => (Seen::Open, "the model sees the output"),
            _ => (Seen::Held, words),
        };
        each(ability, &[(agent.name(), seen, words)]);
    }
}

#[test]
fn an_output_is_replaced() {
    hidden(Ability::Redaction, "the model sees the replacement, not the output");
}

#[test]
fn an_output_is_withheld() {
    hidden(Ability::Withholding, "the model sees the reason, not the output");
}

#[test]
fn a_prompt_is_refused() {
    // Cline has no event for a prompt without a terminal.
    for agent in
        ["claude", "codex", "gemini", "qwen", "copilot", "pi", "opencode", "kilo", "kimi", "grok", "openclaw"]
    {
        each(Ability::Prompt, &[(agent, Seen::Held, "the prompt does not reach the model")]);
    }
}

#[test]
fn context_arrives() {
    each(
        Ability::Context,
        &[
            ("claude", Seen::Held, "arrives as a `user` message"),
            ("codex", Seen::Held, "arrives as a `developer` message"),
            // They drop what a hook adds before a call.
            ("gemini", Seen::Open, "does not arrive"),
            ("qwen", Seen::Open, "does not arrive"),
            ("copilot", Seen::Held, "arrives as a `user` message"),
            ("cline", Seen::Held, "arrives as a `user` message"),
            // The bridge holds it until the result.
            ("pi", Seen::Held, "arrives with the result"),
            ("opencode", Seen::Held, "arrives with the result"),
            ("kilo", Seen::Held, "arrives with the result"),
            ("kimi", Seen::Open, "does not arrive"),
            ("grok", Seen::Held, "arrives as a `user` message"),
            ("openclaw", Seen::Open, "does not arrive"),
            ("hermes", Seen::Open, "does not arrive"),
        ],
    );
}

/// Our bridge and our script answer when the program does not. Cline itself waits forever for one that hangs.
#[test]
fn without_our_program_a_bridge_and_a_script_of_ours_deny() {
    for agent in ["pi", "opencode", "kilo", "openclaw"] {
        for ability in [Ability::ProgramHangs, Ability::ProgramKilled, Ability::ProgramMissing] {
            each(ability, &[(agent, Seen::Held, TOLD)]);
        }
    }
    each(Ability::ProgramHangs, &[("cline", Seen::Held, "blocked; the agent waits for ever")]);
    for ability in [Ability::ProgramKilled, Ability::ProgramMissing] {
        each(ability, &[("cline", Seen::Held, ENDED)]);
    }
}

#[test]
fn a_hook_that_hangs_denies() {
    all_but_cline(Ability::HookHangs, TOLD, ENDED);
}

#[test]
fn a_hook_that_is_missing_denies() {
    all_but_cline(Ability::HookMissing, TOLD, ENDED);
}

/// If we crash, both agents get the denial that was prepared before.
#[test]
fn a_crash_of_our_program_denies() {
    all_but_cline(Ability::ProgramCrashes, TOLD, ENDED);
}

/// Claude Code has a fail-closed option, which `init` sets. Codex has none: once it has, change this test.
#[test]
fn without_our_program_claude_code_stops_and_codex_continues() {
    for ability in [Ability::ProgramHangs, Ability::ProgramKilled, Ability::ProgramMissing] {
        each(ability, &[("claude", Seen::Held, "blocked"), ("codex", Seen::Open, "the call runs")]);
    }
}

/// Kimi Code, Grok Build and Hermes continue whenever a hook gives no answer.
#[test]
fn without_our_program_kimi_grok_and_hermes_continue() {
    for ability in [Ability::ProgramHangs, Ability::ProgramKilled, Ability::ProgramMissing] {
        for agent in ["kimi", "grok", "hermes"] {
            each(ability, &[(agent, Seen::Open, "the call runs")]);
        }
    }
}

/// Copilot CLI denies a call whose hook fails, and continues only after a timeout; Qwen Code always continues.
#[test]
fn without_our_program_copilot_stops_except_after_a_timeout_and_qwen_continues() {
    for ability in [Ability::ProgramHangs, Ability::ProgramKilled, Ability::ProgramMissing] {
        each(ability, &[("qwen", Seen::Open, "the call runs")]);
    }
    each(Ability::ProgramHangs, &[("copilot", Seen::Open, "the call runs")]);
    for ability in [Ability::ProgramKilled, Ability::ProgramMissing] {
        each(ability, &[("copilot", Seen::Held, "blocked")]);
    }
}

#[test]
fn codex_and_hermes_skip_an_entry_that_the_user_has_not_agreed_to() {
    let words = "the hook is silently skipped, and the call runs";
    each(Ability::Untrusted, &[("codex", Seen::Open, words), ("hermes", Seen::Open, words)]);
}

/// The record that `checkrein coverage` and the pages are made from is what was found.
#[test]
fn the_recorded_findings_are_these() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = root.join("crates/live/proved.json");
    let mut recorded = proved();
    recorded.retain(|known| proofs().iter().all(|proof| proof.agent.name() != known.host));
    recorded.extend(proofs().iter().map(Proved::from));
    // An agent that is new in the list has no record yet.
    recorded.sort_by_key(|known| ALL.iter().position(|agent| agent.name() == known.host));
    let found = written(&recorded);
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(&file, &found).unwrap();
        for (page, most) in PAGES {
            let document = fs::read_to_string(root.join(page)).unwrap();
            let columns = recorded.get(..most.min(recorded.len())).unwrap();
            fs::write(root.join(page), replaced(&document, &tables(columns)).unwrap()).unwrap();
        }
        return;
    }
    let hint = "if it is right, write it with `cargo xtask agents --update`";
    assert_eq!(found, fs::read_to_string(&file).unwrap(), "what was proved is not what is recorded; {hint}");
}
