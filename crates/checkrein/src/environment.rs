//! The environment variables that a hook gets. Only this module reads those of the process.
//!
//! Agents keep their API keys in the environment and hand all of it to whatever they start. A hook does not need
//! those, so it gets only the variables that any program needs, and those that its configuration names.

use checkrein_exec::Environment as Variables;
use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::Path,
};

/// Names that every hook gets.
const NAMES: &[&str] = &["PATH", "HOME", "USER", "SHELL", "LANG", "TMPDIR", "CLAUDE_PROJECT_DIR"];
/// Beginnings of names that every hook gets.
const PREFIXES: &[&str] = &["LC_", "XDG_"];

/// The environment from which hooks get their share.
#[derive(Clone, Default)]
pub struct Environment {
    /// The variables that every hook gets; shared, since most hooks get only these.
    base: Variables,
    /// The variables that a hook gets only by name.
    rest: Variables,
}

impl Environment {
    /// Sorts `variables` into those that every hook gets and those that it must name.
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let (mut base, rest): (Vec<_>, Vec<_>) =
            variables.into_iter().partition(|(name, _)| name.to_str().is_some_and(is_for_all));
        for (_, value) in base.iter_mut().filter(|(name, _)| name == "PATH") {
            *value = absolute_only(value);
        }
        Self { base: base.into(), rest: rest.into() }
    }

    /// The environment of this process.
    pub fn of_process() -> Self {
        Self::new(std::env::vars_os())
    }

    /// The user's home directory, if it is known.
    pub(crate) fn home(&self) -> Option<&OsStr> {
        self.base.iter().find(|(name, _)| name == "HOME").map(|(_, home)| home.as_os_str())
    }

    /// Returns the environment without those directories of `PATH` that `is_inside` says belong to a project: a project's hook that names a
    /// program means one of the machine.
    pub(crate) fn without_programs(&self, is_inside: impl Fn(&Path) -> bool) -> Self {
        let path = self.base.iter().find(|(name, _)| name == "PATH");
        let inside =
            |directories: &OsStr| std::env::split_paths(directories).any(|directory| is_inside(&directory));
        if !path.is_some_and(|(_, directories)| inside(directories)) {
            return self.clone();
        }
        let mut base = self.base.to_vec();
        for (_, value) in base.iter_mut().filter(|(name, _)| name == "PATH") {
            let outside = std::env::split_paths(value).filter(|directory| !is_inside(directory));
            *value = std::env::join_paths(outside).unwrap_or_default();
        }
        Self { base: base.into(), rest: self.rest.clone() }
    }

    /// Returns the variables for a hook whose configuration names `extra`. A name that is not set is left out.
    pub fn share<S: AsRef<str>>(&self, extra: &[S]) -> Variables {
        let named = |name: &OsString| extra.iter().any(|extra| name == extra.as_ref());
        let mut named = self.rest.iter().filter(|(name, _)| named(name)).cloned().peekable();
        if named.peek().is_none() {
            return self.base.clone();
        }
        self.base.iter().cloned().chain(named).collect()
    }
}

/// The directories of `PATH` that are the same wherever a hook runs. An empty or relative one means the session's directory,
/// and with it any programs that a project contains.
fn absolute_only(path: &OsStr) -> OsString {
    let directories = std::env::split_paths(path).filter(|directory| directory.is_absolute());
    // They came out of one, so they fit into one.
    std::env::join_paths(directories).unwrap_or_default()
}

/// Returns one variable of this process, for callers that need no more than that.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The variables of this process whose names say that their values are secret, and that are long enough to be looked for.
pub(crate) fn with_secret_names() -> Vec<(String, String)> {
    let secret = std::env::vars_os().filter(|(name, value)| {
        value.len() >= checkrein_secrets::SHORTEST
            && name.to_str().is_some_and(checkrein_secrets::Scanner::is_secret_name)
    });
    secret.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect()
}

/// Only names: values are what must not be shown.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names =
            |variables: &Variables| variables.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        f.debug_struct("Environment")
            .field("base", &names(&self.base))
            .field("rest", &names(&self.rest))
            .finish()
    }
}

pub(crate) fn is_for_all(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        let pairs = [
            ("PATH", "/bin"),
            ("ANTHROPIC_API_KEY", "s3cret"),
            ("LC_ALL", "C"),
            ("XDG_RUNTIME_DIR", "/run"),
            ("HOMEPAGE", "x"),
            ("LC", "x"),
            ("PAGER", "less"),
            ("CLAUDE_PROJECT_DIR", "/p"),
        ];
        Environment::new(pairs.map(|(name, value)| (name.into(), value.into())))
    }

    fn names(variables: &Variables) -> Vec<&str> {
        variables.iter().map(|(name, _)| name.to_str().unwrap()).collect()
    }

    #[test]
    fn a_hook_gets_what_it_needs_and_what_it_names() {
        let environment = environment();
        let base = ["PATH", "LC_ALL", "XDG_RUNTIME_DIR", "CLAUDE_PROJECT_DIR"];
        assert_eq!(names(&environment.share::<&str>(&[])), base);
        assert_eq!(names(&environment.share(&["PAGER", "UNSET", "PATH"])), [&base[..], &["PAGER"]].concat());
    }

    #[test]
    fn hooks_without_names_share_one_list() {
        let environment = environment();
        assert!(std::sync::Arc::ptr_eq(&environment.share::<&str>(&[]), &environment.share(&["UNSET"])));
    }

    #[test]
    fn a_name_that_is_not_text_is_passed_to_no_hook() {
        use std::os::unix::ffi::OsStringExt;
        let name = OsString::from_vec(b"LC_\xff".to_vec());
        let environment = Environment::new([(name, "x".into())]);
        assert!(environment.share(&["LC_\u{fffd}"]).is_empty());
    }

    #[test]
    fn no_directory_of_the_path_follows_the_session() {
        let environment = Environment::new([("PATH".into(), ".:/bin::bin:../x:/usr/bin:".into())]);
        assert_eq!(environment.share::<&str>(&[])[0].1, "/bin:/usr/bin");
    }

    #[test]
    fn values_are_not_shown() {
        assert!(!format!("{:?}", environment()).contains("s3cret"));
    }
}
