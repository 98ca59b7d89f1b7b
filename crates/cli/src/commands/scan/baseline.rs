//! Findings that are known and accepted: a file with a fingerprint on each line, and comments.

use anyhow::Context;
use std::{collections::HashSet, fs, path::Path};

/// The default path of the file.
pub(super) const DEFAULT: &str = ".checkrein-baseline";

#[derive(Debug, Default)]
pub(super) struct Baseline(HashSet<String>);

impl Baseline {
    /// Reads the file, or the default one if there is one.
    pub(super) fn read(path: Option<&Path>) -> anyhow::Result<Self> {
        let (path, is_given) = path.map_or((Path::new(DEFAULT), false), |path| (path, true));
        match fs::read_to_string(path) {
            Ok(text) => {
                Self::parse(&text).with_context(|| format!("cannot use the baseline `{}`", path.display()))
            }
            Err(error) if !is_given && error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => {
                Err(error).with_context(|| format!("cannot read the baseline `{}`", path.display()))
            }
        }
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut known = HashSet::new();
        for (number, line) in text.lines().enumerate() {
            let fingerprint = line.split('#').next().unwrap_or_default().trim();
            if fingerprint.is_empty() {
                continue;
            }
            if fingerprint.len() != 16 || !fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                anyhow::bail!("line {}: `{fingerprint}` is no fingerprint", number + 1);
            }
            known.insert(fingerprint.to_owned());
        }
        Ok(Self(known))
    }

    pub(super) fn has(&self, fingerprint: &str) -> bool {
        self.0.contains(fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_for_readers_and_a_broken_line_is_an_error() {
        let baseline =
            Baseline::parse("# accepted\n0123456789abcdef  # .env:3 assigned-password\n\n").unwrap();
        assert!(baseline.has("0123456789abcdef"));
        assert!(!baseline.has("0123456789abcdee"));
        let error = Baseline::parse("# accepted\nnonsense\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2: `nonsense` is no fingerprint");
    }
}
