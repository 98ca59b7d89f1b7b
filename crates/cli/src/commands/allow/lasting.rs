//! `checkrein allow CODE --for`, `--here`, `--always`: an exception in the user's own file.
//!
//! The entry is the narrowest one that covers the call that was shown: its rule, its exact target, its program and its directory. It
//! is written at the end of the file under a comment with the code, by which `--revoke` finds it again. A file that would be
//! broken by it is put back.

use crate::user_file;
use anyhow::{Context, bail};
use checkrein::{
    Places,
    approval::{Code, PendingApproval, Scope},
    guard::{Day, NEVER_SUPPRESSED},
    today,
};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// The number of days for which an entry holds by default.
pub(super) const DAYS: u64 = 30;
/// The longest time that can be named. For more there is `--always`.
const MOST_DAYS: u64 = 366;

/// The time for which an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// This many days from now.
    Days(u64),
    /// For good.
    Never,
}

impl Until {
    /// Reads `7d` or `2w`.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let days = |number: &str, times: u64| number.parse::<u64>().ok().map(|number| number * times);
        let days = match (text.strip_suffix('d'), text.strip_suffix('w')) {
            (Some(number), _) => days(number, 1),
            (None, Some(number)) => days(number, 7),
            (None, None) => None,
        };
        match days.filter(|days| (1..=MOST_DAYS).contains(days)) {
            Some(days) => Ok(Self::Days(days)),
            None => bail!(
                "`{text}` is not a time\n\nhint: write days or weeks, for example `7d` or `2w`; at most {MOST_DAYS} days"
            ),
        }
    }

    fn day(self) -> Option<Day> {
        let Self::Days(days) = self else { return None };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Some(Day::of_seconds(now + days * 86_400))
    }

    /// As a user reads it.
    pub(super) fn shown(self) -> String {
        self.day().map_or_else(|| "for good".to_owned(), |day| format!("until {day}"))
    }
}

/// Returns the entries for a call; an error if none would be narrow enough.
pub(super) fn entries(call: &PendingApproval, code: &Code, until: Until) -> anyhow::Result<String> {
    let mut text = String::new();
    for scope in &call.scopes {
        check(scope)?;
        let until = until.day().map_or_else(|| "never".to_owned(), |day| day.to_string());
        let _ = writeln!(text, "\n{} {code} on {}", MARK, today());
        let _ = writeln!(text, "[[exception]]\nrules = [{}]", quoted(&scope.rule));
        if let Some(program) = &scope.program {
            let _ = writeln!(text, "programs = [{}]", quoted(&literal(program)));
        }
        if let Some(target) = &scope.target {
            let _ = writeln!(text, "target = [{}]", quoted(&literal(target)));
        }
        let _ = writeln!(text, "directory = [{}]", directories(call, scope).join(", "));
        let _ = writeln!(text, "reason = {}", quoted(&format!("allowed with code {code}")));
        let _ = writeln!(text, "until = {}", quoted(&until));
    }
    Ok(text)
}

/// The beginning of the comment above an entry.
const MARK: &str = "# checkrein allow";

fn check(scope: &Scope) -> anyhow::Result<()> {
    if NEVER_SUPPRESSED.iter().any(|never| scope.rule.starts_with(never))
        || scope.rule.starts_with("managed.")
    {
        bail!("there are no exceptions to {}", scope.rule);
    }
    if scope.has_target && scope.target.is_none() {
        bail!(
            "what {} objects to cannot be named exactly, so there is no lasting permission for it\n\nhint: allow the call \
             once, or for the session with `--session`",
            scope.rule
        );
    }
    Ok(())
}

/// The directory of the call, and that of a target outside it.
fn directories(call: &PendingApproval, scope: &Scope) -> Vec<String> {
    let cwd = Path::new(&call.binding.cwd);
    let mut directories = vec![quoted(&call.binding.cwd)];
    let target = scope.target.as_deref().map(Path::new).filter(|target| target.is_absolute());
    if let Some(parent) = target.filter(|target| !target.starts_with(cwd)).and_then(Path::parent) {
        directories.push(quoted(&parent.to_string_lossy()));
    }
    directories
}

/// The worst calls that entries newly let through, in words.
pub(super) fn worst(call: &PendingApproval) -> Vec<String> {
    let one = |scope: &Scope| {
        let program =
            scope.program.as_deref().map_or_else(|| "any tool".to_owned(), |name| format!("`{name}`"));
        let target = scope.target.as_deref().map_or_else(String::new, |target| format!(", to `{target}`"));
        format!(
            "{program} in {}, with any options, as often as an agent likes{target}: {}",
            call.binding.cwd,
            scope.phrase.trim_end_matches('.').replacen("It ", "it ", 1),
        )
    };
    call.scopes.iter().map(one).collect()
}

/// Writes entries at the end of the user's file, and returns the file.
pub(in crate::commands) fn write(places: &Places, entries: &str) -> anyhow::Result<PathBuf> {
    user_file::change(places, |before| with_entries_after(before, entries))
}

/// Returns the user's file, its text, and its text with entries at the end.
pub(in crate::commands) fn with_entries(
    places: &Places,
    entries: &str,
) -> anyhow::Result<(PathBuf, Option<String>, String)> {
    let old = user_file::read(places)?;
    let file = places.user.clone().context("HOME is not set; there is no file to write to")?;
    let text = with_entries_after(old.as_deref().unwrap_or_default(), entries);
    Ok((file, old, text))
}

fn with_entries_after(before: &str, entries: &str) -> String {
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    if before.is_empty() { entries.trim_start().to_owned() } else { format!("{before}{gap}{entries}") }
}

/// Removes the entries of a code from the user's file, and returns whether there were any.
pub(super) fn remove(places: &Places, code: &Code) -> anyhow::Result<bool> {
    let Some(file) = &places.user else { return Ok(false) };
    let Ok(old) = fs::read_to_string(file) else { return Ok(false) };
    let (mut kept, mut inside, mut found) = (String::new(), false, false);
    for line in old.split_inclusive('\n') {
        if is_mark_of(line, code) {
            (inside, found) = (true, true);
            // The empty line above it came with it.
            kept.truncate(kept.trim_end_matches('\n').len());
            if !kept.is_empty() {
                kept.push('\n');
            }
        }
        if !inside {
            kept.push_str(line);
        }
        inside &= !line.starts_with("until = ");
    }
    if found {
        user_file::replace_or_remove(file, &kept)?;
    }
    Ok(found)
}

/// The codes of the entries in the user's file.
pub(super) fn codes(places: &Places) -> Vec<String> {
    let text = places.user.as_ref().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
    let code = |line: &str| line.strip_prefix(MARK)?.split_whitespace().next().map(str::to_owned);
    let mut codes: Vec<String> = text.lines().filter_map(code).collect();
    codes.dedup();
    codes
}

fn is_mark_of(line: &str, code: &Code) -> bool {
    line.strip_prefix(MARK).and_then(|rest| rest.split_whitespace().next()) == Some(&code.to_string())
}

/// A pattern that matches a text and nothing else.
pub(in crate::commands) fn literal(text: &str) -> String {
    text.chars().fold(String::new(), |mut pattern, char| {
        match char {
            '*' | '?' | '[' => pattern.extend(['[', char, ']']),
            _ => pattern.push(char),
        }
        pattern
    })
}

/// A string of TOML.
pub(in crate::commands) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_days_or_weeks() {
        assert_eq!(Until::parse("7d").unwrap(), Until::Days(7));
        assert_eq!(Until::parse("2w").unwrap(), Until::Days(14));
        for wrong in ["", "d", "0d", "7", "7h", "400d", "-1d", "99999999999999999999d"] {
            assert!(Until::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_pattern_of_a_text_matches_it_alone() {
        for text in ["feature/x", "a*b", "[x]", "what?"] {
            assert!(checkrein::guard::glob_matches(&literal(text), text), "{text}");
        }
        assert!(!checkrein::guard::glob_matches(&literal("a*b"), "axb"));
    }
}
