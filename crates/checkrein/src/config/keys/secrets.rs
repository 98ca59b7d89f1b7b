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
    ],
);
