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
    let (negative, members) = match rest.strip_prefix(['!', '^']) {
        Some(members) => (true, members),
        None => (false, rest),
    };
    // A `]` at the beginning is a member.
    let first = members.chars().next()?.len_utf8();
    let end = first + members.get(first..)?.find(']')?;
    let (members, after) = (members.get(..end)?, members.get(end + 1..)?);
    let mut found = false;
    let mut chars = members.chars().peekable();
    while let Some(low) = chars.next() {
        let mut ahead = chars.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(high)) => {
                found |= (low..=high).contains(&char);
                chars = ahead;
            }
            _ => found |= low == char,
        }
    }
    Some((found != negative, after))
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
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
