//! `data/agents.toml`: the files of agents, as patterns with tags. The head of the file explains the rows.

use super::{
    document::{Result, Section, Text},
    paths::TaggedPattern,
};

pub(super) fn patterns(file: &Section) -> Result<Vec<TaggedPattern>> {
    let mut tagged = Vec::new();
    let mut put = |tag: &str, not: bool, text: Text| {
        tagged.push(TaggedPattern { tag: format!("Tag::{tag}"), not, text });
    };
    for (_, rows) in file.entries() {
        let rows = rows.section()?;
        rows.only(&["directories", "decides", "runs", "data"])?;
        for (row, tag) in [("directories", "Agent"), ("decides", "AgentHooks"), ("runs", "AgentRuns")] {
            rows.strings(row)?.into_iter().for_each(|text| put(tag, false, text));
        }
        // What decides is more than a file of the agent, what runs is read by itself, and data is nothing.
        for row in ["runs", "data"] {
            rows.strings(row)?.into_iter().for_each(|text| put("Agent", true, text));
        }
        for text in rows.strings("decides")? {
            put("Agent", false, text);
            put("AgentRuns", true, text);
        }
    }
    Ok(tagged)
}
