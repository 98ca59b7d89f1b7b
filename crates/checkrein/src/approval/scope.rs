//! The scope of a lasting permission: one rule, one target, one program.
//!
//! A permission for a session covers each scope of the call that was shown, and nothing else. Where a target is not certain, the
//! scope is the call itself, so that nothing else is covered either.

use super::CallFingerprint;
use checkrein_guard::{Certainties, Certainty, Effect, Finding, Invocation, Judgement, Target};
use checkrein_secrets::is_plain;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A rule, and what it objected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The rule.
    pub rule: String,
    /// The rule's description of it for the user.
    pub phrase: String,
    /// The exact target, if there is one that is certain and holds no secret.
    pub target: Option<String>,
    /// True if there is a target.
    pub has_target: bool,
    /// The program, with its subcommand.
    pub program: Option<String>,
    /// The digest of all of it and of the session.
    pub(super) key: String,
}

/// The scopes of a call: one for each effect that a rule objects to.
pub(super) fn scopes(binding: &CallFingerprint, judgement: &Judgement) -> Vec<Scope> {
    let mut scopes: Vec<Scope> = Vec::new();
    for finding in &judgement.findings {
        for effect in &judgement.effects {
            let ran = judgement.ran.get(effect.by);
            if finding.rule.is_about(effect, ran) {
                let scope = scope(binding, judgement, finding, effect, ran);
                if !scopes.contains(&scope) {
                    scopes.push(scope);
                }
            }
        }
    }
    scopes
}

fn scope(
    binding: &CallFingerprint,
    judgement: &Judgement,
    finding: &Finding,
    effect: &Effect,
    ran: Option<&Invocation>,
) -> Scope {
    let name = match &effect.target {
        Target::Path(path) => Some(path.path.as_str()),
        Target::Host(host) => Some(host.name.as_str()),
        Target::Name(name) => Some(name.as_str()),
        Target::Nothing => None,
    };
    let unsure = Certainties::of(&[
        Certainty::Unknown,
        Certainty::EmptyVariable,
        Certainty::AnyProgram,
        Certainty::TooMuch,
    ]);
    let is_certain = !effect.certainty.has_any(unsure) && judgement.opaque.is_empty();
    let target = name.filter(|name| is_certain && !name.is_empty() && !name.contains(['…', '$', '`']));
    let program = ran.and_then(|ran| ran.known_as.clone().or_else(|| ran.words.first().cloned()));
    // Without a certain target, only the whole call identifies what was shown.
    let bound = match (target, name) {
        (Some(target), _) => target.to_owned(),
        (None, _) => format!("call {}", binding.digest()),
    };
    let whole = json!([binding.session, finding.rule.id, effect.action.as_str(), bound, program]);
    Scope {
        rule: finding.rule.id.to_string(),
        phrase: finding.rule.summary.to_string(),
        target: target.filter(|target| is_plain(target.as_bytes())).map(str::to_owned),
        has_target: name.is_some(),
        program,
        key: Sha256::digest(whole.to_string().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

impl Scope {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "rule": self.rule,
            "phrase": self.phrase,
            "target": self.target,
            "has_target": self.has_target,
            "program": self.program,
            "key": self.key,
        })
    }

    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let key = text("key")?;
        // It becomes the name of a file.
        let is_digest = key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(Self {
            rule: text("rule")?,
            phrase: text("phrase")?,
            target: text("target"),
            has_target: value.get("has_target")?.as_bool()?,
            program: text("program"),
            key: is_digest.then_some(key)?,
        })
    }
}
