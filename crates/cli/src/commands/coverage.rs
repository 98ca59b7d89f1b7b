//! `checkrein coverage`: what an answer can make each agent do, event by event, and how that is known.
//!
//! It is printed from the tables that answers are made within and from the findings of the suite with the real agents, so
//! it cannot differ from either.

use crate::{
    args::Coverage,
    exit::ExitStatus,
    term::{data, out, style, wrap::fitted},
};
use anyhow::bail;
use checkrein::{Abilities, Asking, Editing, EventName, Stopping};
use checkrein_hosts::{self as hosts, coverage::Covered, install::Recipe};
use checkrein_live::{Proved, Shown, proved};
use serde_json::{Map, Value, json};

/// The source of the knowledge that an agent does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// The suite saw it.
    Proved,
    /// The agent's documentation says so, or it was measured once by hand.
    Documented,
    /// It cannot; our answer is stricter instead, or left out.
    Cannot,
}

impl Known {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Documented => "documented",
            Self::Cannot => "cannot",
        }
    }

    /// The word in a table.
    const fn short(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Documented => "docs",
            Self::Cannot => "-",
        }
    }
}

/// The meaning of the words.
const LEGEND: &str = "proved: the real agent did it in our suite. docs: its documentation says so, or it was measured by hand. \
                      -: it cannot, and our answer is stricter instead.";

/// The names of the columns, in order.
const COLUMNS: [&str; 6] = ["deny", "ask", "allow", "edit", "context", "stop"];

/// An agent with its findings.
struct Row<'a> {
    recipe: &'static Recipe,
    events: Vec<Covered>,
    proved: Option<&'a Proved>,
}

impl Row<'_> {
    fn known(&self, event: EventName, can: bool, shown: Option<Shown>) -> Known {
        let is_seen = |shown: Shown| self.proved.is_some_and(|proved| proved.shows(event, shown));
        match (can, shown) {
            (false, _) => Known::Cannot,
            (true, Some(shown)) if is_seen(shown) => Known::Proved,
            (true, _) => Known::Documented,
        }
    }

    /// Returns how each column of an event is known.
    fn columns(&self, event: EventName, abilities: Abilities) -> [Known; COLUMNS.len()] {
        let can = [
            (abilities.deny, Some(Shown::Deny)),
            (abilities.ask != Asking::Cannot, None),
            (abilities.allow, None),
            (abilities.edit != Editing::Cannot, Some(Shown::Edit)),
            (abilities.context, Some(Shown::Context)),
            (abilities.stop != Stopping::Cannot, None),
        ];
        can.map(|(can, shown)| self.known(event, can, shown))
    }

    /// Says on which version the agent was proved.
    fn source(&self) -> String {
        match self.proved {
            Some(proved) => format!("proved on {}", proved.version),
            None => "not proved: from its documentation".to_owned(),
        }
    }

    fn json(&self) -> Value {
        let event = |row: &Covered| {
            let columns = COLUMNS.iter().zip(self.columns(row.event, row.abilities));
            let abilities: Map<String, Value> =
                columns.map(|(name, known)| ((*name).to_owned(), known.as_str().into())).collect();
            json!({
                "event": row.event.as_str(),
                "key": row.key,
                "since": row.since.map(|version| version.to_string()),
                "abilities": abilities,
            })
        };
        let situations = self.proved.into_iter().flat_map(|proved| &proved.findings).map(|finding| {
            json!({
                "situation": finding.ability.as_str(),
                "title": finding.ability.title(),
                "seen": finding.seen.as_str(),
                "words": finding.words,
            })
        });
        json!({
            "agent": self.recipe.host,
            "title": self.recipe.title,
            "proved": self.proved.map(|proved| proved.version.as_str()),
            "events": self.events.iter().map(event).collect::<Value>(),
            "situations": situations.collect::<Value>(),
        })
    }

    fn show(&self) {
        out!("{} (`{}`), {}", self.recipe.title, self.recipe.host, self.source());
        let widest = self.events.iter().map(|row| row.event.as_str().len()).max().unwrap_or_default();
        let columns: String = COLUMNS.iter().map(|name| format!(" {name:7}")).collect();
        out!("  {:widest$}{columns} since", "event");
        for row in &self.events {
            let known: String = self
                .columns(row.event, row.abilities)
                .iter()
                .map(|known| format!(" {:7}", known.short()))
                .collect();
            let since = row.since.map(|version| version.to_string()).unwrap_or_default();
            out!("{}", format!("  {:widest$}{known} {since}", row.event.as_str()).trim_end());
        }
    }

    fn show_situations(&self) {
        let Some(proved) = self.proved else { return };
        out!("\nWhat {} {} did:", self.recipe.title, proved.version);
        for finding in &proved.findings {
            for line in fitted(&format!("{}: {}", finding.ability.title(), finding.words), 2) {
                out!("  {line}");
            }
        }
    }
}

pub(crate) fn run(arguments: &Coverage) -> anyhow::Result<ExitStatus> {
    let proved = proved();
    let is_wanted = |recipe: &Recipe| arguments.agent.as_deref().is_none_or(|name| name == recipe.host);
    let rows: Vec<Row<'_>> = hosts::ALL
        .iter()
        .filter_map(|host| Some((host, host.recipe?)))
        .filter(|(_, recipe)| is_wanted(recipe))
        .map(|(host, recipe)| Row {
            recipe,
            events: hosts::coverage::covered(host),
            proved: proved.iter().find(|proved| proved.host == recipe.host),
        })
        .collect();
    if let (Some(name), true) = (&arguments.agent, rows.is_empty()) {
        let names = hosts::choice(hosts::install::recipes().map(|recipe| recipe.host));
        bail!("there is no agent `{name}`\n\nhint: expected {names}");
    }
    if arguments.json {
        data!("{}", style::json(json!({"agents": rows.iter().map(Row::json).collect::<Value>()})));
        return Ok(ExitStatus::Success);
    }
    for (place, row) in rows.iter().enumerate() {
        if place > 0 {
            out!("");
        }
        row.show();
        if arguments.agent.is_some() {
            row.show_situations();
        }
    }
    out!("");
    for line in fitted(LEGEND, 0) {
        out!("{line}");
    }
    Ok(ExitStatus::Success)
}
