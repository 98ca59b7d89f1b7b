//! Patterns of names: `*`, `?`, `[…]`.

/// Returns true if a name matches a pattern. The cost is at most the product of both lengths, without memory or
/// recursion.
pub fn matches(pattern: &str, name: &str) -> bool {
    if ends_differ(pattern.as_bytes(), name.as_bytes()) {
        return false;
    }
    let (mut rest, mut left) = (pattern, name);
    // Where to go back to: behind the last `*`, and one character further in the name.
    let mut back: Option<(&str, &str)> = None;
    loop {
        if let Some(after) = rest.strip_prefix('*') {
            rest = after;
            back = Some((after, left));
            continue;
        }
        let mut chars = left.chars();
        let Some(char) = chars.next() else { return rest.is_empty() };
        match one(rest, char) {
            Some(after) => (rest, left) = (after, chars.as_str()),
            None => match back
                .and_then(|(after, start)| Some((after, start.get(start.chars().next()?.len_utf8()..)?)))
            {
                Some((after, start)) => {
                    back = Some((after, start));
                    (rest, left) = (after, start);
                }
                None => return false,
            },
        }
    }
}

/// Returns true if the first or the last byte already shows that a name does not match. Most names do not, and a path
/// is compared with many patterns.
fn ends_differ(pattern: &[u8], name: &[u8]) -> bool {
    let ([first, ..], [.., last]) = (pattern, pattern) else { return !name.is_empty() };
    let ([own_first, ..], [.., own_last]) = (name, name) else {
        return pattern.iter().any(|byte| *byte != b'*');
    };
    // A `]` may end a set of characters.
    first != own_first && !matches!(first, b'*' | b'?' | b'[')
        || last != own_last && !matches!(last, b'*' | b'?' | b']')
}

/// Returns the rest of a pattern after one character, if that matches.
fn one(pattern: &str, char: char) -> Option<&str> {
    let mut chars = pattern.chars();
    match chars.next()? {
        '?' => Some(chars.as_str()),
        '[' => match set(chars.as_str(), char) {
            Some((true, after)) => Some(after),
            Some((false, _)) => None,
            None => (char == '[').then_some(chars.as_str()),
        },
        other => (other == char).then_some(chars.as_str()),
    }
}

/// After `[`: whether the character is in the set, and what follows its `]`. `None` if it has no end.
fn set(rest: &str, char: char) -> Option<(bool, &str)> {
    let (negative, mut left) = match rest.strip_prefix(['!', '^']) {
        Some(members) => (true, members),
        None => (false, rest),
    };
    let (mut found, mut is_first) = (false, true);
    loop {
        // A `]` at the beginning is a member.
        if let Some(after) = left.strip_prefix(']').filter(|_| !is_first) {
            return Some((found != negative, after));
        }
        is_first = false;
        if let Some((is_in, after)) = named(left, char) {
            found |= is_in;
            left = after;
            continue;
        }
        let mut chars = left.chars();
        let low = chars.next()?;
        let mut ahead = chars.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(high)) if high != ']' => {
                found |= (low..=high).contains(&char);
                chars = ahead;
            }
            _ => found |= low == char,
        }
        left = chars.as_str();
    }
}

/// Within a set: `[:lower:]`, `[=a=]` or `[.a.]`, and what follows it.
fn named(left: &str, char: char) -> Option<(bool, &str)> {
    let sign = left.strip_prefix('[')?.chars().next().filter(|sign| matches!(sign, ':' | '=' | '.'))?;
    let (name, after) = left.get(2..)?.split_once(&format!("{sign}]"))?;
    if sign != ':' {
        // Which letters are alike depends on the language.
        let base = |char: char| char.to_lowercase().next();
        return Some((name.chars().next().and_then(base) == base(char) || !char.is_ascii(), after));
    }
    let is_in = match name {
        "alpha" => char.is_alphabetic(),
        "digit" => char.is_ascii_digit(),
        "alnum" => char.is_alphanumeric(),
        "upper" => char.is_uppercase(),
        "lower" => char.is_lowercase(),
        "xdigit" => char.is_ascii_hexdigit(),
        "punct" => char.is_ascii_punctuation() || !char.is_ascii() && !char.is_alphanumeric(),
        "space" => char.is_whitespace(),
        "blank" => matches!(char, ' ' | '\t'),
        "cntrl" => char.is_control(),
        "graph" => !char.is_whitespace() && !char.is_control(),
        "print" => !char.is_control(),
        "word" => char.is_alphanumeric() || char == '_',
        // In doubt it is one: more is looked at.
        _ => true,
    };
    Some((is_in, after))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, name) in [
            ("*", ""),
            ("*", "x"),
            ("h??e", "home"),
            ("*.o", "a.o"),
            ("a*b*c", "aXbYbc"),
            ("[a-c]x", "bx"),
            ("[!a]", "b"),
            ("[]]", "]"),
            ("[", "["),
            ("dist-*", "dist-new"),
            ("**", "a"),
            ("é?", "éa"),
            ("*é", "aéé"),
            ("[a-c-]x", "-x"),
            ("[a-]x", "-x"),
            ("s[[:lower:]]c", "src"),
            ("[[:alpha:]]*", "src"),
            ("[![:digit:]_]*", "src"),
            ("[[:digit:][:upper:]]", "A"),
            ("s[[=r=]]c", "src"),
            ("s[[.r.]]c", "src"),
            ("[[:x]", "x"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("", "x"),
            ("h??e", "house"),
            ("*.o", "a.ob"),
            ("[a-c]x", "dx"),
            ("[!a]", "a"),
            ("?", ""),
            ("a*b", "ac"),
            ("é", "e"),
            ("s[[:upper:]]c", "src"),
            ("[[:digit:]]*", "src"),
            ("[![:lower:]]*", "src"),
            ("s[[=x=]]c", "src"),
            ("[a-", "a"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
