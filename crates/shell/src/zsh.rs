//! Translates what only zsh understands into bash, for a text that bash refuses.
//!
//! Three forms are rewritten: short loops (`for f (a b) command`), qualifiers and groups in patterns (`*.rs(.om)`, `*.(a|b)`), and
//! `=(command)`. A pattern becomes one that fits at least as much. Qualifiers that run code are left as they are.

/// Returns the text as bash would read it, if there is something in it that only zsh understands.
pub fn as_bash(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    let mut changed = false;
    // Where the current word begins in what was written.
    let mut word = 0;
    while let Some(char) = rest.chars().next() {
        if word == out.len()
            && let Some((short, left)) = short_loop(rest)
        {
            out.push_str(&short);
            rest = left;
            word = out.len();
            changed = true;
            continue;
        }
        if char == '('
            && let Some((inside, left)) = group(rest)
        {
            let before = out.get(word..).unwrap_or_default();
            let pattern = before.contains(['*', '?', ']']) || !before.is_empty() && inside.contains('|');
            if before == "=" {
                // A file that holds what the command prints.
                out.truncate(word);
                out.push_str(&format!("<({inside})"));
                (rest, changed) = (left, true);
                continue;
            }
            if pattern && !before.contains(['=', '$', '@', '!', '+']) && is_quiet(inside) {
                if inside.contains('|') {
                    out.push('*');
                }
                (rest, changed) = (left, true);
                continue;
            }
        }
        let taken = match char {
            '\\' => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            '\'' => rest.get(1..).and_then(|inner| inner.find('\'')).map_or(rest.len(), |end| end + 2),
            '"' => quoted(rest),
            _ => char.len_utf8(),
        };
        out.push_str(rest.get(..taken).unwrap_or(rest));
        rest = rest.get(taken..).unwrap_or_default();
        if char.is_whitespace() || matches!(char, ';' | '&' | '|') {
            word = out.len();
        }
    }
    changed.then_some(out)
}

/// The length of a text in double quotes.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the content of the parenthesis at the start of a text, and the text after it.
fn group(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices() {
        match char {
            '(' => depth += 1,
            ')' if depth == 1 => return Some((text.get(1..at)?, text.get(at + 1..)?)),
            ')' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Returns true if glob qualifiers only select files: `e` and `+` run code for each file.
fn is_quiet(inside: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || ".,/@=*^%:-[]|~#?_".contains(char);
    let runs = inside.starts_with(['e', '+'])
        || inside.contains("e:")
        || inside.contains("e[")
        || inside.contains("e'");
    !inside.is_empty()
        && inside.chars().all(plain)
        && (!runs || inside.contains('|') && !inside.contains(':'))
}

/// `for name (words) command` with its end, and what follows it.
fn short_loop(text: &str) -> Option<(String, &str)> {
    let after = text.strip_prefix("for ").or_else(|| text.strip_prefix("foreach "))?.trim_start();
    let end = after.find(|char: char| !char.is_ascii_alphanumeric() && char != '_')?;
    let (name, after) = after.split_at(end);
    let after = after.trim_start_matches([' ', '\t']);
    if name.is_empty() || !after.starts_with('(') || after.starts_with("((") {
        return None;
    }
    let (words, after) = group(after)?;
    let after = after.trim_start_matches([' ', '\t', ';']);
    if after.trim_start().starts_with("do") && !after.trim_start().starts_with("dot") {
        return Some((format!("for {name} in {words}; "), after));
    }
    let (body, left) = match after.strip_prefix('{') {
        Some(inner) => {
            let end = inner.rfind('}')?;
            (inner.get(..end)?, inner.get(end + 1..)?)
        }
        None => after.split_at(after.find([';', '\n']).unwrap_or(after.len())),
    };
    let body = as_bash(body).unwrap_or_else(|| body.to_owned());
    Some((format!("for {name} in {words}; do {body}; done"), left))
}

#[cfg(test)]
mod tests {
    use super::as_bash;

    #[test]
    fn forms_of_zsh() {
        for (zsh, bash) in [
            ("for f (src/*.ts) print $f", "for f in src/*.ts; do print $f; done"),
            ("for f (a b) { rm $f }; ls", "for f in a b; do  rm $f ; done; ls"),
            ("print -l **/*.rs(.om[1,5])", "print -l **/*.rs"),
            ("ls *.(ts|tsx)", "ls *.*"),
            ("diff =(sort a) =(sort b)", "diff <(sort a) <(sort b)"),
        ] {
            assert_eq!(as_bash(zsh).as_deref(), Some(bash), "{zsh}");
        }
        for text in
            ["ls *(e:'rm x':)", "ls '*(.)'", "echo \"a*(.)\"", "a=(b c)", "(ls)", "f() { ls; }", "ls *.rs"]
        {
            assert_eq!(as_bash(text), None, "{text}");
        }
    }
}
