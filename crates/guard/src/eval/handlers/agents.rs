//! The command lines of coding agents: settings, servers, feature switches.
//!
//! The tables list the options for these; this file reads their values. The guard asks about an unknown value.

use crate::{
    effect::Target,
    eval::{Evaluator, Frame},
    path::LinkPolicy,
    program::{Parsed, Program},
    qualities::qualities,
    vocabulary::{Action, Modifier, Tag},
};
use checkrein_shell::{Candidates, Part, UnknownSource, Word};

/// Settings that change neither what runs nor who is asked.
const HARMLESS: [&str; 20] = [
    "$schema",
    "model",
    "fallbackModel",
    "permissions",
    "allow",
    "deny",
    "ask",
    "additionalDirectories",
    "defaultMode",
    "theme",
    "outputStyle",
    "effortLevel",
    "includeCoAuthoredBy",
    "attribution",
    "commit",
    "pr",
    "language",
    "alwaysThinkingEnabled",
    "cleanupPeriodDays",
    "verbose",
];
/// Tables of a configuration from which an agent starts something, or takes other settings.
const STARTING: [&str; 13] = [
    "mcp_servers",
    "notify",
    "plugins",
    "marketplaces",
    "projects",
    "profile",
    "profiles",
    "skills",
    "agents",
    "zsh_path",
    "apps",
    "permissions",
    "experimental_instructions_file",
];
/// The maximum number of texts of a value that are examined.
const TEXTS: usize = 64;

impl Evaluator<'_> {
    fn unguarded(&mut self, frame: &Frame) {
        self.emit(Action::Unprotect, Target::Nothing, qualities![Modifier::Unguarded], frame);
    }

    /// Handles unknown words that may be options of an agent.
    ///
    /// A quoted value is one word, and a single one counts as the prompt. An unquoted value can become any number of
    /// words; of several quoted values only one is the prompt.
    pub(in crate::eval) fn unknown_options(
        &mut self,
        program: &Program,
        rest: &[Word],
        parsed: &Parsed,
        frame: &Frame,
    ) {
        let before_end = |word: &&Word| word.constant().as_deref() != Some("--");
        let words = || rest.iter().take_while(before_end);
        let several = words().any(|word| self.may_be_several(word));
        // Values with a name, and the words that choose a subcommand, are not prompts.
        let is_choice = |word: &Word| {
            word.constant().is_some_and(|text| {
                text.chars().all(|char| char.is_ascii_lowercase() || char == '-') && !text.is_empty()
            })
        };
        let names_session = |place: usize| {
            place.checked_sub(1).and_then(|before| rest.get(before)).is_some_and(|before| {
                matches!(
                    before.lead(),
                    "-r" | "--resume" | "resume" | "fork" | "-w" | "--worktree" | "-d" | "--debug"
                )
            })
        };
        let is_operand = |word: &Word| parsed.operands.iter().any(|operand| operand == word);
        let mut prompts: Vec<&Word> = Vec::new();
        for (place, word) in rest.iter().enumerate().take(words().count()) {
            let chooses = prompts.is_empty() && is_choice(word);
            if is_operand(word) && !chooses && !names_session(place) {
                prompts.push(word);
            }
        }
        let open = |word: &&Word| word.starts_with_unknown().is_some() && self.texts(word).is_empty();
        // `--$NAME`
        let half = words().any(|word| {
            let lead = word.lead();
            word.is_unknown() && (lead == "-" || lead.starts_with("--") && !lead.contains('='))
        });
        // An unknown value, where one of those in the table would be dangerous.
        let options = || parsed.program.options.iter().chain(program.options);
        let decides = |name: &str| {
            let is_value = |known: &&str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
            options()
                .any(|option| option.says.get().has(Modifier::Force) && option.names.iter().any(is_value))
        };
        let unknown = |word: &Word| word.is_unknown() && self.texts(word).is_empty();
        let value = rest
            .windows(2)
            .any(|pair| matches!(pair, [name, value] if unknown(value) && decides(name.lead())));
        let joined = words()
            .any(|word| word.lead().split_once('=').is_some_and(|(name, _)| unknown(word) && decides(name)));
        if several || half || value || joined || prompts.len() > 1 && prompts.iter().any(open) {
            self.extended(frame);
        }
    }

    /// Returns true if a word becomes any number of words, and any of them may be an option.
    pub(in crate::eval) fn may_be_several(&self, word: &Word) -> bool {
        let first_is_glob =
            matches!(word.parts.first(), Some(Part::Glob(pattern)) if pattern.starts_with(['*', '?', '[']));
        let many = word.unknowns().any(|unknown| match (&unknown.why, &unknown.among) {
            // These are numbers.
            (UnknownSource::Arithmetic, _) => false,
            (UnknownSource::Special(name), _)
                if matches!(name.as_str(), "?" | "$" | "!" | "#" | "RANDOM") =>
            {
                false
            }
            (UnknownSource::Special(name), _) if matches!(name.as_str(), "@" | "*") => true,
            (UnknownSource::Array | UnknownSource::TooMuch, _) => true,
            // Names of files start with their directory.
            _ if unknown.many => self.origin(unknown).paths.is_empty(),
            // Its words are known, and none of them contains a space or starts like an option.
            (_, Candidates::These(words)) => {
                let plain = |word: &Word| {
                    word.constant()
                        .is_some_and(|text| !text.starts_with('-') && !text.contains(char::is_whitespace))
                };
                unknown.splits && !words.iter().all(plain)
            }
            _ => unknown.splits,
        });
        first_is_glob || many && self.value_of(word).text.is_none()
    }

    fn extended(&mut self, frame: &Frame) {
        self.emit(Action::Configure, Target::Nothing, qualities![Modifier::Agent], frame);
    }

    /// Returns JSON that is in a word, or in a file that the call itself wrote.
    fn json_of(&self, word: &Word, frame: &Frame) -> Option<String> {
        let text = self.value_of(word).text?;
        if text.trim_start().starts_with(['{', '[']) {
            return Some(text);
        }
        self.content_of(word, frame).text
    }

    /// `--settings`: without hooks, or with others, it is another agent.
    pub(in crate::eval) fn agent_settings(&mut self, word: &Word, frame: &Frame) {
        let Some(json) = self.json_of(word, frame) else { return self.extended(frame) };
        let tokens = tokens(&json);
        let is_hooks = |key: &str| key.to_ascii_lowercase().contains("hook");
        if keys(&tokens).any(is_hooks) || texts(&tokens).any(|text| text == "bypassPermissions") {
            self.unguarded(frame);
        } else if !keys(&tokens).all(|key| HARMLESS.contains(&key)) {
            self.extended(frame);
        }
    }

    /// `--agents`: their names are keys, too.
    pub(in crate::eval) fn agent_definitions(&mut self, word: &Word, frame: &Frame) {
        let Some(json) = self.json_of(word, frame) else { return self.extended(frame) };
        let tokens = tokens(&json);
        let starts = |key: &str| matches!(key, "hooks" | "mcpServers" | "permissionMode");
        if keys(&tokens).any(starts) {
            self.extended(frame);
        }
    }

    /// Servers that an agent starts: also judged by what they would run.
    pub(in crate::eval) fn agent_servers(&mut self, word: &Word, frame: &Frame) {
        self.extended(frame);
        let Some(json) = self.json_of(word, frame) else { return };
        let tokens = tokens(&json);
        for (place, _) in tokens.iter().enumerate().filter(|(_, token)| token.key && token.text == "command")
        {
            let words: Vec<Word> = tokens
                .iter()
                .skip(place + 1)
                .take_while(|token| !token.key || token.text == "args")
                .filter(|token| !token.key)
                .take(TEXTS)
                .map(|token| Word::text(&token.text, 0..0))
                .collect();
            self.follow_argv(&words, frame);
        }
    }

    /// Follows `--setting-sources`: those that are not named are not read, and our hooks are in one of them.
    pub(in crate::eval) fn agent_sources(&mut self, word: &Word, frame: &Frame) {
        let text = word.constant().unwrap_or_default();
        let has = |wanted: &str| text.split(',').any(|source| source.trim() == wanted);
        if !["user", "project", "local"].into_iter().all(has) {
            self.unguarded(frame);
        }
    }

    /// A feature that is switched.
    pub(in crate::eval) fn agent_feature(&mut self, word: &Word, frame: &Frame) {
        match word.constant() {
            Some(name)
                if name.to_ascii_lowercase().contains("hook")
                    || name.to_ascii_lowercase().contains("checkrein") =>
            {
                self.unguarded(frame);
            }
            Some(name) if name.contains("plugin") => self.extended(frame),
            Some(name) if name.contains('/') && self.is_directory_of_ours(word, frame) => {
                self.unguarded(frame);
            }
            Some(_) => {}
            None => self.extended(frame),
        }
    }

    /// Returns true if a word is the path of something of ours, such as a plugin that an agent loads from there.
    fn is_directory_of_ours(&self, word: &Word, frame: &Frame) -> bool {
        let places = self.places(word, LinkPolicy::Follow, frame);
        places.iter().any(|(spot, _)| {
            let (target, _) = self.mark_ours(Action::Delete, Target::Path(spot.clone()), frame.qualities);
            matches!(target, Target::Path(spot) if spot.tags.has(Tag::Checkrein))
        })
    }

    /// `key=value` over what the configuration says; both are TOML.
    pub(in crate::eval) fn agent_override(&mut self, word: &Word, frame: &Frame) {
        let Some(text) = word.constant() else {
            // The key may be known.
            let lead = word.lead().to_ascii_lowercase();
            return match lead.split_once('=') {
                Some((key, _))
                    if !key.contains("hook") && !STARTING.iter().any(|table| key.starts_with(table)) => {}
                _ => self.extended(frame),
            };
        };
        let (key, value) = text.split_once('=').unwrap_or((&text, ""));
        let key: String = key.chars().filter(|char| !matches!(char, '"' | '\'' | ' ' | '\t')).collect();
        let (key, value) = (key.to_ascii_lowercase(), value.to_owned());
        let first = key.split('.').next().unwrap_or_default().to_owned();
        let about_hooks =
            key.contains("hook") || first == "features" && value.to_ascii_lowercase().contains("hook");
        if about_hooks || value.contains("danger") {
            self.unguarded(frame);
        } else if STARTING.contains(&first.as_str())
            || first == "features" && format!("{key}{value}").contains("plugin")
        {
            self.extended(frame);
            let quoted: Vec<Word> =
                tokens(&value).iter().take(TEXTS).map(|token| Word::text(&token.text, 0..0)).collect();
            match quoted.as_slice() {
                [] => self.run_text(&Word::text(value.trim(), 0..0), frame),
                [text] => self.run_text(text, frame),
                words => drop(self.follow_argv(words, frame)),
            }
        }
    }
}

/// A text in quotes.
struct Token {
    text: String,
    /// True if the words after it belong to it.
    key: bool,
}

fn keys(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter(|token| token.key).map(|token| token.text.as_str())
}

fn texts(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter(|token| !token.key).map(|token| token.text.as_str())
}

/// The texts of JSON in order, with their escapes undone. TOML has the same quotes, and others.
fn tokens(source: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut chars = source.chars().peekable();
    while let Some(quote) = chars.next() {
        if quote != '"' && quote != '\'' {
            continue;
        }
        let mut text = String::new();
        while let Some(char) = chars.next() {
            match char {
                '\\' if quote == '"' => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('u') => {
                        let code: String = (0..4).filter_map(|_| chars.next()).collect();
                        text.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                    }
                    other => text.extend(other),
                },
                end if end == quote => break,
                other => text.push(other),
            }
        }
        while chars.peek().is_some_and(|char| char.is_whitespace()) {
            chars.next();
        }
        found.push(Token { text, key: chars.peek() == Some(&':') });
    }
    found
}
