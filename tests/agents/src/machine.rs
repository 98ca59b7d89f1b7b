//! A made-up user's machine: a home directory with settings of both agents, and a project in it.

use checkrein_hosts::install::{Entry, HERMES_CONSENT, Recipe, Wanted, entries, install};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A home directory with the project `shop`.
pub struct Machine {
    directory: TempDir,
}

impl Machine {
    /// Creates a machine on which nothing is set up.
    ///
    /// # Errors
    ///
    /// If nothing can be written.
    pub fn new() -> io::Result<Self> {
        let machine = Self { directory: tempfile::tempdir()? };
        machine.write("shop/.git/HEAD", "ref: refs/heads/main\n")?;
        Ok(machine)
    }

    /// Returns the home directory.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the path of a file below it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.home().join(name)
    }

    /// Writes a file.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.path(name);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, text)
    }

    /// Adds our entries to an agent's file, as `init` does.
    ///
    /// # Errors
    ///
    /// If the file is broken or cannot be written.
    pub fn init(&self, recipe: &Recipe, checkrein: &Path) -> io::Result<()> {
        let program = checkrein.to_string_lossy();
        let entry = |fired| Wanted::new(recipe, recipe.measured, fired, &program);
        let wanted: Vec<Wanted> = recipe.registered(recipe.measured, &[]).map(entry).collect();
        let wanted = Wanted::with_companions(recipe, wanted);
        for wanted in wanted.chunk_by(|one, next| one.file == next.file) {
            let Some(first) = wanted.first() else { continue };
            let name = format!("{}/{}", recipe.directory, first.file);
            let old = fs::read_to_string(self.path(&name)).unwrap_or_default();
            let new = install(&old, recipe, wanted).map_err(|defect| io::Error::other(defect.to_string()))?;
            self.write(&name, &new.text)?;
        }
        Ok(())
    }

    /// Agrees to our hooks in Hermes' words, and enables our plugin in OpenClaw's, as a user does.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn agree(&self, recipe: &Recipe) -> io::Result<()> {
        let settings = fs::read_to_string(self.path(recipe.directory).join(recipe.file))?;
        let all = entries(&settings, recipe).map_err(|defect| io::Error::other(defect.to_string()))?;
        match recipe.host {
            "hermes" => {
                let approval = |entry: &Entry| serde_json::json!({"event": entry.key, "command": entry.handler.get("command")});
                let consent = serde_json::json!({"approvals": all.iter().map(approval).collect::<Value>()});
                self.write(&format!("{}/{HERMES_CONSENT}", recipe.directory), &consent.to_string())
            }
            "openclaw" => {
                let entry = serde_json::json!({"enabled": true, "hooks": {"allowConversationAccess": true}});
                let settings = serde_json::json!({"plugins": {"entries": {"checkrein": entry}}});
                self.write(&format!("{}/openclaw.json", recipe.directory), &settings.to_string())
            }
            _ => Ok(()),
        }
    }

    /// Trusts the project in Gemini CLI's words, as a user does when it starts there first.
    ///
    /// # Errors
    ///
    /// If the list cannot be written.
    pub fn trust_project(&self) -> io::Result<()> {
        let list = serde_json::json!({self.path("shop").to_string_lossy(): "TRUST_FOLDER"});
        self.write(".gemini/trustedFolders.json", &list.to_string())
    }

    /// Records in Codex's configuration that the user has trusted every hook, in Codex's own format.
    ///
    /// # Errors
    ///
    /// If the hooks cannot be read or the configuration cannot be written.
    pub fn trust(&self) -> io::Result<()> {
        let file = self.path(".codex/hooks.json");
        let hooks: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
        let mut text = fs::read_to_string(self.path(".codex/config.toml")).unwrap_or_default();
        for (event, groups) in hooks.get("hooks").and_then(Value::as_object).into_iter().flatten() {
            let snake: String = event
                .chars()
                .flat_map(|c| if c.is_uppercase() { vec!['_', c.to_ascii_lowercase()] } else { vec![c] })
                .skip(1)
                .collect();
            for (at, group) in groups.as_array().into_iter().flatten().enumerate() {
                let handlers = group.get("hooks").and_then(Value::as_array).into_iter().flatten();
                for (index, handler) in handlers.enumerate() {
                    let field = |name: &str| handler.get(name).cloned().unwrap_or_default();
                    let matcher = group.get("matcher").map(|matcher| format!(",\"matcher\":{matcher}"));
                    let identity = format!(
                        "{{\"event_name\":\"{snake}\",\"hooks\":[{{\"async\":false,\"command\":{},\"timeout\":{},\"type\":\"command\"}}]{}}}",
                        field("command"),
                        field("timeout"),
                        matcher.unwrap_or_default(),
                    );
                    let sum: String = Sha256::digest(identity.as_bytes())
                        .iter()
                        .map(|byte| format!("{byte:02x}"))
                        .collect();
                    let key = format!("{}:{snake}:{at}:{index}", file.display());
                    // Writing to a string cannot fail.
                    let _ = write!(text, "[hooks.state.\"{key}\"]\ntrusted_hash = \"sha256:{sum}\"\n\n");
                }
            }
        }
        self.write(".codex/config.toml", &text)
    }
}
