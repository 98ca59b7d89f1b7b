//! The effects of one statement, by its first word and the few others that change its effect.

use super::definition::{alter, create, drop};
use super::files::{attach, copy, file_after, load, restore};
use super::filter::restricts;
use super::split::{State, is_routine, nested};
use super::token::{Kind, Token};
use super::{Client, Object, Scope, Statement, functions, names, procedure};

/// The depth to which statements are followed inside statements: `WITH x AS (WITH y AS (DELETE …))`.
const MAX_DEPTH: usize = 6;

/// Returns the effects of a statement. No token, no statement.
pub(super) fn of(state: &mut State<'_>, tokens: &[Token<'_>], depth: usize) -> Vec<Statement> {
    let opened = tokens.iter().take_while(|token| token.is_symbol('(')).count();
    let tokens = tokens.get(opened..).unwrap_or_default();
    let Some((first, rest)) = tokens.split_first() else { return Vec::new() };
    if depth > MAX_DEPTH {
        return vec![Statement::TooMuch];
    }
    if first.kind != Kind::Word {
        return vec![Statement::Unknown];
    }
    remember(state, tokens);
    // SQL Server needs no separator between statements.
    if state.client == Client::SqlServer && depth == 0 && !is_routine(tokens) {
        return procedure::block(state, tokens, depth);
    }
    let mut found = match first.text.to_ascii_uppercase().as_str() {
        "SELECT" | "VALUES" | "TABLE" | "FROM" | "SHOW" | "DESCRIBE" | "DESC" | "USE" | "HELP" | "FETCH"
        | "LIST" | "SUMMARIZE" | "PIVOT" | "UNPIVOT" | "HANDLER" | "PERFORM" | "PRINT" | "RAISE"
        | "RETURN" | "CHECKPOINT" | "EXISTS" | "WAITFOR" | "PROMPT" | "CONSISTENCY" | "TRACING"
        | "PAGING" | "EXPAND" | "CLEAR" | "CLS" | "EXIT" | "QUIT" | "MOVE" | "CLOSE" | "OPEN" | "LISTEN"
        | "UNLISTEN" => {
            vec![if makes_table(state.client, rest) { Statement::Change } else { Statement::Read }]
        }
        "PRAGMA" | "SET" | "RESET"
            if first.is("RESET")
                && rest.first().is_some_and(|t| t.is_any(&["MASTER", "BINARY", "REPLICA", "SLAVE"])) =>
        {
            vec![Statement::destroy(Object::Other, "", Scope::All)]
        }
        "SET" | "RESET" | "PRAGMA" => set(rest),
        "BEGIN" | "DECLARE" | "IF" | "WHILE" | "LOOP" | "FOR" | "TRY" => {
            procedure::block(state, tokens, depth)
        }
        "START" | "COMMIT" | "ROLLBACK" | "SAVEPOINT" | "RELEASE" | "ABORT" | "END" | "APPLY"
        | "DEALLOCATE" => {
            vec![Statement::Read]
        }
        "WITH" => with(state, rest, depth),
        "EXPLAIN" => explain(state, rest, depth),
        "INSERT" | "REPLACE" | "MERGE" | "UPSERT" | "NOTIFY" | "COMMENT" | "LOCK" | "UNLOCK" | "ANALYZE"
        | "ANALYSE" | "REINDEX" | "CLUSTER" | "OPTIMIZE" | "REPAIR" | "CHECK" | "CHECKSUM" | "REFRESH"
        | "REASSIGN" | "RENAME" | "KILL" | "FLUSH" | "DETACH" | "REVOKE" | "DENY" | "SHUTDOWN"
        | "DISCARD" | "INSTALL" | "EXCHANGE" | "SYSTEM" | "USING" | "DBCC" | "CACHE" | "UNDROP"
        | "RESTART" | "STOP" | "SECURITY" | "FORCE" => vec![Statement::Change],
        "VACUUM" => file_after(rest, &["INTO"], Statement::WriteFile, Statement::Change),
        "UPDATE" | "DELETE" => rows(state, first, tokens),
        "TRUNCATE" => {
            let what = match rest.first() {
                Some(kind) if kind.is_any(&["DATABASE", "ALL"]) => Object::Database,
                Some(_) | None => Object::Rows,
            };
            let named = usize::from(rest.first().is_some_and(|kind| kind.is_any(&["DATABASE", "TABLE"])));
            vec![state.destroy(what, &names::list(rest.get(named..).unwrap_or_default()), Scope::All)]
        }
        "DROP" => drop(state, rest),
        "ALTER" => alter(state, rest),
        "CREATE" => create(state, tokens),
        "GRANT" => vec![Statement::Grant],
        // Logs, or what was dropped: without them nothing can be brought back.
        "PURGE" => vec![Statement::destroy(Object::Other, names::list(rest), Scope::All)],
        "COPY" => copy(rest),
        "LOAD" => load(rest),
        "BULK" => file_after(rest, &["FROM"], Statement::ReadFile, Statement::Change),
        "BACKUP" | "EXPORT" => {
            file_after(rest, &["DISK", "FILE", "URL", "DATABASE"], Statement::WriteFile, Statement::Change)
        }
        "CAPTURE" => match rest.first() {
            Some(file) if file.kind == Kind::Text => {
                vec![Statement::WriteFile(file.text.clone().into_owned())]
            }
            Some(_) | None => vec![Statement::Read],
        },
        "SOURCE" => match rest.first() {
            Some(file) if file.kind == Kind::Text => {
                vec![Statement::ReadFile(file.text.clone().into_owned())]
            }
            Some(_) | None => vec![Statement::Unknown],
        },
        "IMPORT" => file_after(rest, &["DATABASE"], Statement::ReadFile, Statement::Change),
        "RESTORE" => restore(state, rest),
        "ATTACH" => attach(rest),
        "DO" => procedure::do_block(state, rest),
        "PREPARE" => procedure::prepare(state, rest, depth),
        "EXEC" | "EXECUTE" => procedure::execute(state, rest),
        // The first statement of a batch may call a procedure by its mere name.
        _ if state.client == Client::SqlServer => procedure::execute(state, tokens),
        _ => vec![Statement::Unknown],
    };
    // What is only planned or stored runs nothing; where it is run after all, the statement inside was asked.
    if first.is("EXPLAIN") || is_routine(tokens) {
        return found;
    }
    let mut aside = functions::effects(state, tokens);
    aside.retain(|one| !found.contains(one));
    if !aside.is_empty() && found == [Statement::Read] {
        return aside;
    }
    found.append(&mut aside);
    found
}

/// Strings that look like statements may be run later, by a variable that holds them.
fn remember(state: &mut State<'_>, tokens: &[Token<'_>]) {
    for token in tokens {
        if token.kind == Kind::Text && token.text.contains([' ', '\n', '\t', '/']) {
            state.texts.push(token.text.clone().into_owned());
        }
    }
}

/// Returns what the strings of the text would do if they were run: for an `EXECUTE` of something that is not constant.
pub(super) fn remembered(state: &mut State<'_>) -> Vec<Statement> {
    let mut texts = std::mem::take(&mut state.texts);
    texts.sort_unstable();
    texts.dedup();
    let mut found: Vec<Statement> = texts
        .iter()
        .flat_map(|text| nested(state.client, text, state.bounds.deeper()))
        .filter(|one| !one.is_plain() && *one != Statement::Unknown)
        .collect();
    found.push(Statement::Unknown);
    found
}

/// `SELECT … INTO name`: a new table, where it is not a variable or file.
fn makes_table(client: Client, tokens: &[Token<'_>]) -> bool {
    matches!(client, Client::Postgres | Client::SqlServer)
        && tokens.windows(2).any(|pair| match pair {
            [into, name] => into.is("INTO") && matches!(name.kind, Kind::Word | Kind::Name),
            _ => false,
        })
}

/// Settings: some make the server read strings in another way than this reader does, some name a file or a command.
fn set(tokens: &[Token<'_>]) -> Vec<Statement> {
    const READING: [&str; 4] =
        ["SQL_MODE", "STANDARD_CONFORMING_STRINGS", "BACKSLASH_QUOTE", "QUOTED_IDENTIFIER"];
    const FILES: [&str; 4] = ["GENERAL_LOG_FILE", "SLOW_QUERY_LOG_FILE", "LOG_FILENAME", "LOG_DIRECTORY"];
    let value = tokens.iter().rev().find(|token| token.kind == Kind::Text);
    for token in tokens {
        let name = token.text.trim_start_matches('@').to_ascii_uppercase();
        if READING.contains(&name.as_str()) {
            let is_odd = value.is_some_and(|value| value.text.to_ascii_uppercase().contains("NO_BACKSLASH"))
                || name != "SQL_MODE"
                    && tokens.iter().any(|token| token.is_any(&["OFF", "FALSE"]) || token.text == "0");
            return vec![if is_odd { Statement::Unknown } else { Statement::Read }];
        }
        if FILES.contains(&name.as_str()) {
            return vec![
                value.map_or(Statement::Unknown, |value| {
                    Statement::WriteFile(value.text.clone().into_owned())
                }),
            ];
        }
    }
    let is_lasting = tokens.first().is_some_and(|first| first.is_any(&["GLOBAL", "PERSIST", "PASSWORD"]));
    let has_password = tokens.first().is_some_and(|first| first.is("PASSWORD"));
    vec![match (has_password, is_lasting) {
        (true, _) => Statement::Grant,
        (false, true) => Statement::Change,
        (false, false) => Statement::Read,
    }]
}

/// The tables that are named before the statement itself can change data, too.
fn with(state: &mut State<'_>, tokens: &[Token<'_>], depth: usize) -> Vec<Statement> {
    const VERBS: [&str; 8] = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "VALUES", "TABLE", "FROM"];
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.is_symbol('(') {
            open.push(at);
        } else if token.is_symbol(')') {
            let inner =
                open.pop().and_then(|start| tokens.get(start.saturating_add(1)..at)).unwrap_or_default();
            let changes = inner
                .first()
                .is_some_and(|first| first.is_any(&["INSERT", "UPDATE", "DELETE", "MERGE", "WITH"]));
            if open.is_empty() && changes {
                found.extend(of(state, inner, depth.saturating_add(1)));
            }
        } else if open.is_empty() && token.is_any(&VERBS) {
            found.extend(of(state, tokens.get(at..).unwrap_or_default(), depth.saturating_add(1)));
            return found;
        }
    }
    found.push(Statement::Unknown);
    found
}

/// A plan is only shown, unless it is measured.
fn explain(state: &mut State<'_>, tokens: &[Token<'_>], depth: usize) -> Vec<Statement> {
    let mut measures = false;
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at.saturating_add(1));
        if token.is_symbol('(') {
            open = open.saturating_add(1);
        } else if token.is_symbol(')') {
            open = open.saturating_sub(1);
        } else if token.is_any(&["ANALYZE", "ANALYSE"]) {
            measures = !next.is_some_and(|next| next.is_any(&["FALSE", "OFF"]) || next.text == "0");
        } else if open == 0
            && token.is_any(&[
                "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "CREATE", "EXECUTE", "VALUES",
                "REPLACE", "DECLARE",
            ])
        {
            let statement = tokens.get(at..).unwrap_or_default();
            return if measures {
                of(state, statement, depth.saturating_add(1))
            } else {
                vec![Statement::Read]
            };
        }
    }
    vec![if measures { Statement::Unknown } else { Statement::Read }]
}

/// `UPDATE` and `DELETE`.
fn rows(state: &mut State<'_>, verb: &Token<'_>, tokens: &[Token<'_>]) -> Vec<Statement> {
    if restricts(tokens) {
        return vec![Statement::Change];
    }
    let after =
        |keyword: &str| tokens.iter().position(|token| token.is(keyword)).map(|at| at.saturating_add(1));
    let start = if verb.is("DELETE") { after("FROM").unwrap_or(1) } else { 1 };
    let name = names::list(tokens.get(start..).unwrap_or_default());
    vec![state.destroy(Object::Rows, &name, Scope::All)]
}
