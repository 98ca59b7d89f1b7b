//! The packages for the Rust registry: each published crate has a page made of its documentation, both licence texts and words to
//! find it by, and everything in it arrives in the package.

use crate::{Failed, Result, cannot, cargo, output, root, run, say, target};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The files that every package has.
const FILES: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// A published crate.
struct Published {
    name: String,
    directory: PathBuf,
    manifest: Value,
    has_library: bool,
}

/// `crates` writes the page of each crate; `crates --check` compares the pages, and builds every package.
pub(crate) fn crates(arguments: &[&str]) -> Result<()> {
    let published = published()?;
    match arguments {
        [] => published.iter().try_for_each(|one| {
            let file = one.directory.join("README.md");
            fs::write(&file, one.page()?).map_err(|error| cannot("write", &file.to_string_lossy(), &error))
        }),
        ["--check"] => {
            for one in &published {
                one.check()?;
            }
            package(&published)
        }
        _ => Err(Failed::Because("use `crates` or `crates --check`".into())),
    }
}

fn published() -> Result<Vec<Published>> {
    let text = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| Failed::Because(error.to_string()))?;
    let packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
    let published =
        packages.filter(|package| package.get("publish").is_some_and(Value::is_null)).map(|package| {
            let word = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let targets = package.get("targets").and_then(Value::as_array).into_iter().flatten();
            let mut kinds = targets.filter_map(|target| target.get("kind")?.as_array()).flatten();
            Published {
                name: word("name"),
                directory: Path::new(&word("manifest_path")).parent().unwrap_or(root()).to_owned(),
                manifest: package.clone(),
                has_library: kinds.any(|kind| kind == "lib"),
            }
        });
    Ok(published.collect())
}

impl Published {
    /// Returns the page of the crate: its documentation, in which links to items are plain names.
    fn page(&self) -> Result<String> {
        let source = self.directory.join(if self.has_library { "src/lib.rs" } else { "src/main.rs" });
        let text =
            fs::read_to_string(&source).map_err(|error| cannot("read", &source.to_string_lossy(), &error))?;
        let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
        let (mut page, mut in_code) = (format!("# {}\n\n", self.name), None);
        for line in lines.map(|line| line.strip_prefix(' ').unwrap_or(line)) {
            if let Some(language) = line.strip_prefix("```") {
                // Code without a language is Rust in documentation, and plain text elsewhere.
                let is_rust = in_code.is_none() && matches!(language, "" | "no_run");
                in_code = if in_code.is_some() { None } else { Some(is_rust || language == "rust") };
                page.push_str(if is_rust { "```rust\n" } else { line });
                page.push_str(if is_rust { "" } else { "\n" });
            } else if in_code == Some(true) {
                // Lines that only make the example compile are not shown.
                if line != "#" && !line.starts_with("# ") {
                    page.push_str(&format!("{line}\n"));
                }
            } else if in_code.is_some() {
                page.push_str(&format!("{line}\n"));
            } else {
                page.push_str(&format!(
                    "{}\n",
                    plain(
                        line.strip_prefix("# ")
                            .map_or(line.to_owned(), |title| format!("## {title}"))
                            .as_str()
                    )
                ));
            }
        }
        page.push_str(
            "\nThis crate is part of Checkrein, a hook engine for coding agents. Licensed under either of MIT or Apache-2.0, at your\n\
             option.\n",
        );
        Ok(page)
    }

    /// Checks what the registry shows.
    fn check(&self) -> Result<()> {
        let name = &self.name;
        let file = self.directory.join("README.md");
        if fs::read_to_string(&file).unwrap_or_default() != self.page()? {
            return Err(Failed::Because(format!(
                "the page of `{name}` is not its documentation; run `cargo xtask crates`"
            )));
        }
        let is_given = |key: &str| match self.manifest.get(key) {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(words)) => !words.is_empty(),
            _ => false,
        };
        let wanted = ["description", "license", "keywords", "categories", "readme", "rust_version"];
        match wanted.into_iter().find(|key| !is_given(key)) {
            Some(missing) => Err(Failed::Because(format!("`{name}` has no `{missing}` in its Cargo.toml"))),
            None => Ok(()),
        }
    }
}

/// Returns a line of documentation without links to items: `[`Item`]` and `[`text`](Item)` become `Item` and `text`.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((item, behind)) = after.split_once("`]") else { break };
        text.push_str(before);
        text.push_str(&format!("`{item}`"));
        let target = behind.strip_prefix('(').and_then(|target| target.split_once(')'));
        rest = target.map_or(behind, |(_, behind)| behind);
    }
    text + rest
}

/// Builds every package without its dependencies, and looks into each.
fn package(published: &[Published]) -> Result<()> {
    say("packing the crates for the Rust registry");
    let directory = target().join("crates");
    let mut command = cargo();
    command.args(["package", "--no-verify", "--allow-dirty", "--quiet", "--target-dir"]).arg(&directory);
    for one in published {
        command.args(["--package", &one.name]);
    }
    run(&mut command)?;
    for one in published {
        let mut list = cargo();
        list.args(["package", "--list", "--allow-dirty", "--package", &one.name]);
        let files = output(&mut list)?;
        if let Some(missing) = FILES.iter().find(|file| files.lines().all(|line| line != **file)) {
            return Err(Failed::Because(format!("the package `{}` has no `{missing}`", one.name)));
        }
    }
    println!("{} crates are ready for the registry, in {}/package", published.len(), directory.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn links_to_items_become_names() {
        assert_eq!(
            plain("a [`Hook`] and [`judge`](crate::judge) and [page](x.md)"),
            "a `Hook` and `judge` and [page](x.md)"
        );
        assert_eq!(plain("`x[0]` stays, [`open"), "`x[0]` stays, [`open");
    }
}
