//! The commented default configuration, generated from the definitions of the keys.

use crate::config::{
    fields::one_of,
    keys::{Absent, FILE, Key, KeyType, Table, join},
};

/// The longest line, in characters.
const WIDTH: usize = 118;

/// The longest list of words that is shown.
const FEW_WORDS: usize = 4;

const HEAD: &str = "\
# The configuration of Checkrein, with every key and its default. Everything is commented out, so this file changes
# nothing: remove the `#` from the lines that you want. Prose has a space after its `#`; settings do not.
#
# Where it goes:
#   /etc/checkrein/config.toml             managed: from the administrator; lower layers cannot take it away
#   $XDG_CONFIG_HOME/checkrein/config.toml user: your own, for all projects (~/.config without that variable)
#   .checkrein.toml                        project: from the repository's root down to the working directory; its
#                                          hooks run only after `checkrein trust`
#   --config FILE                          for one command
# All of them are active together, in this order. A lower layer adds hooks; it can disable only hooks that a higher
# one has marked as overridable.
#
# `checkrein hooks` shows what is active. `checkrein test` runs the tests next to it in `*.test.toml`.
# `checkrein schema > checkrein.schema.json` writes the schema, and with `#:schema ./checkrein.schema.json` as the first
# line of a file an editor completes and checks the keys. `checkrein schema KEY` explains one key.
";

/// Returns a configuration with every key, its documentation and its default, in which everything is commented out.
pub fn default_config() -> String {
    let mut text = HEAD.to_owned();
    add_keys(&FILE, "", &mut text);
    text
}

/// Adds the keys of a table with this name: first the plain ones, then the tables in it.
fn add_keys(table: &Table, name: &str, text: &mut String) {
    let is_inline = |key: &&Key| match key.holds {
        KeyType::Table(_) => !key.example_value().is_empty(),
        KeyType::Tables(_) => false,
        _ => true,
    };
    for key in table.keys.iter().filter(is_inline) {
        let example = key.example_value();
        // A key without an example is an alternative to another one, and has its own example below.
        if example.is_empty() {
            continue;
        }
        text.push('\n');
        comment(&with_words(key), text);
        if let KeyType::Table(inner) = key.holds {
            for key in inner.keys {
                comment(&format!("  {}: {}", key.name, key.full_text()), text);
            }
        }
        text.push_str(&format!("#{} = {example}\n", key.name));
    }
    for key in table.keys.iter().filter(|key| !is_inline(key)) {
        text.push('\n');
        comment(&key.full_text(), text);
        let name = join(name, key.name);
        match key.holds {
            KeyType::Tables(inner) => {
                text.push_str(&format!("#[[{name}]]\n"));
                add_keys(inner, &name, text);
                add_examples(inner, text);
            }
            KeyType::Table(inner) => {
                text.push_str(&format!("#[{name}]\n"));
                add_keys(inner, &name, text);
            }
            _ => {}
        }
    }
}

fn add_examples(table: &Table, text: &mut String) {
    for (about, settings) in table.examples {
        text.push('\n');
        comment(about, text);
        // The keys that no other place of the file explains.
        for key in table.keys.iter().filter(|key| key.example_value().is_empty()) {
            if settings.lines().any(|line| line.starts_with(&format!("{} =", key.name))) {
                comment(&format!("`{}`: {}", key.name, key.full_text()), text);
            }
        }
        text.push_str(&format!("#[[{}]]\n", table.name));
        for line in settings.lines() {
            text.push_str(&format!("#{line}\n"));
        }
    }
}

/// Returns the text of a key, with the words that it accepts, if they are few.
fn with_words(key: &Key) -> String {
    let text = key.full_text();
    match key.holds {
        KeyType::Word(words) if words().len() <= FEW_WORDS => format!("{text} Values: {}.", one_of(&words())),
        KeyType::Seconds(most) | KeyType::Whole(most) if matches!(key.absent, Absent::Default(_)) => {
            format!("{text} At most {most}.")
        }
        _ => text,
    }
}

/// Adds a comment, wrapped. Spaces at its start indent all of its lines.
fn comment(prose: &str, text: &mut String) {
    let indent = " ".repeat(prose.len() - prose.trim_start().len());
    let mut line = format!("# {indent}");
    let mut is_first = true;
    for word in prose.split_whitespace() {
        if !is_first && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = format!("# {indent}");
            is_first = true;
        }
        if !is_first {
            line.push(' ');
        }
        line.push_str(word);
        is_first = false;
    }
    text.push_str(&line);
    text.push('\n');
}
