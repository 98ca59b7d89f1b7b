//! Our entries in an agent's hook file: find, insert, fix, remove.
//!
//! An entry goes to the end of its event's list and is fixed in place: Codex identifies a trusted hook by its
//! position in the list, so no other entry may move.

use super::{
    command::{Command, Missing},
    edit::{self, Style},
    layout::{Kind, Layout, Nesting, Position},
    recipe::{BomPolicy, EventSupport, Recipe, Version},
    tables,
    tree::{Node, SyntaxError},
    whole, yaml,
};
use checkrein_core::{Class, EventName};
use serde_json::{Value as Json, json};

/// An entry that should be in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The event of the entry.
    pub event: EventName,
    /// The agent's name of the event.
    pub key: &'static str,
    /// The path of the file, in the agent's directory.
    pub file: String,
    /// The handler.
    pub(super) handler: Json,
}

impl Wanted {
    /// Creates the entry for an event of an agent.
    pub fn new(recipe: &Recipe, version: Option<Version>, fired: &EventSupport, program: &str) -> Self {
        Self::with(recipe, version, fired, &Command::line(program, recipe, fired.event))
    }

    /// Returns the entries with one more for each other file of a module.
    pub fn with_companions(recipe: &Recipe, mut wanted: Vec<Self>) -> Vec<Self> {
        if let Some(first) = wanted.first().cloned() {
            let others = recipe.layout.companions.iter();
            wanted.extend(others.map(|(name, _)| Self { file: (*name).to_owned(), ..first.clone() }));
        }
        wanted
    }

    /// Creates the entry for a project's file, which other people use on other machines.
    pub fn shared(recipe: &Recipe, version: Option<Version>, fired: &EventSupport, missing: Missing) -> Self {
        Self::with(recipe, version, fired, &Command::shared_line(recipe, fired.event, missing))
    }

    /// Creates the entry for a plugin, whose directory the agent calls `root`.
    pub(super) fn in_plugin(recipe: &Recipe, fired: &EventSupport, root: &str) -> Self {
        Self::with(recipe, None, fired, &Command::plugin_line(root, recipe, fired.event))
    }

    fn with(recipe: &Recipe, version: Option<Version>, fired: &EventSupport, command: &str) -> Self {
        let handler = recipe.layout.handler(command, fired.timeout);
        let wanted = Self { event: fired.event, key: fired.key, file: recipe.file_of(fired), handler };
        if fails_closed(recipe, version, fired.event) { wanted.blocking(recipe) } else { wanted }
    }

    /// Has the agent block where our program fails.
    fn blocking(mut self, recipe: &Recipe) -> Self {
        let setting = recipe.layout.fail_closed;
        if let Some(fields) = self.handler.as_object_mut() {
            fields.insert(setting.key().into(), setting.value());
        }
        self
    }

    /// Has the agent block a prompt, too, where our program fails: for prompts that a configured hook judges.
    pub fn for_judged_prompts(self, recipe: &Recipe, version: Option<Version>) -> Self {
        let is_prompt = self.event == EventName::UserPromptSubmit;
        if is_prompt && recipe.fails_closed(version) { self.blocking(recipe) } else { self }
    }

    /// Creates the entry that is registered with this handler.
    pub(super) fn as_registered(recipe: &Recipe, event: EventName, handler: Json) -> Self {
        Self { event, key: recipe.key(event), file: recipe.file.to_owned(), handler }
    }

    /// Returns the element of the event's list.
    fn element(&self, layout: &Layout) -> Json {
        layout.element(&self.handler, self.event.has_tool())
    }

    /// Returns true if `handler` has the fields that we write.
    fn is(&self, handler: &Json) -> bool {
        let wanted = self.handler.as_object().into_iter().flatten();
        wanted.into_iter().all(|(key, value)| handler.get(key) == Some(value))
    }
}

/// Returns true if the entry of an event asks the agent to block where our program fails. A prompt goes on: it changes
/// nothing by itself, and without it the user could not even ask the agent to fix the installation.
pub fn fails_closed(recipe: &Recipe, version: Option<Version>, event: EventName) -> bool {
    event.class() == Class::Gate && event != EventName::UserPromptSubmit && recipe.fails_closed(version)
}

/// An entry that calls checkrein.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key of the event.
    pub key: String,
    /// The event that the agent fires under this key.
    pub event: Option<EventName>,
    /// The number of its group in the list of the event, from 0.
    pub group: usize,
    /// The number in the group, from 0.
    pub index: usize,
    /// The matcher of the group.
    pub matcher: Option<String>,
    /// The command.
    pub command: Command,
    /// The entry as written.
    pub handler: Json,
    /// The line, from 1.
    pub line: usize,
}

impl Entry {
    /// Returns true if the entry matches every call.
    pub fn matches_all(&self) -> bool {
        self.matcher.as_deref().is_none_or(|matcher| matcher.is_empty() || matcher == "*" || matcher == ".*")
    }
}

/// A text with our entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The whole file.
    pub text: String,
    /// The keys that had to be created for them: `hooks`, or the list of an event.
    pub made: Vec<String>,
}

/// Returns every entry of a file that calls checkrein, in order.
pub fn entries(text: &str, recipe: &Recipe) -> Result<Vec<Entry>, SyntaxError> {
    if is_empty_file(text) {
        return Ok(Vec::new());
    }
    match recipe.layout.kind {
        Kind::Entries => {}
        Kind::Tables => return tables::entries(text, recipe),
        Kind::Yaml => return Ok(yaml::entries(text, recipe)),
        Kind::Scripts | Kind::Bridge(_) => return Ok(whole::entries(text, recipe)),
    }
    let root = recipe.layout.parse(text)?;
    let hooks = hooks(text, recipe, &root)?;
    let mut found = Vec::new();
    for (key, _, list) in hooks.and_then(Node::members).unwrap_or_default() {
        for (group, node) in list.elements().unwrap_or_default().iter().enumerate() {
            for (index, handler) in recipe.layout.handlers(node).iter().enumerate() {
                let Some(command) = command_of(handler, &recipe.layout) else { continue };
                found.push(Entry {
                    key: key.clone(),
                    event: recipe.event(key),
                    group,
                    index,
                    matcher: node.get("matcher").and_then(Node::text).map(str::to_owned),
                    command,
                    handler: handler.to_json(),
                    line: SyntaxError::at(text, handler.span.start, "").line,
                });
            }
        }
    }
    Ok(found)
}

/// Returns `text` with every one of `wanted`, or unchanged if it has them. An empty text becomes a new file.
pub fn install(text: &str, recipe: &Recipe, wanted: &[Wanted]) -> Result<Installed, SyntaxError> {
    match recipe.layout.kind {
        Kind::Entries => {}
        Kind::Tables => return check(text, recipe).and_then(|()| tables::install(text, recipe, wanted)),
        Kind::Yaml => return check(text, recipe).and_then(|()| yaml::install(text, recipe, wanted)),
        Kind::Scripts | Kind::Bridge(_) => {
            check(text, recipe)?;
            return Ok(Installed { text: whole::write(recipe, wanted), made: Vec::new() });
        }
    }
    let start = if is_empty_file(text) { recipe.layout.empty() } else { text.to_owned() };
    let mut installed = Installed { text: start, made: Vec::new() };
    check(&installed.text, recipe)?;
    for wanted in wanted {
        one(&mut installed, recipe, wanted)?;
    }
    Ok(installed)
}

/// Returns `text` without our entries. Of what became empty, everything in `made` is removed too; without a record,
/// everything is.
pub fn uninstall(text: &str, recipe: &Recipe, made: Option<&[String]>) -> Result<String, SyntaxError> {
    let mut text = text.to_owned();
    if is_empty_file(&text) {
        return Ok(text);
    }
    match recipe.layout.kind {
        Kind::Entries => {}
        Kind::Tables => return tables::uninstall(&text, recipe),
        Kind::Yaml => return Ok(yaml::uninstall(&text)),
        Kind::Scripts | Kind::Bridge(_) => {
            return Ok(if whole::is_ours(&text) { String::new() } else { text });
        }
    }
    let goes = |name: &str| made.is_none_or(|made| made.iter().any(|made| made == name));
    while let Some(shorter) = without_one(&text, recipe, &goes)? {
        text = shorter;
    }
    Ok(text)
}

/// Returns true for an empty file, which has no settings.
fn is_empty_file(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

/// Checks that the agent accepts this file and that we may change it.
pub fn check(text: &str, recipe: &Recipe) -> Result<(), SyntaxError> {
    if is_empty_file(text) {
        return Ok(());
    }
    if recipe.layout.kind.is_whole() {
        return if whole::is_ours(text) { Ok(()) } else { Err(whole::not_ours(text)) };
    }
    if recipe.bom == BomPolicy::Reject && text.starts_with('\u{feff}') {
        let what = format!("{} rejects a file that starts with a byte order mark", recipe.title);
        return Err(SyntaxError::at(text, 0, what));
    }
    match recipe.layout.kind {
        Kind::Tables => return tables::check(text),
        Kind::Yaml => return yaml::check(text),
        Kind::Entries | Kind::Scripts | Kind::Bridge(_) => {}
    }
    let root = recipe.layout.parse(text)?;
    let Some(members) = root.members() else {
        return Err(SyntaxError::at(text, root.span.start, "expected an object"));
    };
    if let Some((key, place, _)) =
        members.iter().find(|(key, ..)| !recipe.keys.is_empty() && !recipe.keys.contains(&key.as_str()))
    {
        let keys = recipe.keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let what = format!("{} rejects the file because of the key `{key}`; it knows {keys}", recipe.title);
        return Err(SyntaxError::at(text, place.start, what));
    }
    hooks(text, recipe, &root).map(drop)
}

/// Returns the object with the hooks, whose lists can be edited.
fn hooks<'a>(text: &str, recipe: &Recipe, root: &'a Node) -> Result<Option<&'a Node>, SyntaxError> {
    let twice =
        |node: &Node, key: &str| match node.members().into_iter().flatten().filter(|m| m.0 == key).nth(1) {
            Some((_, place, _)) => Err(SyntaxError::at(text, place.start, format!("duplicate key `{key}`"))),
            None => Ok(()),
        };
    twice(root, "hooks")?;
    let Some(hooks) = root.get("hooks") else { return Ok(None) };
    let Some(events) = hooks.members() else {
        return Err(SyntaxError::at(text, hooks.span.start, "`hooks` should be an object"));
    };
    for (event, _, list) in events {
        twice(hooks, event)?;
        if recipe.event(event).is_some() && list.elements().is_none() {
            return Err(SyntaxError::at(text, list.span.start, format!("`{event}` should be a list")));
        }
    }
    Ok(Some(hooks))
}

fn command_of(handler: &Node, layout: &Layout) -> Option<Command> {
    let line = handler.get(layout.command)?.text()?;
    let arguments: Option<Vec<String>> = handler
        .get("args")
        .and_then(Node::elements)
        .map(|arguments| arguments.iter().map(|word| word.text().unwrap_or_default().to_owned()).collect());
    Command::find(line, arguments.as_deref())
}

/// Returns true if `init` wrote this entry for this agent.
fn is_ours(handler: &Node, recipe: &Recipe) -> bool {
    command_of(handler, &recipe.layout)
        .is_some_and(|command| !command.is_handmade && command.host.as_deref() == Some(recipe.host))
}

fn one(installed: &mut Installed, recipe: &Recipe, wanted: &Wanted) -> Result<(), SyntaxError> {
    let (text, layout) = (installed.text.as_str(), &recipe.layout);
    let root = layout.parse(text)?;
    let style = Style::of(text, &root);
    let key = wanted.key;
    let new_list = || Json::from(vec![wanted.element(layout)]);
    let Some(hooks) = hooks(text, recipe, &root)? else {
        let hooks = json!({key: new_list()});
        installed.text = edit::append(text, &style, &root, Some("hooks"), &hooks);
        installed.made.extend(["hooks".to_owned(), key.to_owned()]);
        return Ok(());
    };
    let Some(list) = hooks.get(key) else {
        installed.text = edit::append(text, &style, hooks, Some(key), &new_list());
        installed.made.push(key.to_owned());
        return Ok(());
    };
    let elements = list.elements().unwrap_or_default();
    let all: Vec<(usize, usize, &Node)> = elements
        .iter()
        .enumerate()
        .flat_map(|(element, node)| {
            layout.handlers(node).iter().enumerate().map(move |(at, handler)| (element, at, handler))
        })
        .collect();
    let ours: Vec<(usize, usize, &Node)> =
        all.iter().copied().filter(|(.., handler)| is_ours(handler, recipe)).collect();
    let is_last =
        |place: &(usize, usize, &Node)| all.last().map(|(a, b, _)| (*a, *b)) == Some((place.0, place.1));
    match ours.as_slice() {
        [] => installed.text = edit::append(text, &style, list, None, &wanted.element(layout)),
        [place] if layout.position == Position::Last && !is_last(place) => {
            let without = without_handler(text, layout, list, place.0, place.1);
            installed.text = without;
            return one(installed, recipe, wanted);
        }
        [(.., first)] if wanted.is(&first.to_json()) => {}
        [(.., first)] => installed.text = edit::replace(text, &style, first, &wanted.handler),
        // Some agents would call us twice.
        [_, .., (element, at, _)] => {
            installed.text = without_handler(text, layout, list, *element, *at);
            return one(installed, recipe, wanted);
        }
    }
    Ok(())
}

/// Returns `text` without one handler of an event's list, and without its group if that is empty then.
fn without_handler(text: &str, layout: &Layout, list: &Node, element: usize, at: usize) -> String {
    let group = list.elements().and_then(|elements| elements.get(element));
    let handlers = group.filter(|_| layout.nesting == Nesting::Groups).and_then(|group| group.get("hooks"));
    match handlers.filter(|handlers| handlers.elements().is_some_and(|all| all.len() > 1)) {
        Some(handlers) => edit::remove(text, handlers, at),
        None => edit::remove(text, list, element),
    }
}

/// Returns `text` without the first of our entries, or of what they left empty.
fn without_one(
    text: &str,
    recipe: &Recipe,
    goes: &impl Fn(&str) -> bool,
) -> Result<Option<String>, SyntaxError> {
    let layout = &recipe.layout;
    let root = layout.parse(text)?;
    let Some(hooks) = hooks(text, recipe, &root)? else { return Ok(None) };
    let events = hooks.members().unwrap_or_default();
    for (at, (key, _, list)) in events.iter().enumerate() {
        let elements = list.elements().unwrap_or_default();
        for (number, element) in elements.iter().enumerate() {
            let handlers = layout.handlers(element);
            let Some(index) = handlers.iter().position(|handler| is_ours(handler, recipe)) else {
                continue;
            };
            return Ok(Some(match (handlers.len(), elements.len()) {
                (1, 1) if goes(key) && events.len() == 1 && goes("hooks") => {
                    let place =
                        root.members().unwrap_or_default().iter().position(|(key, ..)| key == "hooks");
                    edit::remove(text, &root, place.unwrap_or_default())
                }
                (1, 1) if goes(key) => edit::remove(text, hooks, at),
                (_, _) => without_handler(text, layout, list, number, index),
            }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{CLAUDE, CODEX},
        *,
    };

    fn wanted(recipe: &Recipe, program: &str) -> Vec<Wanted> {
        recipe.registered(None, &[]).map(|fired| Wanted::new(recipe, None, fired, program)).collect()
    }

    #[test]
    fn an_empty_file_gets_all_entries() {
        let pre = Wanted::new(&CLAUDE, None, CLAUDE.fired(EventName::PreToolUse).unwrap(), "/bin/checkrein");
        let end = Wanted::new(&CLAUDE, None, CLAUDE.fired(EventName::SessionEnd).unwrap(), "/bin/checkrein");
        let installed = install("", &CLAUDE, &[pre, end]).unwrap();
        insta::assert_snapshot!(installed.text, @r#"
        {
          "hooks": {
            "PreToolUse": [
              {
                "matcher": "*",
                "hooks": [
                  {
                    "type": "command",
                    "command": "/bin/checkrein hook --host claude --event PreToolUse",
                    "timeout": 30,
                    "onFailure": "block"
                  }
                ]
              }
            ],
            "SessionEnd": [
              {
                "hooks": [
                  {
                    "type": "command",
                    "command": "/bin/checkrein hook --host claude --event SessionEnd",
                    "timeout": 3
                  }
                ]
              }
            ]
          }
        }
        "#);
        assert_eq!(installed.made, ["hooks", "PreToolUse", "SessionEnd"]);
    }

    #[test]
    fn existing_content_stays_unchanged() {
        let text = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./mine.sh"}]}]},"model":"x"}"#;
        let wanted = wanted(&CLAUDE, "/bin/checkrein");
        let installed = install(text, &CLAUDE, &wanted).unwrap();
        let root: Json = serde_json::from_str(&installed.text).unwrap();
        assert_eq!(root.pointer("/hooks/PreToolUse/0/hooks/0/command").unwrap(), "./mine.sh");
        assert_eq!(root.pointer("/hooks/PreToolUse/1/matcher").unwrap(), "*");
        assert_eq!(root.get("model").unwrap(), "x");
        // Installing again changes nothing, and uninstalling restores the text.
        assert_eq!(install(&installed.text, &CLAUDE, &wanted).unwrap().text, installed.text);
        assert_eq!(uninstall(&installed.text, &CLAUDE, Some(&installed.made)).unwrap(), text);
        assert_eq!(uninstall(&installed.text, &CLAUDE, None).unwrap(), text);
    }

    #[test]
    fn the_entry_of_a_moved_program_is_updated_in_place() {
        let installed = install("{}", &CODEX, &wanted(&CODEX, "/old/checkrein")).unwrap();
        let text = installed.text.replace(
            "\"PreToolUse\": [",
            "\"PreToolUse\": [ {\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]},",
        );
        let moved = install(&text, &CODEX, &wanted(&CODEX, "/new/checkrein")).unwrap();
        assert_eq!(moved.text, text.replace("/old/", "/new/"));
    }

    #[test]
    fn a_duplicate_entry_is_removed() {
        let installed = install("{}", &CODEX, &wanted(&CODEX, "/bin/checkrein")).unwrap();
        let twice = installed.text.replace("\"Stop\": [", "\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/old/checkrein hook --host codex --event Stop\"}]},");
        let updated = install(&twice, &CODEX, &wanted(&CODEX, "/bin/checkrein")).unwrap();
        let stops: Vec<Entry> =
            entries(&updated.text, &CODEX).unwrap().into_iter().filter(|entry| entry.key == "Stop").collect();
        assert_eq!(stops.len(), 1);
        assert_eq!(stops[0].command.program, "/bin/checkrein");
    }

    #[test]
    fn another_agents_entry_and_a_users_own_are_left_alone() {
        let own = "/bin/checkrein hook --host claude --event PreToolUse --config /x.toml";
        let text = format!(
            "{{\"hooks\": {{\"PreToolUse\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": \"{own}\"}}]}}]}}}}"
        );
        assert_eq!(uninstall(&text, &CLAUDE, None).unwrap(), text);
        let installed = install(&text, &CLAUDE, &wanted(&CLAUDE, "/bin/checkrein")).unwrap();
        let found = entries(&installed.text, &CLAUDE).unwrap();
        assert_eq!(found.iter().filter(|entry| entry.command.is_handmade).count(), 1);
        assert_eq!(uninstall(&installed.text, &CLAUDE, Some(&installed.made)).unwrap(), text);
    }

    #[test]
    fn an_unreadable_file_is_not_touched() {
        for (text, expected) in [
            ("[]", "line 1, column 1: expected an object"),
            ("{\"hooks\": []}", "line 1, column 11: `hooks` should be an object"),
            ("{\"hooks\": {\"Stop\": {}}}", "line 1, column 20: `Stop` should be a list"),
            ("{\"hooks\": {},\n \"hooks\": {}}", "line 2, column 2: duplicate key `hooks`"),
            ("{\"hooks\": {\"Stop\": [], \"Stop\": []}}", "line 1, column 24: duplicate key `Stop`"),
        ] {
            assert_eq!(install(text, &CLAUDE, &[]).unwrap_err().to_string(), expected);
        }
        let error = install("\u{feff}{}", &CODEX, &[]).unwrap_err().to_string();
        assert_eq!(error, "line 1, column 1: Codex rejects a file that starts with a byte order mark");
        let error = install("{\"model\": 1}", &CODEX, &[]).unwrap_err().to_string();
        assert_eq!(
            error,
            "line 1, column 2: Codex rejects the file because of the key `model`; it knows `description`, `hooks`"
        );
    }
}
