//! The keys of `[rewrite]` and of a `[[replace]]`.

use super::{Absent, DefaultValue, Key, KeyType, Table, words};
use crate::{config::layer::Layer, rewrites::Mode};

const SUGGEST: Absent = Absent::Default(DefaultValue::Text(Mode::Suggest.as_str()));
const LETS_RUN: &str = "a project cannot turn a denial into another command; write it into your own file";
const OTHER_PROGRAMS: &str = "a project cannot choose the programs that run; write it into your own file";

/// The row of the table in its file.
pub(super) const KEY: Key = Key::new(
    "rewrite",
    KeyType::Table(&REWRITE),
    Absent::Means("everything is suggested"),
    "Commands in a safer or more fitting form: `suggest` them, `apply` them, or turn them `off`.",
)
.note(
    "The result is judged again: it must pass, or at least add no objection. The layer with the most authority that has a key decides; a project \
     can only ask for more of what is stricter.",
);

/// The row of the list in its file.
pub(super) const REPLACE_KEY: Key = Key::new(
    "replace",
    KeyType::Tables(&REPLACE),
    Absent::Default(DefaultValue::EmptyList),
    "Programs to use in place of others.",
)
.note("Only a program in command position is replaced, and only if every option has a counterpart.")
.refused(&[(Layer::Project, OTHER_PROGRAMS)]);

/// The row of the list of trailers in its file.
pub(super) const TRAILER_KEY: Key = Key::new(
    "trailer",
    KeyType::Tables(&TRAILER),
    Absent::Default(DefaultValue::EmptyList),
    "Trailers of commit messages to leave out or to replace, such as `Co-Authored-By`.",
)
.refused(&[(
    Layer::Project,
    "a project does not decide about the messages of your commits; write it into your own file",
)]);

/// A `[rewrite]`.
pub(crate) static REWRITE: Table = Table::new(
    "rewrite",
    "the settings about rewrites",
    &[
        Key::new(
            "force_push",
            KeyType::Word(words::<Mode>),
            SUGGEST,
            "A force push gets `--force-with-lease --force-if-includes`, which stops if others have pushed.",
        )
        .refused(&[(Layer::Project, LETS_RUN)]),
        Key::new(
            "run_download",
            KeyType::Word(words::<Mode>),
            SUGGEST,
            "A download that would be run right away is kept in a file and shown.",
        )
        .refused(&[(Layer::Project, LETS_RUN)]),
        Key::new(
            "install_scripts",
            KeyType::Word(words::<Mode>),
            SUGGEST,
            "`npm`, `pnpm`, `yarn` and `bun` install packages without running their scripts.",
        ),
        Key::new(
            "add_secrets",
            KeyType::Word(words::<Mode>),
            SUGGEST,
            "`git add` of a whole directory leaves out files with secrets.",
        )
        .refused(&[(Layer::Project, LETS_RUN)]),
        Key::new(
            "package_manager",
            KeyType::Word(words::<Mode>),
            SUGGEST,
            "The package manager of the project's lock file is used in place of another.",
        )
        .refused(&[(Layer::Project, OTHER_PROGRAMS)]),
    ],
);

/// A `[[replace]]`.
pub(crate) static REPLACE: Table = Table::new(
    "replace",
    "a replacement",
    &[
        Key::new(
            "program",
            KeyType::Text,
            Absent::Required,
            "The program that is replaced, by its name.",
        )
        .example("\"npm\""),
        Key::new("with", KeyType::Text, Absent::Required, "The words in place of the program.").example("\"bun\""),
        Key::new(
            "options",
            KeyType::Texts,
            Absent::Means("the built-in table for these two programs"),
            "The options that the other program understands. Any other option keeps a command as it is.",
        )
        .note(
            "`\"--a\"` stays, `\"-b|--bb = --c\"` gets another name, `\"--d =\"` is left out, `\"--e VALUE\"` takes a value. Built-in tables: `npm`, \
             `pnpm` and `yarn` to `bun`, `npm` and `yarn` to `pnpm`, `npx` to `bunx`, `pip` to `uv pip` and to `poetry`.",
        )
        .example("[\"--silent\", \"-D|--save-dev = --dev\", \"--registry VALUE\"]"),
        Key::new(
            "file",
            KeyType::Text,
            Absent::Means("all projects"),
            "Only projects with this file in their top directory.",
        )
        .example("\"bun.lock\""),
        Key::new(
            "mode",
            KeyType::Word(words::<Mode>),
            SUGGEST,
            "Whether the other command is suggested or runs.",
        ),
    ],
);

/// A `[[trailer]]`.
pub(crate) static TRAILER: Table = Table::new(
    "trailer",
    "a trailer",
    &[
        Key::new("name", KeyType::Text, Absent::Required, "The name of the trailer.")
            .example("\"Co-Authored-By\""),
        Key::new(
            "with",
            KeyType::Text,
            Absent::Means("it is left out"),
            "The value that replaces the one in the message.",
        )
        .example("\"Ann <ann@example.com>\""),
        Key::new(
            "mode",
            KeyType::Word(words::<Mode>),
            SUGGEST,
            "Whether the other message is suggested or used.",
        ),
    ],
);
