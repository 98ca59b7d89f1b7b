//! The words that must not come back, and where some are still left.

/// Phrases that are banned in every text, and what to write. `*` at the end of a word matches any ending.
pub(super) const BANNED: &[(&str, &str)] = &[
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("the person", "the user"),
    ("a person", "a user"),
    ("folder*", "directory"),
    ("loosenable", "overridable"),
    ("realm*", "environment"),
    ("in force", "active"),
    ("all is well", "ok"),
    ("leave for one call", "one-time permission"),
    ("run out", "expired"),
    ("ran out", "expired"),
    ("runs out", "expires"),
    ("stand in", "is in"),
    ("stands in", "is in"),
    ("stand for", "means"),
    ("stands for", "means"),
    ("stand beside", "is next to"),
    ("stands beside", "is next to"),
    ("whoever", "users who, anyone who"),
    ("ancestor*", "predecessor"),
];

/// Phrases that are also banned in the comments and function names of [`FINISHED`] directories.
pub(super) const BANNED_IN_COMMENTS: &[(&str, &str)] = &[
    ("somebody", "a user, another process"),
    ("nobody", "no user, no process"),
    ("everybody", "every user"),
    ("whomever", "any"),
    ("meanwhile", "in the meantime"),
    ("beside", "next to, in addition to"),
    ("besides", "in addition"),
    ("stands", "is"),
    ("lies", "is"),
    ("lie", "are"),
    ("is said", "reports"),
    ("are said", "are reported"),
    ("wish", "request"),
    ("wishes", "requests"),
    ("kin", "the like"),
    ("affair", "job"),
    ("surroundings", "environment, context"),
    ("likewise", "also"),
    ("blank", "space"),
    ("blanks", "spaces"),
];

/// Words that must not start a documentation comment: its first sentence is complete by itself.
pub(super) const BANNED_AT_THE_START: &[&str] =
    &["What", "Whether", "How", "Where", "Which", "Why", "Who", "Whom", "That", "The same"];

/// Phrases that mean something else if this word follows: memory does run out.
pub(super) const UNLESS_BEFORE: &[(&str, &str)] = &[("run out", "of"), ("ran out", "of"), ("runs out", "of")];

/// Directories whose comments, documentation and function names are checked too. Add one when it is finished.
pub(super) const FINISHED: &[&str] = &[
    "benches",
    "crates/checkrein",
    "crates/cli",
    "crates/code",
    "crates/core",
    "crates/exec",
    "crates/git",
    "crates/guard",
    "crates/harness",
    "crates/hosts",
    "crates/live",
    "crates/model",
    "crates/python",
    "crates/secrets",
    "crates/shell",
    "crates/sql",
    "crates/testkit",
    "crates/trail",
    "crates/undo",
    "examples",
    "fuzz",
    "tests/agents",
    "xtask",
];

/// The number of banned phrases that are left, by page or crate. It may fall and not rise; remove a row at zero.
pub(super) const LEFT: &[(&str, &str, usize)] = &[
    ("crates/hosts", "folder*", 2),        // the name of a setting in other programs
    ("crates/live", "folder*", 2),         // names of settings in other programs
    ("tests/agents", "folder*", 1),        // the name of a setting in another program
    ("crates/checkrein", "loosenable", 1), // the old name of a key, in the message about it
    ("crates/checkrein", "stand for", 1),
    ("crates/checkrein", "stands for", 2),
];
