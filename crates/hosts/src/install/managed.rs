//! The administrator's files: our entries in the form in which an agent reads them for every user of a machine.

use super::{
    entry::{Wanted, install},
    recipe::Recipe,
    tree::SyntaxError,
};
use serde_json::Value as Json;
use std::fmt::Write;

/// Returns the administrator's file with these entries alone.
pub fn managed_file(recipe: &Recipe, wanted: &[Wanted], program: &str) -> Result<String, SyntaxError> {
    let text = install("", recipe, wanted)?.text;
    let is_toml = recipe.managed.first().is_some_and(|path| path.ends_with(".toml"));
    if !is_toml {
        return Ok(text);
    }
    let hooks: Json = serde_json::from_str(&text).unwrap_or_default();
    Ok(requirements(&hooks, program))
}

/// Writes hooks as the requirements of Codex, which trusts them without asking the user. The directory of our program
/// is named as that of the administrator's scripts, without which Codex skips the hooks.
fn requirements(hooks: &Json, program: &str) -> String {
    let directory = program.rsplit_once('/').map_or("/", |(directory, _)| directory);
    let mut text = format!("[hooks]\nmanaged_dir = {}\n", Json::from(directory));
    let events = hooks.get("hooks").and_then(Json::as_object);
    for (event, group) in events
        .into_iter()
        .flatten()
        .flat_map(|(event, groups)| groups.as_array().into_iter().flatten().map(move |group| (event, group)))
    {
        let _ = writeln!(text, "\n[[hooks.{event}]]");
        if let Some(matcher) = group.get("matcher") {
            let _ = writeln!(text, "matcher = {matcher}");
        }
        for handler in group.get("hooks").and_then(Json::as_array).into_iter().flatten() {
            let _ = writeln!(text, "[[hooks.{event}.hooks]]");
            // A text and a number are written in TOML as in JSON.
            for (key, value) in handler.as_object().into_iter().flatten() {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{
        super::{CLAUDE, CODEX, COPILOT, GEMINI},
        *,
    };

    fn file(recipe: &Recipe) -> String {
        let program = "/opt/it's \"here\"/checkrein";
        let wanted: Vec<Wanted> =
            recipe.registered(None, &[]).map(|fired| Wanted::new(recipe, None, fired, program)).collect();
        managed_file(recipe, &wanted, program).unwrap()
    }

    #[test]
    fn the_requirements_of_codex_have_the_same_hooks_as_its_own_file() {
        let text = file(&CODEX);
        let table = toml::de::DeTable::parse(&text).unwrap();
        let table = crate::toml_to_json(&toml::de::DeValue::Table(table.into_inner()));
        let wanted: Vec<Wanted> = CODEX
            .registered(None, &[])
            .map(|fired| Wanted::new(&CODEX, None, fired, "/opt/it's \"here\"/checkrein"))
            .collect();
        let mut json: Json = serde_json::from_str(&install("", &CODEX, &wanted).unwrap().text).unwrap();
        json["hooks"]["managed_dir"] = "/opt/it's \"here\"".into();
        assert_eq!(table, json);
    }

    #[test]
    fn other_agents_have_json_with_every_event() {
        for recipe in [&CLAUDE, &GEMINI, &COPILOT] {
            let found = super::super::entries(&file(recipe), recipe).unwrap();
            assert_eq!(found.len(), recipe.registered(None, &[]).count(), "{}", recipe.host);
            assert!(found.iter().all(|entry| entry.command.program == "/opt/it's \"here\"/checkrein"));
        }
    }
}
