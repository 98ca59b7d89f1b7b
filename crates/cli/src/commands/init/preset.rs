//! `checkrein init --preset`: adds reviewed allow rules to the user's own configuration.
//!
//! They let agents run more without a prompt, so only a user at a terminal can add them, after a confirmation.

use crate::{
    authority::Authority,
    exit::ExitStatus,
    policy,
    term::{data, out, style, wrap::fitted},
    user_file,
};
use checkrein::{Session, presets::Preset};

/// Prints the presets, for a file that other tools write.
pub(super) fn print(names: &[String]) {
    let text = chosen(names).iter().fold(String::new(), |text, preset| preset.add_to(&text));
    data!("{}", text.trim_end());
}

/// Adds the presets.
pub(super) fn add(names: &[String], is_dry_run: bool, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let places = policy::places(None, &Session::default());
    let old = user_file::read(&places)?.unwrap_or_default();
    let chosen = chosen(names);
    let with = |text: &str| chosen.iter().fold(text.to_owned(), |text, preset| preset.add_to(&text));
    let new = with(&old);
    if new == old {
        out!("These presets are already in your configuration.");
        return Ok(ExitStatus::Success);
    }
    out!("Agents may run these without a prompt, in a project and as long as they only read there:");
    for preset in &chosen {
        fitted(&format!("{}: {}", preset.name, preset.about()), 4).iter().for_each(|line| out!("  {line}"));
    }
    out!("The whole list: checkrein init --preset {} --print", names.join(","));
    if is_dry_run {
        out!("Dry run: nothing was written.");
        return Ok(ExitStatus::Success);
    }
    authority.required()?;
    if !authority.confirms("Add them to your configuration?")? {
        out!("The presets were not added.");
        return Ok(ExitStatus::Failure);
    }
    let file = user_file::change(&places, with)?;
    out!("Written: {}", style::harmless(&file.display().to_string()));
    Ok(ExitStatus::Success)
}

fn chosen(names: &[String]) -> Vec<Preset> {
    names.iter().filter_map(|name| Preset::find(name)).collect()
}
