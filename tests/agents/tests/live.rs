//! What real agents do with our answers. See the package's own page.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use checkrein_agents::{
    installed::subjects,
    table::{between, replaced, table},
};
use checkrein_live::{Ability, Cage, Finding, Proof, Seen, prove};
use std::{env, fs, path::Path, sync::LazyLock};

/// All agents are tried once, for all tests of this file.
static PROOFS: LazyLock<Result<Vec<Proof>, String>> = LazyLock::new(|| {
    let subjects = subjects()?;
    let cage = Cage::find().map_err(|error| error.to_string())?;
    Ok(prove(&cage, &subjects))
});

fn proofs() -> &'static [Proof] {
    PROOFS.as_ref().unwrap_or_else(|reason| panic!("{reason}"))
}

fn finding(agent: &str, ability: Ability) -> &'static Finding {
    let proof = proofs().iter().find(|proof| proof.agent.name() == agent).unwrap();
    let finding = proof.findings.iter().find(|finding| finding.ability == ability);
    finding.unwrap_or_else(|| panic!("{agent}: {} was not tried: {:?}", ability.as_str(), proof.failures))
}

#[test]
fn print() {
    for proof in proofs() {
        println!("{} {} {:?}", proof.agent.title(), proof.version, proof.failures);
        for finding in &proof.findings {
            println!("{} {}: {}\n   {}", finding.ability.as_str(), finding.seen.as_str(), finding.words, finding.evidence.join("\n   "));
        }
    }
    println!("{}", table(proofs()));
}
