//! The arguments of `checkrein rules` and `checkrein effects`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// The id of a rule, a pattern such as `git.*`, or a pack
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the reference of all rules and words as Markdown
    #[arg(long, conflicts_with_all = ["id", "json"])]
    pub(crate) reference: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Effects {
    /// One word, for example `send`, or a key of a rule, for example `zone`
    #[arg(value_name = "WORD")]
    pub(crate) word: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
