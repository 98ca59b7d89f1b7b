//! Texts for the shells of Windows, PowerShell and `cmd.exe`, that a call gives to this one.
//!
//! A tool called `Bash` runs on Windows, too, and models write the commands that they know. Read as bash, such a text means
//! something else: a backslash takes the next letter, and `Remove-Item` is not a program. So a command of PowerShell is read by
//! the reader of PowerShell, and one of `cmd.exe` is put into the words of a shell first.

use super::{Evaluator, Frame};
use checkrein_code::{Language, Started};
use checkrein_shell::{Script, SimpleCommand, Word};

/// Commands of PowerShell, which may have letters of any case, and short names that no other shell has.
const OF_POWERSHELL: [&str; 18] = [
    "remove-item",
    "get-childitem",
    "get-item",
    "get-content",
    "set-content",
    "clear-content",
    "copy-item",
    "move-item",
    "rename-item",
    "new-item",
    "out-file",
    "invoke-expression",
    "invoke-webrequest",
    "invoke-restmethod",
    "set-location",
    "gci",
    "iwr",
    "irm",
];

/// Commands of `cmd.exe` that do something to files or disks.
const OF_CMD: [&str; 11] =
    ["rd", "rmdir", "del", "erase", "deltree", "format", "copy", "xcopy", "move", "ren", "type"];

impl Evaluator<'_> {
    /// Reads the text as PowerShell, if a command in it is one of PowerShell's.
    pub(super) fn follow_powershell(&mut self, script: &Script, text: &str, frame: &Frame) {
        if is_powershell(script) {
            self.follow_code(Language::PowerShell, text, &Started::default(), frame);
        }
    }

    /// The command in the words of a shell, if it is one of `cmd.exe`.
    pub(super) fn command_of_cmd(&self, simple: &SimpleCommand) -> Option<String> {
        // Most commands end here.
        let name = simple.words.first()?.lead().split('/').next().unwrap_or_default();
        if !OF_CMD.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return None;
        }
        let text = &self.scope()?.text;
        of_cmd(&simple.words.iter().flat_map(|word| as_written(word, text)).collect::<Vec<_>>())
    }
}

/// Returns true if a command of the text is PowerShell: `Verb-Noun`, or a parameter as only PowerShell has it.
fn is_powershell(script: &Script) -> bool {
    let is_name = |name: &str| {
        let has_capital =
            |part: &str| part.starts_with(|char: char| char.is_ascii_uppercase()) && part.len() > 1;
        OF_POWERSHELL.iter().any(|known| known.eq_ignore_ascii_case(name))
            || name.split_once('-').is_some_and(|(verb, noun)| {
                has_capital(verb) && has_capital(noun) && verb.chars().all(|char| char.is_ascii_alphabetic())
            })
    };
    let is_parameter = |word: &Word| {
        let lead = word.lead();
        lead.starts_with('-')
            && (lead.eq_ignore_ascii_case("-recurse") || lead.eq_ignore_ascii_case("-erroraction"))
    };
    script.commands.iter().any(|simple| {
        simple.words.split_first().is_some_and(|(name, rest)| {
            is_name(name.lead())
                || rest.iter().any(is_parameter)
                || name.lead() == "ri" && rest.iter().any(|word| word.lead().eq_ignore_ascii_case("-fo"))
        })
    })
}

/// A command of `cmd.exe` as a shell would have it: `rd/s/q %TEMP%\\x` is `rd /s /q /tmp/x`. None if nothing in it shows that it is
/// one.
pub(super) fn of_cmd(words: &[String]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    // A switch needs no space before it.
    let (name, glued) = match first.find('/') {
        Some(place) => first.split_at(place),
        None => (first.as_str(), ""),
    };
    let name = name.to_ascii_lowercase();
    let deletes = matches!(name.as_str(), "rd" | "rmdir" | "del" | "erase" | "deltree" | "format");
    let shows = |word: &String| {
        deletes && switches(word).is_some()
            || word.contains(":\\")
            || word.contains(".\\")
            || variables(word) != *word
    };
    if glued.is_empty() && !rest.iter().any(shows) {
        return None;
    }
    let mut made = if name == "type" { "cat".to_owned() } else { name };
    for word in
        std::iter::once(glued.to_owned()).filter(|glued| !glued.is_empty()).chain(rest.iter().cloned())
    {
        match switches(&word) {
            Some(letters) => letters.iter().for_each(|letter| made.push_str(&format!(" /{letter}"))),
            None => {
                let path = variables(&word).replace('\\', "/");
                // A space or a special character of the shell is a part of the name.
                let plain = |char: char| char.is_alphanumeric() || "/.:*?$_-~+,=@%".contains(char);
                if path.chars().all(plain) {
                    made.push_str(&format!(" {path}"));
                } else {
                    let quoted: String =
                        path.chars().filter(|char| !matches!(char, '"' | '`' | '\\')).collect();
                    made.push_str(&format!(" \"{quoted}\""));
                }
            }
        }
    }
    // A text that already is a shell's is followed as it is.
    (made != words.join(" ")).then_some(made)
}

/// The letters of switches that are written together: `/s/q`. What has more letters is a path.
fn switches(word: &str) -> Option<Vec<char>> {
    let letter = |text: &str| {
        let name = text.split(':').next().unwrap_or_default();
        let mut chars = name.chars();
        chars.next().filter(|char| char.is_ascii_alphabetic() && chars.next().is_none())
    };
    let letters: Option<Vec<char>> = word.strip_prefix('/')?.split('/').map(letter).collect();
    Some(letters?.iter().map(char::to_ascii_lowercase).collect())
}

/// The word with the variables that every Windows has as what they are, and others as those of a shell.
pub(super) fn variables(word: &str) -> String {
    let mut made = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('%') {
        made.push_str(before);
        let named = after.split_once('%').filter(|(name, _)| {
            !name.is_empty() && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
        });
        let Some((name, tail)) = named else {
            made.push('%');
            rest = after;
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "userprofile" | "homepath" => made.push_str("$HOME"),
            "temp" | "tmp" => made.push_str("/tmp"),
            "systemroot" | "windir" => made.push_str("C:/Windows"),
            "systemdrive" => made.push_str("C:"),
            "cd" => made.push('.'),
            _ => made.push_str(&format!("${{{name}}}")),
        }
        rest = tail;
    }
    made.push_str(rest);
    made
}

/// Splits a shell word into the words that it is to `cmd.exe`, where a backslash is literal and does not escape a
/// space.
fn as_written(word: &Word, text: &str) -> Vec<String> {
    let raw = text.get(word.span.clone()).unwrap_or_default().replace("\\\n", "");
    if raw.contains('\\') && !raw.contains(['\'', '$']) {
        return split(&raw);
    }
    vec![word.constant().map_or(raw, std::borrow::Cow::into_owned)]
}

/// Returns the words of `cmd.exe`: only double quotes keep spaces.
pub(super) fn split(source: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for char in source.chars() {
        match char {
            '"' => quoted = !quoted,
            char if char.is_whitespace() && !quoted => words.push(String::new()),
            char => {
                if let Some(word) = words.last_mut() {
                    word.push(char);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{of_cmd, split};

    #[test]
    fn commands_of_cmd_are_put_into_the_words_of_a_shell() {
        for (source, made) in [
            (r"rd/s/q D:\old", Some("rd /s /q D:/old")),
            (r"RD /Q .\out /S", Some("rd /q ./out /s")),
            (r"del /f/s/q %TEMP%\*.tmp", Some("del /f /s /q /tmp/*.tmp")),
            (r#"del "C:\Old Files\a.txt""#, Some("del \"C:/Old Files/a.txt\"")),
            (r"type %USERPROFILE%\notes.txt", Some("cat $HOME/notes.txt")),
            (r"del %FOLDER%\x", Some("del \"${FOLDER}/x\"")),
            ("rmdir empty", None),
            ("rmdir /s", None),
            (r"rmdir a\ b", None),
            ("type ls", None),
            ("del /srv/old", None),
        ] {
            assert_eq!(of_cmd(&split(source)).as_deref(), made, "{source}");
        }
    }
}
