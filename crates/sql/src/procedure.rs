//! Code around statements: blocks, prepared and composed texts. Control flow is not followed; every statement that a block
//! could run is taken as run, and every constant text that is executed is read in its turn.

use super::split::{State, nested};
use super::statement::{of, remembered};
use super::token::{Kind, Token, tokens};
use super::{Client, PLACEHOLDER, Statement};

/// Words that start a statement inside a block, where nothing else may tell where it starts.
const STARTS: [&str; 22] = [
    "SELECT", "INSERT", "UPDATE", "DELETE", "DROP", "TRUNCATE", "ALTER", "CREATE", "GRANT", "REVOKE", "EXEC",
    "EXECUTE", "MERGE", "COPY", "PERFORM", "WITH", "CALL", "BACKUP", "RESTORE", "BULK", "SHUTDOWN", "COMMIT",
];

/// Words after which such a word is something else: `FOR UPDATE`, `ON DELETE CASCADE`, `GRANT DELETE`.
const BEFORE_OTHERS: [&str; 15] = [
    "ON",
    "FOR",
    "AFTER",
    "BEFORE",
    "OF",
    "OR",
    "GRANT",
    "DENY",
    "REVOKE",
    "UNION",
    "ALL",
    "EXCEPT",
    "INTERSECT",
    "INSTEAD",
    "NOT",
];

/// Words that only steer a block.
const CONTROL: [&str; 7] = ["BEGIN", "DECLARE", "IF", "WHILE", "ELSE", "END", "TRY"];

/// Returns the effects of a block: those of all its statements.
pub(super) fn block(state: &mut State<'_>, tokens: &[Token<'_>], depth: usize) -> Vec<Statement> {
    let mut found = Vec::new();
    // SQL Server takes a first statement of any kind; elsewhere a block starts with its own words.
    let has_head = state.client == Client::SqlServer && depth == 0;
    let mut start = tokens.first().filter(|first| has_head && !first.is_any(&CONTROL)).map(|_| 0);
    let mut open = 0_usize;
    let deeper = depth.saturating_add(1);
    for (at, token) in tokens.iter().enumerate() {
        if token.is_symbol('(') {
            open = open.saturating_add(1);
        } else if token.is_symbol(')') {
            open = open.saturating_sub(1);
        }
        let begins = open == 0 && begins(tokens, start, at);
        if !begins && token.kind != Kind::End {
            continue;
        }
        if let Some(start) = start.filter(|start| *start < at) {
            found.extend(of(state, tokens.get(start..at).unwrap_or_default(), deeper));
        }
        start = begins.then_some(at);
    }
    if let Some(start) = start {
        found.extend(of(state, tokens.get(start..).unwrap_or_default(), deeper));
    }
    if found.is_empty() {
        found.push(Statement::Read);
    }
    found
}

/// Returns whether a statement begins at this token, if the current one began at `start`.
fn begins(tokens: &[Token<'_>], start: Option<usize>, at: usize) -> bool {
    let next = tokens.get(at.saturating_add(1));
    // `DO` begins a block only before its text or its language; elsewhere it belongs to a loop or to `ON CONFLICT`.
    let is_start = |token: &&Token<'_>| {
        token.is_any(&STARTS)
            || token.is("DO") && next.is_some_and(|next| next.kind == Kind::Text || next.is("LANGUAGE"))
    };
    let Some(token) = tokens.get(at).filter(is_start) else { return false };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let is_other = before.is_some_and(|before| {
        before.is_any(&BEFORE_OTHERS)
            || before.is_symbol(',')
            || before.is_symbol('.')
            || before.is_symbol('=')
    });
    // `WITH` begins a statement only after a separator; elsewhere it brings options.
    let is_option = token.is("WITH")
        && before.is_some_and(|before| {
            before.kind != Kind::End && !before.is_any(&["BEGIN", "THEN", "LOOP", "ELSE"])
        });
    let Some(first) = start.and_then(|start| tokens.get(start)) else { return !is_other && !is_option };
    let continues = if first.is("ALTER") {
        let is_object = next.is_some_and(|next| {
            next.is_any(&[
                "TABLE",
                "DATABASE",
                "SCHEMA",
                "VIEW",
                "PROCEDURE",
                "PROC",
                "FUNCTION",
                "USER",
                "LOGIN",
                "ROLE",
            ])
        });
        token.is_any(&["DROP", "ALTER", "WITH"]) && !is_object
    } else if first.is_any(&["INSERT", "COPY"]) {
        token.is_any(&["SELECT", "WITH"])
    } else if first.is("MERGE") {
        before.is_some_and(|before| before.is("THEN"))
    } else if first.is("WITH") {
        // What follows the last parenthesis is the statement itself.
        before.is_some_and(|before| before.is_symbol(')'))
            && start.is_some_and(|start| !has_verb(tokens, start, at))
    } else if first.is_any(&["CREATE", "GRANT", "REVOKE"]) {
        token.is_any(&["SELECT", "WITH"])
    } else {
        false
    };
    !is_other && !is_option && !continues
}

/// Returns whether the statement that starts with `WITH` has come to its own verb.
fn has_verb(tokens: &[Token<'_>], start: usize, end: usize) -> bool {
    let mut open = 0_usize;
    // Only the few tokens outside parentheses count, and the first verb ends the search.
    tokens.get(start.saturating_add(1)..end).unwrap_or_default().iter().any(|token| {
        if token.is_symbol('(') {
            open = open.saturating_add(1);
        } else if token.is_symbol(')') {
            open = open.saturating_sub(1);
        }
        open == 0 && token.is_any(&["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"])
    })
}

/// `DO $$ … $$` of Postgres; in MySQL it only computes.
pub(super) fn do_block(state: &mut State<'_>, rest: &[Token<'_>]) -> Vec<Statement> {
    if state.client == Client::MySql {
        return vec![Statement::Read];
    }
    let is_foreign = rest.windows(2).any(|pair| match pair {
        [language, name] => language.is("LANGUAGE") && !name.text.eq_ignore_ascii_case("plpgsql"),
        _ => false,
    });
    match rest.iter().find(|token| token.kind == Kind::Text) {
        Some(body) if !is_foreign => {
            if !state.bounds.deeper().allow(&body.text) {
                return vec![Statement::TooMuch];
            }
            // Its own strings count, not the whole of it.
            state.texts.retain(|text| *text != body.text);
            let tokens = tokens(state.client, &body.text);
            let outer = state.bounds;
            state.bounds = outer.deeper();
            let found = block(state, &tokens, 0);
            state.bounds = outer;
            found
        }
        Some(_) | None => vec![Statement::Unknown],
    }
}

/// `PREPARE x AS …`, `PREPARE x FROM '…'`. What is prepared is taken as run.
pub(super) fn prepare(state: &mut State<'_>, rest: &[Token<'_>], depth: usize) -> Vec<Statement> {
    if rest.first().is_some_and(|first| first.is("TRANSACTION")) {
        return vec![Statement::Change];
    }
    if let Some(name) = rest.first() {
        state.prepared.push(name.text.to_ascii_lowercase());
    }
    let Some(at) = rest.iter().position(|token| token.is_any(&["AS", "FROM"])) else {
        return vec![Statement::Unknown];
    };
    let body = rest.get(at.saturating_add(1)..).unwrap_or_default();
    match rest.get(at) {
        Some(word) if word.is("AS") => of(state, body, depth.saturating_add(1)),
        Some(_) | None => composed(state, body),
    }
}

/// `EXECUTE x`, `EXECUTE 'text'`, `EXECUTE IMMEDIATE 'text'`, `EXEC procedure`, `EXEC ('text')`.
pub(super) fn execute(state: &mut State<'_>, rest: &[Token<'_>]) -> Vec<Statement> {
    let Some(first) = rest.first() else { return vec![Statement::Unknown] };
    if first.is("IMMEDIATE") {
        return composed(state, rest.get(1..).unwrap_or_default());
    }
    if state.prepared.contains(&first.text.to_ascii_lowercase()) {
        return vec![Statement::Read];
    }
    if state.client != Client::SqlServer || first.is_symbol('(') {
        return composed(state, rest);
    }
    let (name, taken) = super::names::name(rest);
    let arguments = rest.get(taken..).unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match name.as_str() {
        // What a shell gets is found among the side effects.
        "xp_cmdshell" => vec![Statement::Change],
        "sp_executesql" => composed(state, arguments),
        "sp_addsrvrolemember"
        | "sp_addrolemember"
        | "sp_addlogin"
        | "sp_adduser"
        | "sp_grantlogin"
        | "sp_password" => {
            vec![Statement::Grant]
        }
        "sp_help" | "sp_helptext" | "sp_helpdb" | "sp_helpindex" | "sp_who" | "sp_who2" | "sp_columns"
        | "sp_tables" | "sp_spaceused" | "sp_lock" => vec![Statement::Read],
        "sp_rename" | "sp_configure" | "sp_updatestats" | "sp_recompile" => vec![Statement::Change],
        _ => remembered(state),
    }
}

/// A text that is put together and run. What is not constant in it is taken for a name.
fn composed(state: &mut State<'_>, tokens: &[Token<'_>]) -> Vec<Statement> {
    let mut text = String::new();
    let mut has_constant = false;
    for token in tokens {
        match token.kind {
            Kind::End => break,
            Kind::Word if token.is_any(&["USING", "INTO"]) => break,
            Kind::Text => {
                text.push_str(&token.text);
                has_constant = true;
            }
            // Functions that put texts together, or quote names.
            Kind::Word if token.is_any(&["FORMAT", "CONCAT", "QUOTE_IDENT", "QUOTE_LITERAL"]) => {}
            Kind::Word | Kind::Name | Kind::Number => text.push(PLACEHOLDER),
            Kind::Symbol | Kind::Command | Kind::Broken => {}
        }
    }
    if !has_constant {
        return remembered(state);
    }
    let found = nested(state.client, &text, state.bounds.deeper());
    if found.is_empty() { vec![Statement::Unknown] } else { found }
}

/// The definition of a routine runs nothing now, unless it brings foreign code into the server.
pub(super) fn routine(tokens: &[Token<'_>]) -> Vec<Statement> {
    const TRUSTED: [&str; 7] = ["sql", "plpgsql", "plperl", "pltcl", "plv8", "javascript", "lua"];
    let is_foreign = tokens.iter().any(|token| token.is("SONAME"))
        || tokens.windows(2).any(|pair| match pair {
            [language, name] => {
                language.is("LANGUAGE") && !TRUSTED.iter().any(|known| name.text.eq_ignore_ascii_case(known))
            }
            _ => false,
        });
    vec![if is_foreign { Statement::Unknown } else { Statement::Change }]
}
