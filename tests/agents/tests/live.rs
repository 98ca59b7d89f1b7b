//! What real agents do with our answers. See the package's own page.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_agents::{
    installed::{checkrein, pinned, subjects},
    machine::Machine,
    table::{between, replaced, table},
};
use checkrein_live::{ALL, Ability, Finding, Proof, Sandbox, Seen, prove};
use std::{env, fs, path::Path, sync::LazyLock};

/// All agents are tried once, for all tests of this file.
static PROOFS: LazyLock<Result<Vec<Proof>, String>> = LazyLock::new(|| {
    let machine = set_up().map_err(|error| error.to_string())?;
    let subjects = subjects(Some(&machine))?;
    let sandbox = Sandbox::find().map_err(|error| error.to_string())?;
    Ok(prove(&sandbox, &subjects))
});

/// A machine on which both agents ask us, as a user has it after `init` and the review of Codex.
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

/// Asserts how each agent was seen, with all the evidence if it was not.
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

/// Asserts the same of both.
fn both(ability: Ability, seen: Seen, words: &str) {
    each(ability, &[("claude", seen, words), ("codex", seen, words)]);
}

const TOLD: &str = "the call does not run, and the model is told why";

#[test]
fn the_agents_are_those_that_are_pinned() {
    let versions: Vec<(&str, &str)> =
        proofs().iter().map(|proof| (proof.agent.name(), proof.version.as_str())).collect();
    assert_eq!(versions, pinned());
}

#[test]
fn every_trial_was_made() {
    for proof in proofs() {
        assert_eq!(proof.failures, [""; 0], "{}", proof.agent.title());
        // Nine canaries are tried in one start, and the user's own settings are tried too.
        let expected = 9 + proof.agent.scenarios().len();
        assert_eq!(proof.findings.len(), expected, "{}: {:?}", proof.agent.title(), proof.findings);
    }
}

#[test]
fn our_program_is_asked_and_told() {
    both(Ability::Fired, Seen::Held, "we are asked before the call and told after it; it runs");
}

#[test]
fn a_denial_is_honoured() {
    both(Ability::Denial, Seen::Held, TOLD);
}

#[test]
fn the_guard_is_honoured() {
    both(Ability::Policy, Seen::Held, TOLD);
}

/// The canary that goes through the user's own files, and not through ours.
#[test]
fn the_users_own_settings_protect() {
    both(Ability::Own, Seen::Held, TOLD);
}

#[test]
fn a_subagent_is_guarded_as_its_agent_is() {
    both(Ability::Subagent, Seen::Held, TOLD);
}

#[test]
fn a_watched_command_is_guarded_as_any_other() {
    each(Ability::Monitor, &[("claude", Seen::Held, TOLD)]);
}

/// Codex tells nobody what is typed into a shell that it has opened, so that none is opened.
#[test]
fn a_shell_to_be_typed_into_is_not_opened() {
    each(Ability::Typed, &[("codex", Seen::Held, TOLD)]);
}

#[test]
fn a_skill_with_a_denied_command_is_neither_written_nor_used() {
    each(Ability::SkillWritten, &[("claude", Seen::Held, TOLD)]);
    each(Ability::Skill, &[("claude", Seen::Held, TOLD)]);
}

#[test]
fn a_question_that_nobody_can_answer_is_a_denial() {
    both(Ability::Question, Seen::Held, TOLD);
}

#[test]
fn a_rewrite_is_applied() {
    both(Ability::Rewrite, Seen::Held, "the call runs as rewritten");
}

#[test]
fn an_output_is_replaced() {
    both(Ability::Redaction, Seen::Held, "the model sees the replacement and not the output");
}

#[test]
fn an_output_is_withheld() {
    both(Ability::Withholding, Seen::Held, "the model sees the reason and not the output");
}

#[test]
fn a_prompt_is_refused() {
    both(Ability::Prompt, Seen::Held, "the model is never asked");
}

#[test]
fn context_arrives() {
    each(
        Ability::Context,
        &[
            ("claude", Seen::Held, "it arrives, as a message of the `user`"),
            ("codex", Seen::Held, "it arrives, as a message of the `developer`"),
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

/// A fault of ours is answered by the last word that was prepared, in both.
#[test]
fn a_crash_of_our_program_denies() {
    both(Ability::ProgramCrashes, Seen::Held, TOLD);
}

/// Claude Code has a switch that closes its gate then, which `init` sets. Codex has none: if it learns to, this is to be
/// celebrated and changed.
#[test]
fn without_our_program_claude_code_stops_and_codex_goes_on() {
    for ability in [Ability::ProgramHangs, Ability::ProgramKilled, Ability::ProgramMissing] {
        each(
            ability,
            &[("claude", Seen::Held, "the call does not run"), ("codex", Seen::Open, "the call runs")],
        );
    }
}

#[test]
fn codex_skips_an_entry_that_is_not_trusted() {
    let words = "the entry is silently skipped, and the call runs";
    each(Ability::Untrusted, &[("codex", Seen::Open, words)]);
}

/// The README says what was seen.
#[test]
fn the_table_is_what_was_proved() {
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
