//! The figures of a replay, and the lines between its processes.

use super::want::Want;
use checkrein::{Decision, Map};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// A call that was judged.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Call {
    pub(in crate::commands) agent: String,
    pub(in crate::commands) session: String,
    pub(in crate::commands) time: String,
    pub(in crate::commands) file: String,
    pub(in crate::commands) line: u64,
    pub(in crate::commands) tool: String,
    pub(in crate::commands) call: String,
    /// A digest of the input.
    pub(in crate::commands) identity: u64,
    /// The input without secrets, if it was asked for.
    pub(in crate::commands) input: Option<Map>,
    pub(in crate::commands) decision: Decision,
    /// The decision of the policy that it is compared with.
    pub(in crate::commands) before: Option<Decision>,
    pub(in crate::commands) rules: Vec<String>,
    /// The command that the strictest rule is about, or the whole text of a call that entries would cover, without secrets.
    pub(in crate::commands) command: String,
    pub(in crate::commands) without_files: bool,
    /// The entries that would have spared the user a prompt for it.
    pub(in crate::commands) wants: Vec<Want>,
}

impl Call {
    pub(super) fn to_json(&self) -> Value {
        let mut line = json!({
            "agent": self.agent,
            "session": self.session,
            "time": self.time,
            "file": self.file,
            "line": self.line,
            "tool": self.tool,
            "call": self.call,
            "decision": self.decision.as_str(),
            "rules": self.rules,
            "command": self.command,
            "without_files": self.without_files,
            "identity": self.identity,
            "savable": !self.wants.is_empty(),
        });
        if let Value::Object(map) = &mut line {
            if let Some(input) = &self.input {
                map.insert("input".into(), Value::Object(input.clone()));
            }
            if !self.wants.is_empty() {
                map.insert("wants".into(), self.wants.iter().map(Want::to_json).collect());
            }
            if let Some(before) = self.before {
                map.insert("before".into(), before.as_str().into());
            }
        }
        line
    }

    pub(super) fn read(mut line: Map) -> Self {
        let mut text = |key: &str| match line.remove(key) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let all = [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny];
        let decision = |text: &str| all.into_iter().find(|decision| decision.as_str() == text);
        Self {
            agent: text("agent"),
            session: text("session"),
            time: text("time"),
            file: text("file"),
            tool: text("tool"),
            call: text("call"),
            decision: decision(&text("decision")).unwrap_or_default(),
            before: decision(&text("before")),
            command: text("command"),
            rules: line
                .get("rules")
                .and_then(Value::as_array)
                .map(|rules| rules.iter().filter_map(Value::as_str).map(str::to_owned).collect())
                .unwrap_or_default(),
            line: line.get("line").and_then(Value::as_u64).unwrap_or_default(),
            identity: line.get("identity").and_then(Value::as_u64).unwrap_or_default(),
            without_files: line.get("without_files") == Some(&Value::Bool(true)),
            wants: line
                .get("wants")
                .and_then(Value::as_array)
                .map(|wants| wants.iter().filter_map(Value::as_object).filter_map(Want::read).collect())
                .unwrap_or_default(),
            input: match line.remove("input") {
                Some(Value::Object(input)) => Some(input),
                _ => None,
            },
        }
    }

    /// Returns what a copy of this call has in common with it. A call without an id is never a copy.
    pub(super) fn identity(&self) -> [u8; 16] {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (&self.agent, &self.call).hash(&mut hasher);
        if self.call.is_empty() {
            (&self.file, self.line).hash(&mut hasher);
        }
        let mut bytes = [0; 16];
        let (first, second) = bytes.split_at_mut(8);
        first.copy_from_slice(&hasher.finish().to_le_bytes());
        second.copy_from_slice(&self.identity.to_le_bytes());
        bytes
    }

    /// Returns the program and its subcommand, under which similar commands are counted together.
    fn shape(&self) -> String {
        let mut words = self.command.split_whitespace();
        let program = words.next().unwrap_or(&self.tool);
        let program = program.rsplit('/').next().unwrap_or(program);
        let is_word = |word: &&str| word.chars().all(|char| char.is_ascii_alphanumeric() || char == '-');
        match words.next().filter(|word| !word.starts_with('-')).filter(is_word) {
            Some(second) => format!("{program} {second}"),
            None => program.to_owned(),
        }
    }
}

/// The figures of one file.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    pub(super) host: String,
    /// Records of a kind that is not known.
    pub(super) unknown: u64,
    /// Records that are too long to be read.
    pub(super) too_long: u64,
    /// Records of a call that do not hold all of it.
    pub(super) incomplete: u64,
    /// Calls before the time in question.
    pub(super) older: u64,
    /// The reason why it could not be read.
    pub(super) problem: Option<String>,
}

impl End {
    pub(super) fn to_json(&self) -> Value {
        json!({ "end": {
            "host": self.host,
            "unknown": self.unknown,
            "too_long": self.too_long,
            "incomplete": self.incomplete,
            "older": self.older,
            "problem": self.problem,
        } })
    }

    pub(super) fn read(line: &Map) -> Self {
        let number = |key: &str| line.get(key).and_then(Value::as_u64).unwrap_or_default();
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            host: text("host").unwrap_or_default(),
            unknown: number("unknown"),
            too_long: number("too_long"),
            incomplete: number("incomplete"),
            older: number("older"),
            problem: text("problem"),
        }
    }
}

/// Calls that are counted together: the same rule, the same program.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Group {
    pub(super) calls: u64,
    pub(super) sessions: HashSet<String>,
    pub(super) last: String,
    /// One of the commands.
    pub(super) example: String,
}

/// The figures of one agent.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct AgentFigures {
    pub(super) calls: u64,
    pub(super) sessions: HashSet<String>,
    pub(super) denied: u64,
    pub(super) asked: u64,
    pub(super) allowed: u64,
    /// Calls that the agent may have asked about itself, and that entries of `suggest` would cover.
    pub(super) savable: u64,
}

/// The figures of a whole replay.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Summary {
    pub(in crate::commands) files: u64,
    pub(in crate::commands) calls: u64,
    pub(in crate::commands) agents: BTreeMap<String, AgentFigures>,
    /// By decision (deny or ask), rule and shape.
    pub(in crate::commands) groups: BTreeMap<(Decision, String, String), Group>,
    /// Calls that two policies judge differently: from, to, rule.
    pub(in crate::commands) changes: BTreeMap<(Decision, Decision, String), Group>,
    pub(in crate::commands) without_files: u64,
    pub(in crate::commands) unknown: u64,
    pub(in crate::commands) too_long: u64,
    pub(in crate::commands) incomplete: u64,
    pub(in crate::commands) first: String,
    pub(in crate::commands) last: String,
    pub(in crate::commands) failed: Vec<String>,
    pub(in crate::commands) seconds: f64,
}

impl Summary {
    pub(super) fn add(&mut self, call: &Call) {
        self.calls += 1;
        self.without_files += u64::from(call.without_files);
        if !call.time.is_empty() {
            if self.first.is_empty() || call.time < self.first {
                self.first.clone_from(&call.time);
            }
            if call.time > self.last {
                self.last.clone_from(&call.time);
            }
        }
        let agent = self.agents.entry(call.agent.clone()).or_default();
        agent.calls += 1;
        if !agent.sessions.contains(&call.session) {
            agent.sessions.insert(call.session.clone());
        }
        match call.decision {
            Decision::Deny => agent.denied += 1,
            Decision::Ask => agent.asked += 1,
            Decision::Allow => agent.allowed += 1,
            Decision::Abstain => {}
        }
        agent.savable += u64::from(!call.wants.is_empty());
        let rule = call.rules.first().cloned().unwrap_or_default();
        if let Some(before) = call.before.filter(|before| *before != call.decision) {
            self.changes.entry((before, call.decision, rule.clone())).or_default().add(call);
        }
        if matches!(call.decision, Decision::Deny | Decision::Ask) {
            self.groups.entry((call.decision, rule, call.shape())).or_default().add(call);
        }
    }

    pub(super) fn end(&mut self, end: &End) {
        self.unknown += end.unknown;
        self.too_long += end.too_long;
        self.incomplete += end.incomplete;
        self.failed.extend(end.problem.clone());
    }

    /// Returns a figure of all agents together.
    pub(super) fn total(&self, figure: impl Fn(&AgentFigures) -> u64) -> u64 {
        self.agents.values().map(figure).sum()
    }

    pub(super) fn sessions(&self) -> u64 {
        self.total(|agent| agent.sessions.len() as u64)
    }

    pub(super) fn to_json(&self) -> Value {
        let agents: Map = self
            .agents
            .iter()
            .map(|(name, agent)| {
                let figures = json!({
                    "calls": agent.calls,
                    "sessions": agent.sessions.len(),
                    "denied": agent.denied,
                    "asked": agent.asked,
                    "allowed": agent.allowed,
                    "savable": agent.savable,
                });
                (name.clone(), figures)
            })
            .collect();
        let groups: Vec<Value> = self
            .groups
            .iter()
            .map(|((decision, rule, shape), group)| {
                json!({
                    "decision": decision.as_str(), "rule": rule, "shape": shape, "calls": group.calls,
                    "sessions": group.sessions.len(), "last": group.last, "example": group.example,
                })
            })
            .collect();
        let changes: Vec<Value> = self
            .changes
            .iter()
            .map(|((before, after, rule), group)| {
                json!({
                    "before": before.as_str(), "after": after.as_str(), "rule": rule, "calls": group.calls,
                    "sessions": group.sessions.len(), "example": group.example,
                })
            })
            .collect();
        json!({ "summary": {
            "files": self.files,
            "calls": self.calls,
            "sessions": self.sessions(),
            "denied": self.total(|agent| agent.denied),
            "asked": self.total(|agent| agent.asked),
            "allowed": self.total(|agent| agent.allowed),
            "savable": self.total(|agent| agent.savable),
            "without_files": self.without_files,
            "unknown_records": self.unknown,
            "long_records": self.too_long,
            "incomplete_records": self.incomplete,
            "failed_files": self.failed.len(),
            "first": self.first,
            "last": self.last,
            "agents": agents,
            "groups": groups,
            "changes": changes,
            "seconds": (self.seconds * 1000.0).round() / 1000.0,
        } })
    }
}

impl Group {
    fn add(&mut self, call: &Call) {
        self.calls += 1;
        self.sessions.insert(call.session.clone());
        if call.time >= self.last {
            self.last.clone_from(&call.time);
            self.example.clone_from(if call.command.is_empty() { &call.tool } else { &call.command });
        }
    }
}
