//! The keys of a configuration file itself.

use super::{ALLOW, Absent, DefaultValue, EXCEPTION, GRADE, HOOK, Key, KeyType, RULE, Table, words};
use crate::config::{
    layer::{ExceptionPolicy, Layer, Unattended, Untrusted},
    trail::{SyncWord, TrailWord},
};
use checkrein_exec::Callable;

const EMPTY: Absent = Absent::Default(DefaultValue::EmptyList);

const NO_PERMISSIONS: &str = "a project cannot grant permissions";
const ABOUT_PROJECTS: &str = "only the managed and the user's layer decide about projects";
const ABOUT_THE_TRAIL: &str = "a project does not decide what is recorded about it";
const ABOUT_QUESTIONS: &str = "only the managed and the user's layer decide about questions to the user";
const ABOUT_THE_GREETING: &str = "a project cannot hide what is active";
const ABOUT_EXCEPTIONS: &str = "only the managed and the user's layer decide about exceptions of others";

/// A configuration file.
pub(crate) static FILE: Table = Table::new(
    "",
    "a configuration",
    &[
        Key::new(
            "disable",
            KeyType::Names,
            EMPTY,
            "Names of hooks of a higher layer to disable. That layer must have marked them as `overridable`.",
        )
        .refused(&[(Layer::Managed, "there is no higher layer to take a hook from")]),
        Key::new(
            "untrusted",
            KeyType::Word(words::<Untrusted>),
            Absent::Default(DefaultValue::Text(Untrusted::Skip.as_str())),
            "What happens to a project's hooks that the user has not trusted: skip them, or deny what they would have judged.",
        )
        .note("The stricter of two layers counts.")
        .refused(&[(Layer::Project, ABOUT_PROJECTS), (Layer::Flag, ABOUT_PROJECTS)]),
        Key::new(
            "python",
            KeyType::Text,
            Absent::Default(DefaultValue::Text(Callable::PYTHON)),
            "The interpreter for Python functions (`callable`): a path relative to the directory of this file, or a name in `PATH`.",
        ),
        Key::new(
            "exceptions",
            KeyType::Word(words::<ExceptionPolicy>),
            Absent::Default(DefaultValue::Text(ExceptionPolicy::Accept.as_str())),
            "Whether exceptions and allow rules of lower layers count, and permissions from `checkrein allow`.",
        )
        .refused(&[(Layer::Project, ABOUT_EXCEPTIONS), (Layer::Flag, ABOUT_EXCEPTIONS)]),
        super::secrets::KEY,
        super::mcp::KEY,
        Key::new(
            "trail",
            KeyType::Word(words::<TrailWord>),
            Absent::Means("`summary`"),
            "What the trail keeps of each event: nothing, names and decisions, one redacted line for each call, or whole inputs.",
        )
        .note(
            "Prompts and outputs are never kept. `required`, for the managed layer: like `summary`, and a call is denied if its record cannot be kept. \
             The layer with the most authority that has the key decides.",
        )
        .example("\"structure\"")
        .refused(&[(Layer::Project, ABOUT_THE_TRAIL)]),
        Key::new(
            "trail_sync",
            KeyType::Word(words::<SyncWord>),
            Absent::Means("`off`"),
            "Which records are written through to the disk, so that they survive a power failure.",
        )
        .example("\"deny\"")
        .refused(&[(Layer::Project, ABOUT_THE_TRAIL)]),
        Key::new(
            "trail_days",
            KeyType::Whole(crate::config::trail::MOST_DAYS),
            Absent::Means("30"),
            "How many days records are kept.",
        )
        .example("90")
        .refused(&[(Layer::Project, ABOUT_THE_TRAIL)]),
        Key::new(
            "trail_megabytes",
            KeyType::Whole(crate::config::trail::MOST_MEGABYTES),
            Absent::Means("128"),
            "How many megabytes (MiB) of records are kept. The oldest go first.",
        )
        .example("512")
        .refused(&[(Layer::Project, ABOUT_THE_TRAIL)]),
        Key::new(
            "unattended",
            KeyType::Word(words::<Unattended>),
            Absent::Means("`deny`"),
            "What becomes of a question when nobody is there: the agent runs without a user interface, nobody has typed in its \
             terminal for 10 minutes, or it has no terminal and got no prompt for 30 minutes.",
        )
        .note("`deny` lets the session go on with a suggestion; `ask` makes it wait; `undoable` denies what cannot be undone, and lets through what a recoverable rule asks about if all of it was kept, even with `relax = false` in `[undo]`. The stricter of two layers counts.")
        .example("\"ask\"")
        .refused(&[(Layer::Project, ABOUT_QUESTIONS), (Layer::Flag, ABOUT_QUESTIONS)]),
        Key::new(
            "greeting",
            KeyType::Flag,
            Absent::Default(DefaultValue::Flag(true)),
            "Whether a session with a screen begins with one line that says what is active: rules, hooks, policy, monitor mode.",
        )
        .note("The line comes once a day in each project, and whenever what it says has changed.")
        .refused(&[(Layer::Project, ABOUT_THE_GREETING)]),
        super::monitor::KEY,
        super::notify::KEY,
        super::undo::KEY,
        super::learn::KEY,
        super::rewrite::KEY,
        super::rewrite::REPLACE_KEY,
        super::rewrite::TRAILER_KEY,
        #[cfg(test)]
        super::example::KEY,
        Key::new("hook", KeyType::Tables(&HOOK), EMPTY, "The hooks, in the order in which they run."),
        Key::new(
            "rule",
            KeyType::Tables(&RULE),
            EMPTY,
            "Effects that the guard asks about or denies, in addition to its built-in rules. A project's rules count without trust.",
        )
        .note(
            "A rule is about effects and not about spellings: `checkrein explain COMMAND` shows the words for the effects of a command. \
             A key that takes a list also takes one word.",
        ),
        Key::new(
            "grade",
            KeyType::Tables(&GRADE),
            EMPTY,
            "Other decisions for built-in rules: `deny` for what they only ask about, or `ask` for what they deny.",
        )
        .note(
            "A grade that names a rule by its id beats one that names it by a pattern. The managed layer's grade can only be made \
             stricter, a project can only make rules stricter, and the rules that protect Checkrein itself never become milder. \
             `checkrein rules` shows the decisions that count.",
        ),
        Key::new(
            "exception",
            KeyType::Tables(&EXCEPTION),
            EMPTY,
            "Findings to suppress: of which rules, where, why, and until when. An exception allows nothing by itself.",
        )
        .note(
            "A denial shows the id of its rule. There are no exceptions to the rules that protect Checkrein itself.",
        )
        .refused(&[(Layer::Project, "a project cannot make exceptions; write it into your own file")]),
        Key::new(
            "allow",
            KeyType::Tables(&ALLOW),
            EMPTY,
            "Commands that agents may run without a prompt, if everything that a call runs and does is allowed.",
        )
        .note("A call with a substitution, a variable or an assignment is never allowed.")
        .refused(&[(Layer::Project, NO_PERMISSIONS)])
        .formerly(&["grant"]),
    ],
);
