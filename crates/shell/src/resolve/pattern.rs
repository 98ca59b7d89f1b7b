//! Patterns as in `${v%pattern}`: matched here only when everything in them is constant.

/// One element of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// This character.
    Literal(char),
    /// `?`
    One,
    /// `*`
    Many,
}

/// Returns true if the whole text matches. The cost is linear in the product of both lengths.
fn matches(pattern: &[Element], text: &[char]) -> bool {
    let (mut at, mut from) = (0, 0);
    // Where to go on if the last star has to take one character more.
    let mut retry: Option<(usize, usize)> = None;
    while from < text.len() {
        match (pattern.get(at), text.get(from)) {
            (Some(Element::Many), _) => {
                retry = Some((at + 1, from));
                at += 1;
                continue;
            }
            (Some(Element::One), Some(_)) => {
                at += 1;
                from += 1;
                continue;
            }
            (Some(Element::Literal(wanted)), Some(char)) if wanted == char => {
                at += 1;
                from += 1;
                continue;
            }
            (Some(Element::Literal(_) | Element::One) | None, _) => {}
        }
        let Some((after, start)) = retry else { return false };
        retry = Some((after, start + 1));
        at = after;
        from = start + 1;
    }
    pattern.iter().skip(at).all(|element| *element == Element::Many)
}

/// The amount that is removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    Shortest,
    Longest,
}

/// The end of the text from which it is removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Front,
    Back,
}

/// The text without the match at its end.
pub(super) fn remove(text: &str, pattern: &[Element], side: Side, how: Match) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut lengths: Vec<usize> = (0..=chars.len()).collect();
    if how == Match::Longest {
        lengths.reverse();
    }
    for length in lengths {
        let (removed, kept) = match side {
            Side::Front => chars.split_at(length),
            Side::Back => {
                let (kept, removed) = chars.split_at(chars.len() - length);
                (removed, kept)
            }
        };
        if matches(pattern, removed) {
            return kept.iter().collect();
        }
    }
    text.to_owned()
}

/// The places of a replacement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    First,
    All,
    Only(Side),
}

/// The text with matches replaced, each as long as possible.
pub(super) fn replace(text: &str, pattern: &[Element], with: &str, place: Where) -> String {
    if pattern.is_empty() {
        return match place {
            Where::Only(Side::Front) => format!("{with}{text}"),
            Where::Only(Side::Back) => format!("{text}{with}"),
            Where::First | Where::All => text.to_owned(),
        };
    }
    let chars: Vec<char> = text.chars().collect();
    let mut result = String::new();
    let mut at = 0;
    let mut replaced = false;
    while at <= chars.len() {
        let rest = chars.get(at..).unwrap_or_default();
        let allowed = match place {
            Where::First => !replaced,
            Where::All => true,
            Where::Only(Side::Front) => at == 0 && !replaced,
            Where::Only(Side::Back) => !replaced,
        };
        let least = usize::from(at > 0 || !chars.is_empty());
        let mut lengths = (least..=rest.len()).rev();
        let found = allowed
            .then(|| {
                lengths.find(|length| {
                    (place != Where::Only(Side::Back) || *length == rest.len())
                        && matches(pattern, rest.get(..*length).unwrap_or_default())
                })
            })
            .flatten();
        match found {
            Some(length) => {
                result.push_str(with);
                replaced = true;
                at += length.max(1);
                if length == 0 {
                    break;
                }
                if at == chars.len() {
                    break;
                }
            }
            None => {
                result.extend(chars.get(at));
                at += 1;
            }
        }
    }
    result
}
