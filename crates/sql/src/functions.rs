//! Side effects of a statement: functions that read or write files, run commands, or run a text, wherever
//! in the statement they are called.

use super::split::{State, nested};
use super::token::{Kind, Token};
use super::{Client, Object, Scope, Statement};

/// The use that a function makes of its strings.
enum Does {
    ReadsFile,
    WritesFile,
    /// The file is the last string.
    WritesLast,
    RunsShell,
    RunsText,
    /// The object whose number it is given; of a column of numbers, all of them.
    Deletes,
    Changes,
    Unknown,
}

impl Does {
    fn of(client: Client, name: &str) -> Option<Self> {
        Some(match name {
            "load_file"
            | "pg_read_file"
            | "pg_read_binary_file"
            | "pg_ls_dir"
            | "lo_import"
            | "readfile"
            | "fsdir"
            | "lsdir"
            | "bfilename" => Self::ReadsFile,
            "read_csv" | "read_csv_auto" | "read_text" | "read_blob" | "read_parquet" | "parquet_scan"
            | "read_json" | "read_json_auto" | "read_json_objects" | "read_ndjson" | "sniff_csv"
            | "read_xlsx" | "glob"
                if client == Client::DuckDb =>
            {
                Self::ReadsFile
            }
            "file" if client == Client::ClickHouse => Self::ReadsFile,
            "executable" if client == Client::ClickHouse => Self::RunsShell,
            "writefile" | "pg_file_write" | "pg_file_unlink" | "pg_file_rename" => Self::WritesFile,
            "lo_export" => Self::WritesLast,
            "sys_exec" | "sys_eval" | "xp_cmdshell" => Self::RunsShell,
            "load_extension" | "sp_oacreate" | "sp_oamethod" | "xp_regwrite" => Self::Unknown,
            "edit" if client == Client::Sqlite => Self::Unknown,
            "dblink" | "dblink_exec" | "dblink_send_query" | "query_to_xml" | "cursor_to_xml" | "ts_stat" => {
                Self::RunsText
            }
            "query" if client == Client::DuckDb => Self::RunsText,
            "lo_unlink" => Self::Deletes,
            "setval"
            | "nextval"
            | "pg_terminate_backend"
            | "pg_cancel_backend"
            | "lo_create"
            | "pg_reload_conf"
            | "pg_drop_replication_slot"
            | "pg_promote"
            | "set_config" => Self::Changes,
            _ => return None,
        })
    }
}

/// The effects, in the order of the text.
pub(super) fn effects(state: &State<'_>, tokens: &[Token<'_>]) -> Vec<Statement> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at.saturating_add(1));
        match token.kind {
            Kind::Word | Kind::Name => {}
            Kind::Text | Kind::Number | Kind::Symbol | Kind::Command | Kind::End | Kind::Broken => continue,
        }
        let after = tokens.get(at.saturating_add(1)..).unwrap_or_default();
        let string = next.filter(|next| next.kind == Kind::Text).map(|next| next.text.clone().into_owned());
        if token.is_any(&["OUTFILE", "DUMPFILE"]) {
            found.push(string.map_or(Statement::Unknown, Statement::WriteFile));
        } else if token.is("INFILE") && !tokens.first().is_some_and(|first| first.is("LOAD"))
            || token.is("BULK") && string.is_some()
        {
            found.push(string.map_or(Statement::Unknown, Statement::ReadFile));
        } else if token.text.eq_ignore_ascii_case("xp_cmdshell") && string.is_some() {
            found.extend(string.map(Statement::Shell));
        } else if state.client == Client::DuckDb
            && token.is_any(&["FROM", "JOIN"])
            && !starts_with(tokens, "COPY")
        {
            // A file takes the place of a table.
            let file = next.filter(|next| {
                next.kind == Kind::Text || next.kind == Kind::Name && next.text.contains(['.', '/'])
            });
            found.extend(file.map(|file| Statement::ReadFile(file.text.clone().into_owned())));
        } else if next.is_some_and(|next| next.is_symbol('(')) {
            let name = token.text.to_ascii_lowercase();
            if let Some(does) = Does::of(state.client, &name) {
                call(state, &does, after, &mut found);
                // `INSERT INTO FUNCTION file('…')` is the one place where that function writes.
                let writes =
                    at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|t| t.is("FUNCTION"));
                if let (true, Some(Statement::ReadFile(file))) = (writes, found.last()) {
                    found.push(Statement::WriteFile(file.clone()));
                }
            }
        }
    }
    found
}

fn starts_with(tokens: &[Token<'_>], keyword: &str) -> bool {
    tokens.first().is_some_and(|first| first.is(keyword))
}

/// Calls with these arguments, which start with a parenthesis.
fn call(state: &State<'_>, does: &Does, tokens: &[Token<'_>], found: &mut Vec<Statement>) {
    /// More arguments than any of these functions has.
    const MOST: usize = 64;
    let mut depth = 0_usize;
    let mut texts = Vec::new();
    for token in tokens.iter().take(MOST) {
        if token.is_symbol('(') {
            depth = depth.saturating_add(1);
        } else if token.is_symbol(')') {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                break;
            }
        } else if token.kind == Kind::Text && depth == 1 {
            texts.push(token.text.clone().into_owned());
        }
    }
    let first = texts.first().cloned();
    match does {
        Does::ReadsFile => found.push(first.map_or(Statement::Unknown, Statement::ReadFile)),
        Does::WritesFile => found.push(first.map_or(Statement::Unknown, Statement::WriteFile)),
        Does::WritesLast => found.push(texts.pop().map_or(Statement::Unknown, Statement::WriteFile)),
        Does::RunsShell => found.push(first.map_or(Statement::Unknown, Statement::Shell)),
        Does::RunsText => {
            let texts = texts.iter().flat_map(|text| nested(state.client, text, state.bounds.deeper()));
            // A connection string or a name is among them: only what is plain to see counts.
            found.extend(texts.filter(|one| *one != Statement::Unknown));
        }
        Does::Deletes => {
            let by_number = matches!(tokens, [_, number, close, ..] if number.kind == Kind::Number && close.is_symbol(')'));
            found.push(if by_number {
                Statement::Change
            } else {
                Statement::destroy(Object::Other, "large objects", Scope::All)
            });
        }
        Does::Changes => found.push(Statement::Change),
        Does::Unknown => found.push(Statement::Unknown),
    }
}
