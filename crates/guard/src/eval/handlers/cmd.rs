//! `cmd.exe /c text`: the text is put into the words of a shell, command by command.
//!
//! Nothing here nests: brackets only separate commands, and words before a command (`call`, `if …`, `for … do`) are removed
//! one after another, so nothing can be nested too deeply.

use crate::eval::{Evaluator, Frame, flow::Flow, foreign_shell::of_cmd, handlers::Call};
use checkrein_shell::{Source, StandIns, Word};

/// Returns the text as commands of a shell, a line for each. `printed` takes the place of a command's output.
fn in_words_of_a_shell(text: &str, printed: &str) -> String {
    // The values of loop variables.
    let mut loops: Vec<(String, String)> = Vec::new();
    let mut made = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = end_of(rest);
        let piece = rest.get(..end).unwrap_or_default();
        let after = rest.get(end..).unwrap_or_default();
        rest = after.trim_start_matches(['(', ')']);
        let (word, body) = first_word(command(piece));
        // `for /f "…" %i in (…) do …`: what is in the brackets is a list, or a command that prints it.
        if word.eq_ignore_ascii_case("for") && after.starts_with('(') {
            let close = after.find(')').unwrap_or(after.len());
            let list = after.get(1..close).unwrap_or_default().trim();
            let name = body.split_whitespace().find(|word| word.starts_with('%')).unwrap_or_default();
            let command = list.strip_prefix(['\'', '`']).map(|command| command.trim_end_matches(['\'', '`']));
            let value = if command.is_some() { printed } else { list };
            if !name.is_empty() {
                loops.push((name.to_owned(), value.to_owned()));
            }
            if let Some(command) = command {
                made.push_str(&line(command));
            }
            rest = after.get(close..).unwrap_or_default().trim_start_matches(')');
            continue;
        }
        let piece = loops.iter().rev().fold(piece.to_owned(), |piece, (name, value)| {
            if piece.len() > checkrein_shell::MAX_BYTES { piece } else { piece.replace(name.as_str(), value) }
        });
        made.push_str(&line(&piece));
        let operators = rest.len() - rest.trim_start_matches(['&', '|']).len();
        if rest.starts_with('|') && !rest.starts_with("||") {
            made.push_str(" | ");
        } else {
            made.push('\n');
        }
        rest = rest.get(operators..).unwrap_or_default();
        // A bracket that opens the next command separates nothing more.
        rest = rest.trim_start_matches(|char: char| is_space(char) || char == '(');
    }
    // A pipe that nothing follows.
    made.trim_end_matches(|char: char| is_space(char) || char == '|').to_owned()
}

/// Returns the end of the command at the start: an operator or a bracket outside quotes.
fn end_of(text: &str) -> usize {
    let mut quoted = false;
    let mut escaped = false;
    for (place, char) in text.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match char {
            '"' => quoted = !quoted,
            '^' if !quoted => escaped = true,
            '&' | '|' | '(' | ')' | '\n' if !quoted => return place.max(usize::from(char == '\n')),
            _ => {}
        }
    }
    text.len()
}

fn is_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '@' | ',' | ';')
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|char: char| char.is_whitespace()).unwrap_or(text.len());
    (text.get(..end).unwrap_or_default(), text.get(end..).unwrap_or_default().trim_start())
}

/// The rest after so many words.
fn skip(text: &str, words: usize) -> &str {
    (0..words).fold(text, |text, _| first_word(text).1)
}

/// One command without the words that only say when and how it runs.
fn command(text: &str) -> &str {
    let mut text = text.trim_matches(is_space);
    loop {
        let (word, rest) = first_word(text);
        let lower = word.to_ascii_lowercase();
        let name = lower.rsplit(['/', '\\']).next().unwrap_or_default();
        let next = match name.strip_suffix(".exe").unwrap_or(name) {
            "call" | "do" | "else" => rest,
            // `start "title" /b command`
            "start" => {
                let mut rest = rest;
                if let Some(title) = rest.strip_prefix('"') {
                    rest = title.split_once('"').map_or("", |(_, rest)| rest).trim_start();
                }
                while rest.starts_with('/') && first_word(rest).0.len() > 1 {
                    rest = first_word(rest).1;
                }
                rest
            }
            "cmd" => {
                let mut rest = rest;
                while rest.starts_with('/') {
                    rest = first_word(rest).1;
                }
                rest.strip_prefix('"').map_or(rest, |inner| inner.strip_suffix('"').unwrap_or(inner))
            }
            // `if /i not exist file command`, `if a == b command`
            "if" => {
                let mut rest = rest;
                while matches!(first_word(rest).0.to_ascii_lowercase().as_str(), "/i" | "not") {
                    rest = first_word(rest).1;
                }
                let (first, after) = first_word(rest);
                let operator = first_word(after).0.to_ascii_lowercase();
                match first.to_ascii_lowercase().as_str() {
                    "exist" | "defined" | "errorlevel" | "cmdextversion" => skip(rest, 2),
                    _ if matches!(
                        operator.as_str(),
                        "==" | "equ" | "neq" | "lss" | "leq" | "gtr" | "geq"
                    ) =>
                    {
                        skip(rest, 3)
                    }
                    _ => skip(rest, 1),
                }
            }
            _ => return text,
        };
        text = next.trim_matches(is_space);
    }
}

/// One command as a line of a shell.
fn line(text: &str) -> String {
    let text = command(text);
    let words: Vec<String> = words(text);
    if let Some(made) = of_cmd(&words) {
        return made;
    }
    let mut made = String::new();
    let mut quoted = false;
    let mut escaped = false;
    for char in text.chars() {
        match char {
            _ if escaped => {
                escaped = false;
                if !char.is_alphanumeric() {
                    made.push('\\');
                }
                made.push(char);
            }
            '^' if !quoted => escaped = true,
            '"' => {
                quoted = !quoted;
                made.push('"');
            }
            '\\' => made.push('/'),
            '$' | '`' => {
                made.push('\\');
                made.push(char);
            }
            '\'' | '#' | ';' | '~' if !quoted => {
                made.push('\\');
                made.push(char);
            }
            char => made.push(char),
        }
    }
    crate::eval::foreign_shell::variables(&made)
}

/// Returns the words of a command: only double quotes keep spaces.
fn words(text: &str) -> Vec<String> {
    crate::eval::foreign_shell::split(&text.replace('^', ""))
}

/// Follows `cmd`.
pub(in crate::eval) fn cmd(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    let is_start = |word: &Word| {
        let lead = word.lead().to_ascii_lowercase();
        matches!(lead.trim_start_matches('/'), "c" | "k") && lead.starts_with('/')
    };
    let Some(place) = rest.iter().position(is_start) else {
        evaluator.consume_typed(&frame.stdin, frame);
        if frame.stdin.text.is_some() || frame.stdin.typed {
            evaluator.run_content(&frame.stdin.clone(), frame);
        }
        return Flow::default();
    };
    let words = rest.get(place + 1..).unwrap_or_default();
    let mut text = Source::default();
    for (place, word) in words.iter().enumerate() {
        text.push_text(if place > 0 { " " } else { "" });
        text.push_source(&Source::of_word(&evaluator.carried(word)));
    }
    if !evaluator.sink.burn(text.len()) {
        return Flow::default();
    }
    let (text, mut stand_ins) = StandIns::of((&text).into());
    let printed = stand_ins.add(evaluator.hole(Flow::default()), &text).map(String::from).unwrap_or_default();
    evaluator.follow_text(&stand_ins.restore(&in_words_of_a_shell(&text, &printed)), frame)
}

#[cfg(test)]
mod tests {
    use super::in_words_of_a_shell;

    #[test]
    fn commands_are_found_after_what_precedes_them() {
        for (text, made) in [
            ("dir", "dir"),
            (r"call rd /s /q D:\old", "rd /s /q D:/old"),
            (r"((rd /s /q D:\old))", "rd /s /q D:/old"),
            (r"@start /b rd /s /q D:\old", "rd /s /q D:/old"),
            (r#"start "a title" rd /s /q D:\old"#, "rd /s /q D:/old"),
            (r"if exist D:\old rd /s /q D:\old", "rd /s /q D:/old"),
            (r"if not a==b (rd /s /q D:\old) else echo a", "rd /s /q D:/old\necho a"),
            (r"for /d %d in (D:\a D:\b) do rd /s /q %d", "rd /s /q D:/a D:/b"),
            (r"cmd /c cmd /c rd /s /q D:\old", "rd /s /q D:/old"),
            (r"r^d /s /q D:\old", "rd /s /q D:/old"),
            (r"echo a & type D:\x | sort", "echo a\ncat D:/x | sort"),
            (r#"git commit -m "a & b""#, r#"git commit -m "a & b""#),
        ] {
            let found: Vec<String> = in_words_of_a_shell(text, "…")
                .lines()
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                .filter(|line| !line.is_empty())
                .collect();
            assert_eq!(found.join("\n"), made, "{text}");
        }
    }
}
