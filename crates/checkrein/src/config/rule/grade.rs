//! `[[grade]]`: another decision for built-in rules.
//!
//! A mistake here would leave a rule milder or stricter than its author believes, so everything that cannot have the effect that
//! it names is an error.

use super::exception::{Purpose, authority};
use crate::config::{fields::Fields, layer::Layer, reader::ConfigReader};
use checkrein_core::Decision;
use checkrein_guard::{Grade, NEVER_SUPPRESSED};

impl<'t> ConfigReader<'_, 't> {
    /// Reads one grade.
    pub(crate) fn grade(&mut self, mut fields: Fields<'t>) -> Option<Grade> {
        let line = self.line_of(&fields);
        let (of_rule, of_decision) = (fields.span_of("rule"), fields.span_of("decision"));
        let rules = self.rule_patterns("rule", fields.texts("rule"), Purpose::Grade);
        let decision: Option<Decision> = self.word(&mut fields, "decision");
        fields.finish();
        let (rules, decision) = (rules?, decision?);
        if decision < Decision::Deny && self.layer == Layer::Project {
            let key = self.whole_key("decision");
            self.report.add_refused(
                key,
                &of_decision,
                "a project can only make rules stricter: write `deny`",
            );
            return None;
        }
        let protects = |pattern: &String| NEVER_SUPPRESSED.iter().any(|never| pattern.starts_with(never));
        if decision < Decision::Deny && rules.iter().any(protects) {
            let message = "the rules that protect Checkrein itself cannot become milder";
            self.problem("rule", &of_rule, message, None);
            return None;
        }
        Some(Grade { line, authority: authority(self.layer), rules, decision })
    }
}
