//! MongoDB's shell: JavaScript. Only calls matter here, so the text is read as a row of names, strings and brackets; a member
//! that is chosen at run time, and a function that is not known, make the text unknown.

mod token;

use super::{Object, Scope, Statement};
use crate::commands::{MONGO_CHANGES, MONGO_READS};
use token::{MongoToken, tokens};

/// Returns the effects of the text.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    nested(text, 0)
}

/// The depth to which texts are read inside texts.
const MAX_NESTING: usize = 5;

fn nested(text: &str, nesting: usize) -> Vec<Statement> {
    if nesting > MAX_NESTING {
        return vec![Statement::TooMuch];
    }
    let tokens = tokens(text);
    if tokens.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // A text that is evaluated here: `eval("…")`, `Function("…")`.
            MongoToken::Word(name) if matches!(name.as_str(), "eval" | "Function") => {
                match (tokens.get(at.saturating_add(1)), tokens.get(at.saturating_add(2))) {
                    (Some(MongoToken::Symbol('(')), Some(MongoToken::Text(text))) => {
                        found.extend(nested(text, nesting.saturating_add(1)));
                    }
                    _ => found.push(Statement::Unknown),
                }
            }
            MongoToken::Word(name) => found.extend(called(&tokens, at, at.saturating_add(1), name)),
            // `x["name"](…)`: a member by a constant name, or by one that is not known.
            MongoToken::Symbol(']') if tokens.get(at.saturating_add(1)) == Some(&MongoToken::Symbol('(')) => {
                let name = at.checked_sub(1).and_then(|name| tokens.get(name));
                let open = at.checked_sub(2).and_then(|open| tokens.get(open));
                match (open, name) {
                    (Some(MongoToken::Symbol('[')), Some(MongoToken::Text(name))) => {
                        found.extend(called(&tokens, at.saturating_sub(2), at.saturating_add(1), name));
                    }
                    _ => found.push(Statement::Unknown),
                }
            }
            MongoToken::Broken => found.push(Statement::Unknown),
            MongoToken::Text(_) | MongoToken::Symbol(_) => {}
        }
    }
    // A chain of calls is one deed.
    found.retain(|one| *one != Statement::Read);
    if found.is_empty() {
        found.push(Statement::Read);
    }
    found
}

fn is_symbol(tokens: &[MongoToken], at: usize, symbol: char) -> bool {
    tokens.get(at) == Some(&MongoToken::Symbol(symbol))
}

/// Returns what the member at this place does, if it is called: if its arguments open there.
fn called(tokens: &[MongoToken], at: usize, open: usize, name: &str) -> Option<Statement> {
    let arguments = tokens.get(open.saturating_add(1)..).unwrap_or_default();
    if !is_symbol(tokens, open, '(') {
        // `f = x.drop` hands the deed to another name.
        let is_member = at.checked_sub(1).is_some_and(|before| is_symbol(tokens, before, '.'));
        let is_key = is_symbol(tokens, open, ':');
        return (is_member && !is_key && destroys(name)).then_some(Statement::Unknown);
    }
    let text = || match arguments.first() {
        Some(MongoToken::Text(text)) => Some(text.clone()),
        Some(MongoToken::Word(_) | MongoToken::Symbol(_) | MongoToken::Broken) | None => None,
    };
    let known = |make: fn(String) -> Statement| text().map_or(Statement::Unknown, make);
    Some(match name {
        "dropDatabase" => Statement::destroy(Object::Database, owner(tokens, at), Scope::All),
        "drop" => Statement::destroy(Object::Table, owner(tokens, at), Scope::All),
        "dropIndex" | "dropIndexes" | "dropSearchIndex" => {
            Statement::destroy(Object::Index, owner(tokens, at), Scope::Some)
        }
        "dropUser" | "dropAllUsers" | "dropRole" | "dropAllRoles" | "removeUser" => {
            Statement::destroy(Object::Role, text().unwrap_or_default(), Scope::All)
        }
        "deleteMany" | "remove" | "updateMany" if passes_all(arguments) => {
            Statement::destroy(Object::Rows, owner(tokens, at), Scope::All)
        }
        "runCommand" | "adminCommand" | "_adminCommand" => command(arguments),
        "aggregate" => {
            let writes = arguments.iter().any(|token| match token {
                MongoToken::Word(word) | MongoToken::Text(word) => word == "$out" || word == "$merge",
                MongoToken::Symbol(_) | MongoToken::Broken => false,
            });
            if writes { Statement::Change } else { Statement::Read }
        }
        "createUser"
        | "updateUser"
        | "changeUserPassword"
        | "grantRolesToUser"
        | "grantPrivilegesToRole"
        | "grantRolesToRole"
        | "createRole"
        | "updateRole"
        | "addUser" => Statement::Grant,
        "exec" | "execSync" | "spawn" | "spawnSync" | "execFile" | "execFileSync" | "run" | "runProgram"
        | "runNonMongoProgram" => shell(arguments),
        "load" | "cat" | "readFileSync" | "readFile" | "createReadStream" | "openSync" => {
            known(Statement::ReadFile)
        }
        "writeFileSync" | "writeFile" | "appendFileSync" | "appendFile" | "createWriteStream"
        | "removeFile" | "unlinkSync" | "unlink" | "rmSync" | "rm" | "rmdirSync" | "renameSync" => {
            known(Statement::WriteFile)
        }
        "eval" | "Function" | "fetch" | "$where" | "call" | "apply" | "bind" => Statement::Unknown,
        _ if MONGO_CHANGES.contains(&name) => Statement::Change,
        _ if MONGO_READS.contains(&name)
            || name.starts_with("get")
            || name.starts_with("is")
            || name.starts_with("to") =>
        {
            Statement::Read
        }
        // Words of the language before a parenthesis.
        "if" | "for" | "while" | "switch" | "catch" | "function" | "return" | "await" | "typeof" | "in"
        | "of" | "async" | "new" => return None,
        _ => Statement::Unknown,
    })
}

fn destroys(name: &str) -> bool {
    matches!(
        name,
        "drop" | "dropDatabase" | "deleteMany" | "remove" | "dropIndexes" | "runCommand" | "adminCommand"
    )
}

/// The words of a command line that is given as a list of strings, or as one.
fn shell(arguments: &[MongoToken]) -> Statement {
    let mut words = Vec::new();
    for token in arguments {
        match token {
            MongoToken::Text(text) => words.push(text.as_str()),
            MongoToken::Symbol(')' | '{') => break,
            MongoToken::Symbol(_) => {}
            MongoToken::Word(_) | MongoToken::Broken => return Statement::Unknown,
        }
    }
    if words.is_empty() { Statement::Unknown } else { Statement::Shell(words.join(" ")) }
}

/// `runCommand({drop: 'x'})`.
fn command(arguments: &[MongoToken]) -> Statement {
    let mut tokens = arguments.iter().filter(|token| !matches!(token, MongoToken::Symbol('{' | ':')));
    let (Some(MongoToken::Word(name) | MongoToken::Text(name)), value) = (tokens.next(), tokens.next())
    else {
        return Statement::Unknown;
    };
    let value = match value {
        Some(MongoToken::Text(text)) => text.clone(),
        Some(MongoToken::Word(_) | MongoToken::Symbol(_) | MongoToken::Broken) | None => String::new(),
    };
    match name.as_str() {
        "delete" | "update" => {
            // `{q: {}}`: a statement of it without a condition.
            let is_query = |at: usize| matches!(arguments.get(at), Some(MongoToken::Word(word) | MongoToken::Text(word)) if word == "q");
            let passes = |at: usize| {
                is_query(at)
                    && is_symbol(arguments, at.saturating_add(1), ':')
                    && passes_all(arguments.get(at.saturating_add(2)..).unwrap_or_default())
            };
            let all = (0..arguments.len()).any(passes);
            if all { Statement::destroy(Object::Rows, value, Scope::All) } else { Statement::Change }
        }
        "dropDatabase" => Statement::destroy(Object::Database, "", Scope::All),
        "drop" | "dropCollection" => Statement::destroy(Object::Table, value, Scope::All),
        "dropIndexes" => Statement::destroy(Object::Index, value, Scope::Some),
        "dropUser" | "dropRole" | "dropAllUsersFromDatabase" | "dropAllRolesFromDatabase" => {
            Statement::destroy(Object::Role, value, Scope::All)
        }
        "createUser" | "updateUser" | "grantRolesToUser" | "grantPrivilegesToRole" | "createRole" => {
            Statement::Grant
        }
        "ping" | "hello" | "isMaster" | "ismaster" | "buildInfo" | "serverStatus" | "dbStats"
        | "collStats" | "find" | "count" | "distinct" | "listCollections" | "listDatabases"
        | "listIndexes" | "replSetGetStatus" | "connectionStatus" | "getParameter" | "hostInfo"
        | "currentOp" | "explain" | "validate" | "usersInfo" | "rolesInfo" | "top" | "getLog" => {
            Statement::Read
        }
        "insert"
        | "create"
        | "createIndexes"
        | "collMod"
        | "compact"
        | "reIndex"
        | "setParameter"
        | "shutdown"
        | "replSetStepDown"
        | "renameCollection"
        | "killOp"
        | "fsync"
        | "enableSharding"
        | "shardCollection"
        | "setFeatureCompatibilityVersion"
        | "replSetReconfig"
        | "replSetInitiate" => Statement::Change,
        _ => Statement::Unknown,
    }
}

/// Returns whether a filter is empty, or passes everything that has a key.
fn passes_all(arguments: &[MongoToken]) -> bool {
    let word = |at: usize| match arguments.get(at) {
        Some(MongoToken::Word(word) | MongoToken::Text(word)) => word.as_str(),
        Some(MongoToken::Symbol(_) | MongoToken::Broken) | None => "",
    };
    let symbol = |at: usize, symbol: char| is_symbol(arguments, at, symbol);
    match (symbol(0, ')'), symbol(0, '{')) {
        (true, _) => true,
        (false, true) if symbol(1, '}') => true,
        (false, true) => {
            let has_key = word(1) == "_id" && symbol(2, ':') && symbol(3, '{') && symbol(5, ':');
            has_key && matches!((word(4), word(6)), ("$exists", "true" | "1") | ("$ne", "null"))
        }
        (false, false) => word(0) == "null" || word(0) == "undefined",
    }
}

/// The names before a member: `users` of `db.users.drop`, `logs` of `db.getCollection('logs').drop`. Empty if unknown.
fn owner(tokens: &[MongoToken], at: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    // A longer chain than this names no collection.
    for token in tokens.get(..at).unwrap_or_default().iter().rev().take(24) {
        match token {
            MongoToken::Word(word) if word == "db" => break,
            MongoToken::Word(word) if word.starts_with("get") => {}
            MongoToken::Word(word) | MongoToken::Text(word) => names.push(word),
            MongoToken::Symbol('.' | '(' | ')' | '[' | ']') => {}
            MongoToken::Symbol(_) | MongoToken::Broken => break,
        }
    }
    names.reverse();
    names.join(".")
}
