//! `[notify]`: who is told outside the agent.

use crate::{
    config::{
        fields::{At, CommandText, Fields, Slot},
        keys::ConfigWord,
        reader::ConfigReader,
    },
    notify::NotifySettings,
};
use serde_json::{Value, json};

/// Returns the table as a file would write it.
pub(crate) fn to_json(settings: &NotifySettings) -> Value {
    json!({
        "desktop": settings.desktop,
        "command": settings.command,
        "on": settings.on.iter().map(|on| on.word()).collect::<Vec<_>>(),
        "detail": settings.detail,
    })
}

impl<'t> ConfigReader<'_, 't> {
    /// Reads the table.
    pub(crate) fn notify(&mut self, fields: &mut Fields<'t>) -> Option<NotifySettings> {
        let At { value: mut table, .. } = fields.table("notify").value()?;
        let desktop = table.flag("desktop");
        let command = match table.command("command") {
            Slot::Is(At { value: CommandText::List(words), .. }) => {
                Some(words.into_iter().map(|word| word.value.into_owned()).collect())
            }
            Slot::Is(At { span, value: CommandText::Shell(_) }) => {
                let hint =
                    "write a list, such as `[\"/usr/local/bin/tell-me\"]`: the texts follow as arguments";
                self.problem(
                    "notify.command",
                    &span,
                    "the command of a notification is not a script",
                    Some(hint),
                );
                None
            }
            Slot::Absent => Some(Vec::new()),
            Slot::Broken => None,
        };
        let on = self.words("notify.on", table.texts("on"));
        let detail = table.flag("detail");
        table.finish();
        Some(NotifySettings { desktop, command: command?, on: on?, detail })
    }
}
