//! "Did you mean" suggestions: the known word that is closest to an unknown one.

/// Returns the word of `known` that is closest to `word`, if it is close enough to be a typo.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    /// No name is longer. The comparison takes time that grows with the word, and the word may be untrusted.
    const LONGEST: usize = 100;
    if word.len() > LONGEST {
        return None;
    }
    let folded = word.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&folded, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name.to_owned())
}

/// Returns the end of a message that suggests `nearest`.
pub(crate) fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}
