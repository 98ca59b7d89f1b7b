//! What the guard tells the model and the person.

use checkrein_core::Decision;
use checkrein_guard::{Finding, Judgement, Target};

/// How many findings are named.
const MOST: usize = 3;

/// Why, what to do instead, and by which rule: short enough for every host.
pub(super) fn for_model(judgement: &Judgement) -> String {
    let strictest = judgement.decision;
    let told = judgement.findings.iter().filter(|finding| finding.rule.decision == strictest).take(MOST);
    let texts: Vec<String> = told.map(|finding| one(judgement, finding)).collect();
    let again = match strictest {
        Decision::Deny => "The same in another form will be denied as well.",
        Decision::Ask | Decision::Allow | Decision::Abstain => "A person decides.",
    };
    format!("{}\n{again}", texts.join("\n"))
}

fn one(judgement: &Judgement, finding: &Finding) -> String {
    let effect = judgement.effects.get(finding.effect);
    let target = effect.map(|effect| match &effect.target {
        Target::Path(spot) => format!(" ({} {})", effect.verb, spot.path),
        Target::Host(host) if !host.name.is_empty() => format!(" ({} {})", effect.verb, host.name),
        Target::Name(name) => format!(" ({} {name})", effect.verb),
        Target::Host(_) | Target::Nothing => String::new(),
    });
    let command = effect
        .and_then(|effect| judgement.ran.get(effect.by))
        .map(|ran| short(&ran.words.join(" ")))
        .filter(|command| !command.is_empty())
        .map(|command| format!("`{command}`: "));
    // A rule of a configuration may propose nothing.
    let instead = Some(&finding.rule.instead).filter(|instead| !instead.is_empty());
    format!(
        "{}{}{} [{}].{}",
        command.unwrap_or_default(),
        finding.rule.reason,
        target.unwrap_or_default(),
        finding.rule.id,
        instead.map(|instead| format!(" Instead: {instead}.")).unwrap_or_default(),
    )
}

/// The beginning of a command, in one line.
fn short(command: &str) -> String {
    const MOST: usize = 80;
    let plain: String =
        command.chars().map(|char| if char.is_control() { ' ' } else { char }).take(MOST).collect();
    if command.chars().nth(MOST).is_some() { format!("{plain}…") } else { plain }
}
