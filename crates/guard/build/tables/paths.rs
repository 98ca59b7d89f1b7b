//! `data/paths.toml`: what paths are.

use super::{
    constant,
    document::{Result, Section, Text, plain},
    words::member,
};
use crate::vocabulary::Tag;
use std::cmp::Reverse;

/// A pattern of paths that have a tag, or that do not have it although another pattern fits.
pub(super) struct TaggedPattern {
    /// The source of the tag.
    pub(super) tag: String,
    pub(super) not: bool,
    pub(super) text: Text,
}

/// Returns the source of all tables about paths.
pub(super) fn table(file: &Section, agents: &[TaggedPattern]) -> Result<String> {
    const LISTS: [&str; 6] = ["system", "personal", "made", "hook_files", "plugin_notes", "plugin_copies"];
    const PATTERNS: [&str; 4] = ["caches", "nowhere", "temporary", "fetched"];
    const OTHERS: [&str; 6] = ["agent_programs", "belongings", "remembered", "homes", "generated", "tags"];
    file.only(&[LISTS.as_slice(), &PATTERNS, &OTHERS].concat())?;
    let mut code = String::new();
    for key in LISTS {
        code.push_str(&constant(key, "&[&str]", &format!("&{:?}", plain(&file.strings(key)?))));
    }
    let programs = plain(&file.strings("agent_programs")?);
    code.push_str("/// The programs of agents, by the names that people call.\n");
    code.push_str(&format!("pub static AGENT_PROGRAMS: &[&str] = &{programs:?};\n"));
    code.push_str(&belongings(file)?);
    code.push_str(&homes(file)?);
    code.push_str(&generated(file)?);
    for key in PATTERNS {
        let patterns: String =
            file.strings(key)?.iter().map(|text| format!("{}, ", pattern(text.text, false))).collect();
        code.push_str(&constant(key, "&[Pattern]", &format!("&[{patterns}]")));
    }
    code.push_str(&tags(file, agents)?);
    Ok(code)
}

/// Returns the files that the guard itself depends on, and whether it alone reads them.
fn belongings(file: &Section) -> Result<String> {
    let mut rows = Vec::new();
    for (key, is_remembered) in [("belongings", false), ("remembered", true)] {
        rows.extend(file.strings(key)?.iter().map(|path| (path.text, is_remembered)));
    }
    Ok(constant("belongings", "&[(&str, bool)]", &format!("&{rows:?}")))
}

/// Returns the variables that move a directory: the variable, what is below its value, and the directory that it replaces.
fn homes(file: &Section) -> Result<String> {
    let mut homes = Vec::new();
    for row in file.strings("homes")? {
        let (variable, directory) =
            row.text.split_once(' ').ok_or_else(|| row.problem("expected a variable and a directory"))?;
        let (variable, below) = variable.split_at(variable.find('/').unwrap_or(variable.len()));
        homes.push((variable, below, directory));
    }
    // The longest first, so that the most specific variable counts.
    homes.sort_by_key(|(.., directory)| Reverse(directory.len()));
    Ok(constant("homes", "&[(&str, &str, &str)]", &format!("&{homes:?}")))
}

fn generated(file: &Section) -> Result<String> {
    let generated = plain(&file.strings("generated")?);
    let (globs, mut names): (Vec<&str>, Vec<&str>) = generated.into_iter().partition(|name| is_glob(name));
    names.sort_unstable();
    Ok(constant("generated", "Names", &format!("Names {{ exact: &{names:?}, globs: &{globs:?} }}")))
}

/// Returns the patterns of tags by where they start and by their first step, so that a path is compared with the few that can fit.
fn tags(file: &Section, agents: &[TaggedPattern]) -> Result<String> {
    let mut own = Vec::new();
    for (tag, patterns) in file.section("tags")?.entries() {
        let tag = member::<Tag>(tag)?;
        for text in patterns.strings()? {
            let (not, rest) = text.text.strip_prefix('!').map_or((false, text.text), |rest| (true, rest));
            own.push(TaggedPattern { tag: tag.clone(), not, text: text.part(rest) });
        }
    }
    let tagged = || own.iter().chain(agents);
    let mut code = String::new();
    for (base, name) in [("~/", "home_tags"), ("/", "root_tags"), ("", "name_tags")] {
        let (mut exact, mut globs) = (Vec::new(), Vec::new());
        for pattern in tagged().filter(|pattern| base_of(pattern.text.text) == base) {
            let first = pattern.text.text.trim_start_matches(base).split('/').next().unwrap_or_default();
            let entry = keyed(first, pattern);
            match ending(first) {
                Some(ending) => exact.push((ending, keyed(ending, pattern))),
                None if is_glob(first) => globs.push(entry),
                None => exact.push((first, entry)),
            }
        }
        exact.sort_by_key(|(first, _)| *first);
        let exact: String = exact.into_iter().map(|(_, entry)| entry).collect();
        let value = format!("TagTable {{ exact: &[{exact}], globs: &[{}] }}", globs.concat());
        code.push_str(&constant(name, "TagTable", &value));
    }
    Ok(code)
}

/// Returns the root of a pattern.
fn base_of(pattern: &str) -> &'static str {
    if pattern.starts_with("~/") {
        "~/"
    } else if pattern.starts_with('/') {
        "/"
    } else {
        ""
    }
}

/// Returns the ending by which names are found that `*.ext` fits.
fn ending(step: &str) -> Option<&str> {
    let ending = step.strip_prefix('*').filter(|ending| ending.starts_with('.') && !is_glob(ending))?;
    ending.rfind('.').and_then(|dot| ending.get(dot..))
}

fn keyed(key: &str, tagged: &TaggedPattern) -> String {
    format!("({key:?}, {}, {}), ", tagged.tag, pattern(tagged.text.text, tagged.not))
}

fn pattern(text: &str, not: bool) -> String {
    let rest = text.strip_prefix("~/").or(text.strip_prefix('/')).unwrap_or(text);
    let steps: Vec<&str> = rest.split('/').collect();
    format!("Pattern {{ steps: &{steps:?}, not: {not} }}")
}

fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '['])
}
