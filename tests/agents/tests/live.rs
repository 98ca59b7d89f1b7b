//! Real agents and our answers. The crate documentation explains how to run this.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::{
    installed::{checkrein, pinned, subjects},
    machine::Machine,
    table::{between, replaced, table},
};
use checkrein_live::{ALL, Ability, Finding, Proof, Sandbox, Seen, prove};
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
    for agent in ALL {
        machine.init(agent.recipe(), &checkrein)?;
    }
    machine.trust()?;
    Ok(machine)
}

fn proofs() -> &'static [Proof] {
    PROOFS.as_ref().unwrap_or_else(|reason| panic!("{reason}"))
}

/// Asserts the finding for each agent, and shows all evidence if it differs.
fn each(ability: Ability, seen: &[(&str, Seen, &str)]) {
    for (agent, seen, words) in seen {
        let Proof { findings, failures, .. } =
            proofs().iter().find(|proof| proof.agent.name() == *agent).unwrap();
        let finding = findings.iter().find(|finding| finding.ability == ability);
        let Some(Finding { seen: really, words: said, evidence, .. }) = finding else {
            panic!("{agent}: {} was not tried: {failures:?}", ability.as_str())
        };
        assert_eq!((really, said.as_str()), (seen, *words), "{agent}:\n{}", evidence.join("\n"));
    }
}

/// Asserts the same finding for both agents.
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
        // Nine canaries share one start, and the user's own settings are tried too.
        let expected = 9 + proof.agent.scenarios().len();
        assert_eq!(proof.findings.len(), expected, "{}: {:?}", proof.agent.title(), proof.findings);
    }
}

#[test]
fn our_program_is_called_before_and_after_a_call() {
    both(Ability::Fired, Seen::Held, "hooks run before and after the call; the call runs");
}

#[test]
fn a_denial_is_honoured() {
    both(Ability::Denial, Seen::Held, TOLD);
}

#[test]
fn the_guard_is_honoured() {
    both(Ability::Policy, Seen::Held, TOLD);
}

/// This canary goes through the user's own files, not through ours.
#[test]
fn the_users_own_settings_protect() {
    both(Ability::Own, Seen::Held, TOLD);
}

#[test]
fn a_subagent_is_guarded_like_its_agent() {
    both(Ability::Subagent, Seen::Held, TOLD);
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
    both(Ability::Question, Seen::Held, TOLD);
}

#[test]
fn a_rewrite_is_applied() {
    both(Ability::Rewrite, Seen::Held, "the call runs as rewritten");
}

#[test]
fn an_output_is_replaced() {
    both(Ability::Redaction, Seen::Held, "the model sees the replacement, not the output");
}

#[test]
fn an_output_is_withheld() {
    both(Ability::Withholding, Seen::Held, "the model sees the reason, not the output");
}

#[test]
fn a_prompt_is_refused() {
    both(Ability::Prompt, Seen::Held, "the prompt does not reach the model");
}

#[test]
fn context_arrives() {
    each(
        Ability::Context,
        &[
            ("claude", Seen::Held, "arrives as a `user` message"),
            ("codex", Seen::Held, "arrives as a `developer` message"),
        ],
    );
}

#[test]
fn a_hook_that_hangs_denies() {
    both(Ability::HookHangs, Seen::Held, TOLD);
}

#[test]
fn a_hook_that_is_missing_denies() {
    both(Ability::HookMissing, Seen::Held, TOLD);
}

/// If we crash, both agents get the denial that was prepared before.
#[test]
fn a_crash_of_our_program_denies() {
    both(Ability::ProgramCrashes, Seen::Held, TOLD);
}

/// Claude Code has a fail-closed option, which `init` sets. Codex has none: once it has, change this test.
#[test]
fn without_our_program_claude_code_stops_and_codex_continues() {
    for ability in [Ability::ProgramHangs, Ability::ProgramKilled, Ability::ProgramMissing] {
        each(ability, &[("claude", Seen::Held, "blocked"), ("codex", Seen::Open, "the call runs")]);
    }
}

#[test]
fn codex_skips_an_entry_that_is_not_trusted() {
    let words = "the hook is silently skipped, and the call runs";
    each(Ability::Untrusted, &[("codex", Seen::Open, words)]);
}

/// The README's table matches the findings.
#[test]
fn the_readme_table_matches_the_findings() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(&file).unwrap();
    let proved = table(proofs());
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(&file, replaced(&readme, &proved).expect("the README has no marks for the table")).unwrap();
        return;
    }
    let written = between(&readme).expect("the README has no marks for the table");
    let hint = "if it is right, write it with `cargo xtask agents --update`";
    assert_eq!(written, proved.trim_end(), "what was proved is not what the README says; {hint}");
}
