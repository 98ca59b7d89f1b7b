//! Arithmetic that is constant.
//!
//! What assigns, indexes or is not understood is `None`: the caller makes it unknown.

use crate::work;

/// The value of an expression. `lookup` gives the number of a variable.
pub(super) fn evaluate(text: &str, lookup: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let tokens = tokens(text)?;
    if tokens.is_empty() {
        return Some(0);
    }
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, lookup };
    let value = parser.conditional()?;
    (parser.at == tokens.len()).then_some(value)
}

/// The names in an expression: what it may assign to.
pub fn names(text: &str) -> Vec<String> {
    work::burn(text.len());
    let mut names = vec![String::new()];
    for char in text.chars() {
        match names.last_mut() {
            Some(last) if char == '_' || char.is_ascii_alphanumeric() => last.push(char),
            Some(last) if last.is_empty() => {}
            Some(_) | None => names.push(String::new()),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[derive(Debug, PartialEq)]
enum Token {
    Number(i64),
    Name(String),
    Operator(&'static str),
}

/// Longest first. No assignment among them: those are not computed here.
const OPERATORS: [&str; 23] = [
    "**", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^",
    "!", "~", "(", ")",
];

fn tokens(text: &str) -> Option<Vec<Token>> {
    work::burn(text.len());
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n']);
        let Some(first) = rest.chars().next() else { return Some(tokens) };
        if first.is_ascii_alphanumeric() || first == '_' {
            let end = rest
                .find(|char: char| !(char.is_ascii_alphanumeric() || matches!(char, '_' | '#' | '@')))
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at_checked(end)?;
            tokens.push(if first.is_ascii_digit() { Token::Number(number(word)?) } else { name(word)? });
            rest = after;
        } else if rest.starts_with("++") || rest.starts_with("--") {
            return None;
        } else if let Some(after) = rest.strip_prefix('?') {
            tokens.push(Token::Operator("?"));
            rest = after;
        } else if let Some(after) = rest.strip_prefix(':') {
            tokens.push(Token::Operator(":"));
            rest = after;
        } else {
            let operator = OPERATORS.into_iter().find(|operator| rest.starts_with(operator))?;
            rest = rest.strip_prefix(operator)?;
            // `+=`, `<<=` and the like assign.
            if rest.starts_with('=') && !matches!(operator, "==" | "!=" | "<=" | ">=" | "(" | ")") {
                return None;
            }
            tokens.push(Token::Operator(operator));
        }
    }
}

fn name(word: &str) -> Option<Token> {
    (!word.contains(['#', '@'])).then(|| Token::Name(word.to_owned()))
}

/// A number as the shell writes it: decimal, `0x1f`, `017`, `2#101`.
pub(super) fn number(text: &str) -> Option<i64> {
    if let Some((base, digits)) = text.split_once('#') {
        let base: u32 = base.parse().ok()?;
        // Above 36 capitals and small letters differ.
        return (2..=36).contains(&base).then(|| i64::from_str_radix(digits, base).ok()).flatten();
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return i64::from_str_radix(digits, 16).ok();
    }
    match text.strip_prefix('0') {
        Some(digits) if !digits.is_empty() => i64::from_str_radix(digits, 8).ok(),
        Some(_) | None => text.parse().ok(),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    lookup: &'a dyn Fn(&str) -> Option<i64>,
}

impl Parser<'_> {
    fn operator(&self) -> Option<&'static str> {
        match self.tokens.get(self.at) {
            Some(Token::Operator(operator)) => Some(operator),
            Some(Token::Number(_) | Token::Name(_)) | None => None,
        }
    }

    fn eat(&mut self, operator: &str) -> bool {
        let is_next = self.operator() == Some(operator);
        self.at += usize::from(is_next);
        is_next
    }

    fn conditional(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 32 {
            return None;
        }
        let condition = self.binary(0)?;
        let value = if self.eat("?") {
            let yes = self.conditional()?;
            let no = self.eat(":").then(|| self.conditional())??;
            if condition == 0 { no } else { yes }
        } else {
            condition
        };
        self.depth -= 1;
        Some(value)
    }

    fn binary(&mut self, least: u8) -> Option<i64> {
        self.depth += 1;
        if self.depth > 32 {
            return None;
        }
        let mut left = self.unary()?;
        while let Some(operator) = self.operator() {
            let Some(strength) = strength(operator).filter(|strength| *strength >= least) else { break };
            self.at += 1;
            // `**` binds to the right, everything else to the left.
            let right = self.binary(if operator == "**" { strength } else { strength + 1 })?;
            left = apply(operator, left, right)?;
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        let mut signs = Vec::new();
        while let Some(sign @ ("-" | "+" | "!" | "~")) = self.operator() {
            signs.push(sign);
            self.at += 1;
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        let mut value = match token {
            Token::Number(number) => *number,
            Token::Name(name) => (self.lookup)(name)?,
            Token::Operator("(") => {
                let value = self.conditional()?;
                self.eat(")").then_some(value)?
            }
            Token::Operator(_) => return None,
        };
        for sign in signs.into_iter().rev() {
            value = match sign {
                "-" => value.wrapping_neg(),
                "!" => i64::from(value == 0),
                "~" => !value,
                _ => value,
            };
        }
        Some(value)
    }
}

fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        "**" => 11,
        _ => return None,
    })
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        // Shells differ where the distance is out of range, and where a result is.
        "<<" => u32::try_from(right).ok().filter(|by| *by < 63).and_then(|by| left.checked_mul(1 << by))?,
        ">>" => u32::try_from(right).ok().filter(|by| *by < 64).map(|by| left >> by)?,
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        "**" => left.checked_pow(u32::try_from(right).ok()?)?,
        _ => return None,
    })
}
