//! Commands that are kept in a file for something that runs them: `scripts` of a package, `run` of a workflow.
//!
//! The table of these files is `data/run_files.toml`. A part of a file that is no JSON by itself is read as far as it goes.

use crate::{data::RUN_FILES, eval::matters_to_agents, glob};
use serde_json::Value;

/// The way in which commands are kept in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunForm {
    Shell,
    Make,
    Just,
    Json,
    Toml,
    Yaml,
}

/// Files that something runs.
pub(crate) struct RunRow {
    /// Patterns of the ends of their paths, in steps.
    pub(crate) files: &'static [&'static [&'static str]],
    pub(crate) form: RunForm,
    /// The keys that have commands.
    pub(crate) keys: &'static [&'static str],
    /// The keys whose last name is a variable for what is started there.
    pub(crate) variables: &'static [&'static str],
    /// They run on another machine.
    pub(crate) elsewhere: bool,
}

/// Returns true if a path of names fits a key. A name may have dots of its own: `terminal.integrated.env.linux`.
fn is_key(key: &str, path: &[String]) -> bool {
    let fits = |names: &[&str]| {
        let mut keys = key.split('.');
        names.iter().all(|name| keys.next().is_some_and(|key| key == "*" || key == *name))
            && keys.next().is_none()
    };
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let parts: Vec<&str> = names.iter().flat_map(|name| name.split('.')).collect();
    fits(&names) || names.len() != parts.len() && fits(&parts)
}

impl RunRow {
    /// The row of a file.
    pub(super) fn of(path: &str) -> Option<&'static Self> {
        let steps: Vec<&str> = path.split(['/', '\\']).collect();
        let fits = |file: &&'static [&'static str]| match file {
            [above @ .., "**"] => steps.windows(above.len()).any(|steps| *above == *steps),
            file => {
                let end = steps.len().checked_sub(file.len()).and_then(|from| steps.get(from..));
                end.is_some_and(|end| {
                    end.iter().zip(*file).all(|(step, pattern)| glob::matches(pattern, step))
                })
            }
        };
        RUN_FILES.iter().find(|row| row.files.iter().any(&fits))
    }

    /// The commands in the content of such a file.
    pub(super) fn commands(&self, content: &str) -> Vec<String> {
        match self.form {
            RunForm::Shell | RunForm::Make | RunForm::Just => vec![content.to_owned()],
            RunForm::Json => self.of_json(content),
            RunForm::Toml => self.of_toml(content),
            RunForm::Yaml => self.of_yaml(content),
        }
    }

    fn has_key(&self, path: &[String]) -> bool {
        self.keys.iter().any(|key| is_key(key, path))
    }

    /// Returns the command that the value of a key comes to.
    fn command(&self, path: &[String], value: String) -> Option<String> {
        if self.has_key(path) {
            return Some(value);
        }
        let name = path.last().filter(|name| matters_to_agents(name))?;
        let is_variable = self.variables.iter().any(|key| is_key(key, path));
        // Whatever agent is started with it.
        is_variable
            .then(|| format!("export {name}={}; claude -p x; codex exec x", checkrein_shell::quoted(&value)))
    }

    fn of_json(&self, content: &str) -> Vec<String> {
        let Ok(value) = serde_json::from_str::<Value>(content) else {
            // A part of the file, or one with comments: each text in it may be a command.
            return super::script_content::values(content);
        };
        let mut found = Vec::new();
        let mut rest = vec![(Vec::new(), &value)];
        while let Some((path, value)) = rest.pop() {
            let below = |name: &str| path.iter().cloned().chain([name.to_owned()]).collect::<Vec<String>>();
            match value {
                Value::String(text) => found.extend(self.command(&path, text.clone())),
                Value::Object(fields) => rest.extend(fields.iter().map(|(name, value)| (below(name), value))),
                Value::Array(values) => rest.extend(values.iter().map(|value| (below("-"), value))),
                _ => {}
            }
        }
        found
    }

    /// Sections, dotted keys, inline tables and texts of one or several lines.
    fn of_toml(&self, content: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut section: Vec<String> = Vec::new();
        let mut lines = content.lines();
        while let Some(line) = lines.next() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('[') {
                section = names(name.trim_matches(['[', ']']));
                continue;
            }
            let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else {
                continue;
            };
            let path: Vec<String> = section.iter().cloned().chain(names(key)).collect();
            let value = value.trim();
            if let Some((quotes, first)) =
                ["\"\"\"", "'''"].iter().find_map(|quotes| Some((quotes, value.strip_prefix(quotes)?)))
            {
                let mut text = first.to_owned();
                while !text.contains(quotes) {
                    let Some(next) = lines.next() else { break };
                    text = format!("{text}\n{next}");
                }
                let text = text.split(quotes).next().map(str::to_owned);
                found.extend(text.and_then(|text| self.command(&path, text)));
            } else if value.starts_with('{') {
                let fields = value.trim_matches(['{', '}', ' ']).split(',');
                for (name, value) in fields.filter_map(|field| field.split_once('=')) {
                    let path: Vec<String> = path.iter().cloned().chain(names(name)).collect();
                    found.extend(self.command(&path, unquoted(value)));
                }
            } else {
                found.extend(self.command(&path, unquoted(value)));
            }
        }
        found
    }

    fn of_yaml(&self, content: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut lines = content.lines().peekable();
        while let Some(line) = lines.next() {
            let bare = line.trim_start();
            let indent = line.len() - bare.len();
            let entry = bare.strip_prefix("- ").map_or(bare, str::trim_start);
            // An entry of a list begins behind its dash.
            let indent = indent + (bare.len() - entry.len());
            let Some((key, value)) = entry.split_once(':') else { continue };
            if !self.keys.contains(&key.trim_matches(['"', '\''])) {
                continue;
            }
            let value = value.trim();
            if !value.is_empty() && !value.starts_with(['|', '>']) {
                found.push(unquoted(value));
                continue;
            }
            let mut block = Vec::new();
            let is_inside = |line: &&str| {
                let bare = line.trim_start();
                let own = line.len() - bare.len();
                bare.is_empty() || own > indent || own == indent && bare.starts_with("- ")
            };
            while let Some(line) = lines.next_if(is_inside) {
                block.push(line);
            }
            if value.is_empty() {
                let items =
                    block.iter().filter_map(|line| line.trim_start().strip_prefix("- ")).map(unquoted);
                found.extend(items);
            } else {
                found.push(block.iter().map(|line| line.trim_start()).collect::<Vec<_>>().join("\n"));
            }
        }
        found.iter().map(|text| without_expressions(text)).collect()
    }
}

/// The names of a dotted key.
fn names(key: &str) -> Vec<String> {
    key.split('.').map(|name| name.trim().trim_matches(['"', '\'']).to_owned()).collect()
}

fn unquoted(value: impl AsRef<str>) -> String {
    value.as_ref().trim().trim_matches(['"', '\'']).to_owned()
}

/// `${{ … }}` is filled in before a shell sees it: a value that is not known, as a variable is.
fn without_expressions(text: &str) -> String {
    let mut parts = text.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (_, rest) = part.split_once("}}").unwrap_or((part, ""));
        format!("{text}${{EXPRESSION}}{rest}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(path: &str, content: &str) -> Vec<String> {
        let mut found = RunRow::of(path).map(|row| row.commands(content)).unwrap_or_default();
        found.sort();
        found
    }

    #[test]
    fn commands_are_found_by_their_keys() {
        assert_eq!(
            commands("/p/package.json", r#"{"name": "x", "scripts": {"a": "one", "b": "two"}, "bin": "no"}"#),
            ["one", "two"]
        );
        assert_eq!(
            commands(
                "/p/.vscode/tasks.json",
                r#"{"tasks": [{"label": "no", "command": "one"}, {"command": "two"}]}"#
            ),
            ["one", "two"]
        );
        assert_eq!(
            commands(
                "/p/.github/workflows/ci.yml",
                "jobs:\n  a:\n    steps:\n      - run: one\n      - name: x\n        run: |\n          two\n          three ${{ x }}\n      - uses: y\n"
            ),
            ["one", "two\nthree ${EXPRESSION}"]
        );
        assert_eq!(
            commands("/p/.gitlab-ci.yml", "test:\n  script:\n    - one\n    - 'two'\n  image: x\n"),
            ["one", "two"]
        );
        assert_eq!(
            commands(
                "/p/pyproject.toml",
                "[project]\nname = \"x\"\n[tool.poe.tasks]\na = \"one\"\nb = { cmd = \"two\" }\n[tool.poe.tasks.c]\nshell = \"\"\"\nthree\n\"\"\"\n"
            ),
            ["\nthree\n", "one", "two"]
        );
        assert_eq!(commands("/p/tsconfig.json", r#"{"scripts": {"a": "one"}}"#), [""; 0]);
    }
}
