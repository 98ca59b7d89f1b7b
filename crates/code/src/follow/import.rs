//! Imports: the modules and parts that names refer to.

use super::{Follower, Value};
use crate::{Does, Language, lex::Tok, several};
use checkrein_shell::Word;

/// The maximum number of modules whose names may all be imported.
const OPEN_MODULES: usize = 64;

impl Follower {
    /// `import a.b as c, d`
    pub(super) fn python_import(&mut self) {
        self.advance();
        while let Some((module, first)) = self.dotted() {
            self.loads(&module);
            if self.is_name("as") {
                self.advance();
                if let Some(Tok::Name(name)) = self.peek().cloned() {
                    self.bind(&name, Value::name(module));
                    self.advance();
                }
            } else {
                self.bind(&first, Value::name(first.clone()));
            }
            if !self.eat_op(",") {
                break;
            }
        }
    }

    /// `from a.b import c as d, (e, f), *`
    pub(super) fn python_from(&mut self) {
        self.advance();
        let Some((module, _)) = self.dotted() else { return };
        self.loads(&module);
        if !self.is_name("import") {
            return;
        }
        self.advance();
        self.eat_op("(");
        loop {
            match self.peek().cloned() {
                Some(Tok::Op("*")) => {
                    self.advance();
                    if !self.open_modules.contains(&module) {
                        // Every name is looked for in each of them.
                        self.cut |= self.open_modules.len() >= OPEN_MODULES;
                        self.open_modules.push(module.clone());
                        self.open_modules.truncate(OPEN_MODULES);
                    }
                }
                Some(Tok::Name(name)) => {
                    self.advance();
                    let mut local = name.clone();
                    if self.is_name("as") {
                        self.advance();
                        if let Some(Tok::Name(other)) = self.peek().cloned() {
                            local = other;
                            self.advance();
                        }
                    }
                    self.bind(&local, Value::name(format!("{module}.{name}")));
                }
                _ => return,
            }
            if !self.eat_op(",") {
                self.eat_op(")");
                return;
            }
        }
    }

    /// A module that is a program starts, with the arguments that this program got or made.
    pub(super) fn starts_module(&mut self, module: &str, start: usize) {
        self.loads(module);
        let is_file = self.language == Language::Python || module.contains('/');
        if is_file && (self.is_program)(module) {
            let span = self.span(start);
            self.run(vec![Word::text(module, 0..0), several()], None, &span);
        }
    }

    /// Follows the load of a module that may be a program.
    fn loads(&mut self, module: &str) {
        let name = module.trim_start_matches("./");
        let name = [".js", ".mjs", ".cjs", ".rb", ".php"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name);
        if self.modules.iter().any(|known| known == name) {
            let span = self.span(self.frame.at.saturating_sub(1));
            self.act(Does::Load(name.to_owned()), &span);
        }
    }

    /// A dotted name and its first part.
    fn dotted(&mut self) -> Option<(String, String)> {
        while self.is_op(".") || self.is_op("...") {
            self.advance();
        }
        let Some(Tok::Name(first)) = self.peek().cloned() else { return None };
        self.advance();
        let mut whole = first.clone();
        while self.is_op(".")
            && let Some(Tok::Name(next)) = self.after(1).cloned()
            && whole.len() < super::MAX_NAME
        {
            self.frame.at = self.frame.at.saturating_add(2);
            whole = format!("{whole}.{next}");
        }
        Some((whole, first))
    }

    /// `import a from 'm'`, `import * as a from 'm'`, `import {a as b} from 'm'`
    pub(super) fn js_import(&mut self) {
        self.advance();
        let from = self.frame.at;
        let limit = from.saturating_add(1024);
        // `import 'm'`
        if matches!(self.tok(from), Some(Tok::Text(_))) {
            if let Some(module) = self.expression().constant() {
                self.starts_module(&module, from);
            }
            return;
        }
        let found = (from..limit).find(|at| matches!(self.tok(*at), Some(Tok::Name(name)) if name == "from"));
        let Some(at) = found else { return };
        self.frame.at = at.saturating_add(1);
        let module = self.expression();
        let Some(module) = module.constant() else { return };
        self.starts_module(&module, from);
        let module = super::compute::module(&module);
        let mut at_name = from;
        while at_name < at {
            match self.tok(at_name).cloned() {
                Some(Tok::Op("{")) => {
                    self.bind_pattern(at_name..at, &module);
                    break;
                }
                Some(Tok::Name(name)) if name != "as" => self.bind(&name, module.clone()),
                _ => {}
            }
            at_name = at_name.saturating_add(1);
        }
    }
}
