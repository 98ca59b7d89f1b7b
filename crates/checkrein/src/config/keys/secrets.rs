//! The keys of `[secrets]`.

use super::{Absent, DefaultValue, Key, KeyType, Table, words};
use crate::{
    config::layer::Layer,
    secrets::settings::{OutputRule, PromptRule},
};

/// The row of the table in its file.
pub(super) const KEY: Key = Key::new(
    "secrets",
    KeyType::Table(&SECRETS),
    Absent::Means("the defaults of its keys"),
    "How secrets are kept out of the conversation.",
);

/// A `[secrets]`.
pub(crate) static SECRETS: Table = Table::new(
    "secrets",
    "the settings about secrets",
    &[
        Key::new(
            "prompt",
            KeyType::Word(words::<PromptRule>),
            Absent::Default(DefaultValue::Text(PromptRule::Notice.as_str())),
            "What happens to a prompt with a secret: the user is told and the model is told not to repeat it, or it is denied.",
        )
        .note("The stricter of two layers counts."),
        Key::new(
            "output",
            KeyType::Word(words::<OutputRule>),
            Absent::Default(DefaultValue::Text(OutputRule::Redact.as_str())),
            "Which secrets in the results of tools are replaced by tags: all, those with a checksum or a vendor's prefix, or none.",
        )
        .note("The stricter of two layers counts.")
        .refused(&[(Layer::Project, "a project cannot show secrets; write it into your own file")]),
        Key::new(
            "handle",
            KeyType::Tables(&HANDLE),
            Absent::Default(DefaultValue::EmptyList),
            "Programs that may be given a secret by its tag, in addition to the built-in ones.",
        )
        .note("The built-in programs are in `docs/secrets.md`.")
        .refused(&[(Layer::Project, NO_SECRETS), (Layer::Flag, NO_SECRETS)]),
    ],
);

const NO_SECRETS: &str = "only the managed and the user's layer decide who is given secrets";

/// A `[[secrets.handle]]`.
pub(crate) static HANDLE: Table = Table::new(
    "handle",
    "a program that may be given a secret",
    &[
        Key::new("program", KeyType::Text, Absent::Required, "The name of the program.")
            .example("\"flyctl\""),
        Key::new("variable", KeyType::Text, Absent::Required, "The variable from which it reads the secret.")
            .example("\"FLY_API_TOKEN\""),
        Key::new(
            "hosts",
            KeyType::Texts,
            Absent::Required,
            "Where the program sends what it is given; `*.` in front means every machine of a domain.",
        )
        .note("A secret of a known kind is passed on only if all of these are hosts of its service.")
        .example("[\"api.fly.io\"]"),
        Key::new(
            "commands",
            KeyType::Texts,
            Absent::Means("any command"),
            "How the program's words must begin, not counting options.",
        )
        .example("[\"apps list\", \"status\"]"),
        Key::new(
            "switches",
            KeyType::Texts,
            Absent::Means("none"),
            "Options without a value that it may have.",
        )
        .example("[\"--json\"]"),
        Key::new("values", KeyType::Texts, Absent::Means("none"), "Options with a value that it may have.")
            .example("[\"--app\"]"),
    ],
);
