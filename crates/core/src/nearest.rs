//! "did you mean": the known word that looks most like an unknown one.

/// The nearest of `known` to `word`, if it is near enough to be a slip of the pen.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    /// No name is longer, and to compare takes time that grows with the word, which may be a stranger's.
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

/// The end of a message that proposes `nearest`.
pub(crate) fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}
