//! The pools of the program table: each list of items once. `src/program/pool.rs` says why.

use super::constant;
use std::collections::HashMap;

/// The items of one kind, as source.
#[derive(Default)]
pub(super) struct Pool {
    items: Vec<String>,
    lists: HashMap<Vec<String>, usize>,
}

impl Pool {
    /// Adds a list, unless it is there, and returns its source.
    fn list(&mut self, items: Vec<String>) -> String {
        let count = items.len();
        let start = if count == 0 {
            0
        } else if let Some(start) = self.lists.get(&items) {
            *start
        } else {
            let start = self.items.len();
            self.items.extend(items.iter().cloned());
            self.lists.insert(items, start);
            start
        };
        format!("List::at({start}, {count})")
    }
}

/// An option, as the table of programs has it.
pub(super) struct OptionParts {
    pub(super) names: Vec<&'static str>,
    /// The source of its qualities.
    pub(super) says: String,
    /// The source of its value.
    pub(super) value: ValueParts,
}

pub(super) enum ValueParts {
    None,
    Required(String),
    Optional(String),
    Several(Vec<String>),
}

/// An effect of a program, with the source of each part.
pub(super) struct EffectParts {
    pub(super) action: String,
    pub(super) qualities: String,
    pub(super) when: String,
    pub(super) unless: String,
}

/// An entry of the table, with the source of each part.
pub(super) struct Parts {
    pub(super) name: Vec<&'static str>,
    pub(super) options: Vec<OptionParts>,
    pub(super) operands: Vec<String>,
    /// The qualities and operands of each case.
    pub(super) cases: Vec<(String, Vec<String>)>,
    pub(super) effects: Vec<EffectParts>,
    pub(super) qualities: String,
    pub(super) wraps: String,
    pub(super) prints: String,
    pub(super) style: String,
    pub(super) traits: Vec<String>,
    pub(super) handler: String,
}

/// The source of no qualities.
pub(super) const NO_QUALITIES: &str = "Qualities::NONE";

/// All pools.
pub(super) struct Pools {
    words: Pool,
    options: Pool,
    operands: Pool,
    cases: Pool,
    effects: Pool,
    roles: Pool,
    traits: Pool,
    qualities: Vec<String>,
    qualities_at: HashMap<String, usize>,
}

impl Pools {
    pub(super) fn new() -> Self {
        let mut pools = Self {
            words: Pool::default(),
            options: Pool::default(),
            operands: Pool::default(),
            cases: Pool::default(),
            effects: Pool::default(),
            roles: Pool::default(),
            traits: Pool::default(),
            qualities: Vec::new(),
            qualities_at: HashMap::new(),
        };
        // The first, so that an empty one is at zero.
        pools.qualities(NO_QUALITIES);
        pools
    }

    /// Adds an entry, and returns its source.
    pub(super) fn entry(&mut self, parts: &Parts) -> String {
        let name = self.words(&parts.name);
        let options = parts.options.iter().map(|option| self.option(option)).collect();
        let options = self.options.list(options);
        let operands = self.operands.list(parts.operands.clone());
        let cases = parts.cases.iter().map(|(qualities, operands)| {
            let (when, operands) = (self.qualities(qualities), self.operands.list(operands.clone()));
            format!("Case {{ when: {when}, operands: {operands} }}")
        });
        let cases = cases.collect();
        let cases = self.cases.list(cases);
        let does = parts.effects.iter().map(|effect| self.effect(effect)).collect();
        let does = self.effects.list(does);
        let qualities = self.qualities(&parts.qualities);
        let traits = self.traits.list(parts.traits.clone());
        let Parts { wraps, prints, style, handler, .. } = parts;
        format!(
            "Program {{ name: {name}, options: {options}, operands: {operands}, cases: {cases}, does: {does}, traits: {traits}, \
             qualities: {qualities}, wraps: {wraps}, prints: {prints}, style: {style}, handler: {handler} }}"
        )
    }

    fn words(&mut self, words: &[&str]) -> String {
        self.words.list(words.iter().map(|word| format!("{word:?}")).collect())
    }

    fn option(&mut self, option: &OptionParts) -> String {
        let (names, says) = (self.words(&option.names), self.qualities(&option.says));
        let value = match &option.value {
            ValueParts::None => "None".to_owned(),
            ValueParts::Required(role) => format!("Required({role})"),
            ValueParts::Optional(role) => format!("Optional({role})"),
            ValueParts::Several(roles) => format!("Several({})", self.roles.list(roles.clone())),
        };
        format!("OptionSpec {{ names: {names}, says: {says}, value: Value::{value} }}")
    }

    fn effect(&mut self, effect: &EffectParts) -> String {
        let EffectParts { action, qualities, when, unless } = effect;
        let (qualities, when, unless) =
            (self.qualities(qualities), self.qualities(when), self.qualities(unless));
        format!("StaticEffect {{ action: {action}, qualities: {qualities}, when: {when}, unless: {unless} }}")
    }

    fn qualities(&mut self, source: &str) -> String {
        let next = self.qualities.len();
        let place = *self.qualities_at.entry(source.to_owned()).or_insert(next);
        if place == next {
            self.qualities.push(source.to_owned());
        }
        format!("QualitiesAt({place})")
    }

    /// Returns the source of all pools.
    pub(super) fn tables(&self) -> String {
        let pools = [
            ("word_pool", "&[&str]", &self.words.items),
            ("option_pool", "&[OptionSpec]", &self.options.items),
            ("operand_pool", "&[Operand]", &self.operands.items),
            ("case_pool", "&[Case]", &self.cases.items),
            ("effect_pool", "&[StaticEffect]", &self.effects.items),
            ("role_pool", "&[Role]", &self.roles.items),
            ("trait_pool", "&[Trait]", &self.traits.items),
            ("qualities", "&[Qualities]", &self.qualities),
        ];
        pools
            .iter()
            .map(|(name, kind, items)| constant(name, kind, &format!("&[{}]", items.join(", "))))
            .collect()
    }
}
