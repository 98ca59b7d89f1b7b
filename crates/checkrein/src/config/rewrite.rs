//! `[rewrite]` and `[[replace]]`: commands in a safer or more fitting form.

use crate::{
    config::{
        Config,
        fields::{At, Fields, Slot},
        keys::{REPLACE, TRAILER},
        layer::Layer,
        reader::{Checks, ConfigReader},
    },
    rewrites::{
        Kind, Mode, Replace,
        settings::RewriteKeys,
        table::{is_mapped, is_option},
    },
};

impl<'t> ConfigReader<'_, 't> {
    /// Reads the table and the list.
    pub(crate) fn rewrites(&mut self, fields: &mut Fields<'t>) -> RewriteKeys {
        let mut modes = Vec::new();
        if let Some(At { value: mut table, .. }) = fields.table("rewrite").value() {
            for kind in Kind::ALL {
                modes.extend(self.word(&mut table, kind.key()).map(|mode| (kind, mode)));
            }
            table.finish();
        }
        let most = self.bounds.tables;
        let mut replaces = self.each_table(fields.tables("replace"), &REPLACE, most, Self::replace);
        replaces.extend(self.each_table(fields.tables("trailer"), &TRAILER, most, Self::trailer));
        RewriteKeys { modes, replaces }
    }

    fn replace(&mut self, mut fields: Fields<'t>) -> Option<Replace> {
        let span = fields.span.clone();
        let program = self.line_of_text(&mut fields, "program");
        let with = self.line_of_text(&mut fields, "with");
        let file = self.line_of_text(&mut fields, "file");
        let listed = match fields.texts("options") {
            Slot::Is(options) => options.value,
            Slot::Absent | Slot::Broken => Vec::new(),
        };
        let mode = self.word(&mut fields, "mode").unwrap_or_default();
        fields.finish();
        let mut options = Vec::new();
        for At { span, value } in listed {
            if !is_option(&value) {
                let hint = "for example `--a`, `-b|--bb = --c`, `--d =` or `--e VALUE`";
                self.problem("options", &span, &format!("`{value}` is not an option"), Some(hint));
            }
            options.push(value.into_owned());
        }
        let (program, with) = (program?, with?);
        if options.is_empty() && !is_mapped(&program, &with) && self.checks != Checks::Compiled {
            let message = format!("there is no built-in table from `{program}` to `{with}`");
            let hint = format!("list the options that `{with}` understands as `options`");
            self.problem("with", &span, &message, Some(&hint));
            return None;
        }
        let file = file.unwrap_or_default();
        Some(Replace { program, with, options, file, mode, ..Replace::default() })
    }

    fn trailer(&mut self, mut fields: Fields<'t>) -> Option<Replace> {
        let trailer = self.line_of_text(&mut fields, "name");
        let with = self.line_of_text(&mut fields, "with").unwrap_or_default();
        let mode = self.word(&mut fields, "mode").unwrap_or_default();
        fields.finish();
        Some(Replace { trailer: trailer?, with, mode, ..Replace::default() })
    }

    /// Reads a text that becomes a part of a command.
    fn line_of_text(&mut self, fields: &mut Fields<'t>, key: &str) -> Option<String> {
        let At { span, value } = fields.text(key).value()?;
        if value.contains(checkrein_core::sanitize::is_hidden) {
            self.problem(key, &span, "control characters are not allowed here", None);
            return None;
        }
        Some(value.into_owned())
    }
}

/// Returns the mode of each kind: of the layer with the most authority that has it. A project can only ask for more.
pub(crate) fn modes(configs: &[Config]) -> Vec<(Kind, Mode)> {
    let mode = |kind: Kind| {
        let said = |of_projects: bool| {
            let configs =
                configs.iter().filter(move |config| (config.layer == Layer::Project) == of_projects);
            configs
                .filter_map(move |config| Some((config.layer, config.content.settings.rewrite.mode(kind)?)))
        };
        // The file that the user named comes before their own.
        let rank = |layer: &Layer| match layer {
            Layer::Managed => 0,
            Layer::Flag => 1,
            Layer::User => 2,
            Layer::Project => 3,
        };
        let own = said(false).min_by_key(|(layer, _)| rank(layer)).map(|(_, mode)| mode);
        own.unwrap_or_else(|| said(true).map(|(_, mode)| mode).fold(Mode::default(), Mode::max))
    };
    Kind::ALL.into_iter().map(|kind| (kind, mode(kind))).collect()
}
