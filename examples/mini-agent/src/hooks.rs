//! The pipeline of this agent: its tools, the hooks of every layer, the built-in judge, and the approver.

use crate::{
    approval::{Lines, Mode, User},
    view,
};
use checkrein_harness::{
    Pipeline, Toolbox,
    checkrein::{Config, Layer, LayeredConfig, Places, trust::Store, variable},
};
use std::path::Path;

/// Builds the pipeline. Broken hooks are an error: an agent without its hooks is not the agent that the
/// user configured.
pub(crate) fn pipeline(
    tools: Toolbox,
    cwd: &Path,
    file: Option<&Path>,
    mode: Mode,
    lines: &Lines,
) -> Result<Pipeline<Toolbox>, String> {
    let places = Places::of(variable).project(cwd);
    let stack = LayeredConfig::load(&places).map_err(|problems| problems.to_string())?;
    let stack = match file {
        Some(file) => {
            let mut configs = stack.configs().to_vec();
            configs.push(hooks_file(file, cwd)?);
            LayeredConfig::new(configs, places.state.as_deref().map(Store::new))
        }
        None => {
            // Working in a cloned directory must not run its code.
            let list = cwd.join(".mini-coding-agent/hooks.json");
            if list.exists() {
                view::remark(&format!(
                    "{} is not used; name it with `--hooks-file` if you trust it",
                    list.display()
                ));
            }
            stack
        }
    };
    Pipeline::builder(tools)
        .host("mini-agent")
        .remarks(view::remark)
        .stack(&stack, places.state.as_deref())
        .map_err(|problems| problems.to_string())?
        .approver(User { mode, lines: lines.clone() })
        .build()
        .map_err(|error| error.to_string())
}

/// Reads the file from the command line. Naming it there means trusting it.
///
/// Our own files name their scripts relative to the directory of the file. mini-coding-agent's lists name
/// theirs relative to the agent's working directory, somewhere above the list; so a list is read from the
/// first directory that has everything it names.
fn hooks_file(file: &Path, cwd: &Path) -> Result<Config, String> {
    let config = Config::load(file).map_err(|problems| problems.to_string())?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    if !text.trim_start().starts_with('[') || text.trim_start().starts_with("[[") {
        return Ok(config);
    }
    let own = config.directory().to_owned();
    let directories = [Some(own.as_path()), own.parent(), Some(cwd)];
    for directory in directories.into_iter().flatten() {
        let moved =
            Config::parse_as(Layer::Flag, &text, &directory.join(file.file_name().unwrap_or_default()))
                .map_err(|problems| problems.to_string())?;
        if is_complete(&moved) {
            return Ok(moved);
        }
    }
    // A missing script denies when it is called, and the reason names it.
    Ok(config)
}

/// Returns true if everything exists that a configuration names: scripts, and modules of Python functions.
fn is_complete(config: &Config) -> bool {
    let stack = LayeredConfig::new(vec![config.clone()], None);
    stack.rows(None).iter().all(|row| {
        let module = row
            .as_json()
            .get("callable")
            .and_then(|callable| Some(callable.as_str()?.split(':').next()?.replace('.', "/")));
        let found = module.is_none_or(|module| {
            let file = config.directory().join(module);
            file.with_extension("py").is_file() || file.join("__init__.py").is_file()
        });
        found && row.missing_program().is_none()
    })
}
