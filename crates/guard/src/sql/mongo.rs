//! MongoDB's shell: JavaScript. Only calls matter here, so the text is read as a row of names, strings and brackets; a member
//! that is chosen at run time, and a function that is not known, make the text unknown.

use super::{Object, Scope, Statement};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    Symbol(char),
    /// A quote that is not closed.
    Broken,
}

/// What the text would do.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(name) => found.extend(called(&tokens, at, at.saturating_add(1), name)),
            // `x["name"](…)`: a member by a constant name, or by one that nobody knows.
            Token::Symbol(']') if tokens.get(at.saturating_add(1)) == Some(&Token::Symbol('(')) => {
                let name = at.checked_sub(1).and_then(|name| tokens.get(name));
                let open = at.checked_sub(2).and_then(|open| tokens.get(open));
                match (open, name) {
                    (Some(Token::Symbol('[')), Some(Token::Text(name))) => {
                        found.extend(called(&tokens, at.saturating_sub(2), at.saturating_add(1), name));
                    }
                    _ => found.push(Statement::Unknown),
                }
            }
            Token::Broken => found.push(Statement::Unknown),
            Token::Text(_) | Token::Symbol(_) => {}
        }
    }
    // A chain of calls is one deed.
    found.retain(|one| *one != Statement::Read);
    if found.is_empty() {
        found.push(Statement::Read);
    }
    found
}

fn is_symbol(tokens: &[Token], at: usize, symbol: char) -> bool {
    tokens.get(at) == Some(&Token::Symbol(symbol))
}

/// What the member at this place does, if it is called: if its arguments open there.
fn called(tokens: &[Token], at: usize, open: usize, name: &str) -> Option<Statement> {
    let arguments = tokens.get(open.saturating_add(1)..).unwrap_or_default();
    if !is_symbol(tokens, open, '(') {
        // `f = x.drop` hands the deed to another name.
        let is_member = at.checked_sub(1).is_some_and(|before| is_symbol(tokens, before, '.'));
        let is_key = is_symbol(tokens, open, ':');
        return (is_member && !is_key && destroys(name)).then_some(Statement::Unknown);
    }
    let text = || match arguments.first() {
        Some(Token::Text(text)) => Some(text.clone()),
        Some(Token::Word(_) | Token::Symbol(_) | Token::Broken) | None => None,
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
                Token::Word(word) | Token::Text(word) => word == "$out" || word == "$merge",
                Token::Symbol(_) | Token::Broken => false,
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
        _ if CHANGES.contains(&name) => Statement::Change,
        _ if READS.contains(&name)
            || name.starts_with("get")
            || name.starts_with("is")
            || name.starts_with("to") =>
        {
            Statement::Read
        }
        // Words of the language that stand before a parenthesis.
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
fn shell(arguments: &[Token]) -> Statement {
    let mut words = Vec::new();
    for token in arguments {
        match token {
            Token::Text(text) => words.push(text.as_str()),
            Token::Symbol(')' | '{') => break,
            Token::Symbol(_) => {}
            Token::Word(_) | Token::Broken => return Statement::Unknown,
        }
    }
    if words.is_empty() { Statement::Unknown } else { Statement::Shell(words.join(" ")) }
}

/// `runCommand({drop: 'x'})`.
fn command(arguments: &[Token]) -> Statement {
    let mut tokens = arguments.iter().filter(|token| !matches!(token, Token::Symbol('{' | ':')));
    let (Some(Token::Word(name) | Token::Text(name)), value) = (tokens.next(), tokens.next()) else {
        return Statement::Unknown;
    };
    let value = match value {
        Some(Token::Text(text)) => text.clone(),
        Some(Token::Word(_) | Token::Symbol(_) | Token::Broken) | None => String::new(),
    };
    match name.as_str() {
        "delete" | "update" => {
            // `{q: {}}`: a statement of it without a condition.
            let is_query = |at: usize| matches!(arguments.get(at), Some(Token::Word(word) | Token::Text(word)) if word == "q");
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

/// Whether a filter is empty, or passes everything that has a key.
fn passes_all(arguments: &[Token]) -> bool {
    let word = |at: usize| match arguments.get(at) {
        Some(Token::Word(word) | Token::Text(word)) => word.as_str(),
        Some(Token::Symbol(_) | Token::Broken) | None => "",
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
fn owner(tokens: &[Token], at: usize) -> String {
    let mut names: Vec<&str> = Vec::new();
    // A longer chain than this names no collection.
    for token in tokens.get(..at).unwrap_or_default().iter().rev().take(24) {
        match token {
            Token::Word(word) if word == "db" => break,
            Token::Word(word) if word.starts_with("get") => {}
            Token::Word(word) | Token::Text(word) => names.push(word),
            Token::Symbol('.' | '(' | ')' | '[' | ']') => {}
            Token::Symbol(_) | Token::Broken => break,
        }
    }
    names.reverse();
    names.join(".")
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            _ if char.is_whitespace() => char.len_utf8(),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => end.saturating_add(2),
                None => {
                    tokens.push(Token::Broken);
                    rest.len()
                }
            },
            '\'' | '"' | '`' => quoted(rest, char, &mut tokens),
            '/' if is_before_pattern(tokens.last()) => pattern(rest, &mut tokens),
            _ if char == '_' || char == '$' || char.is_alphanumeric() || char == super::PLACEHOLDER => {
                let belongs =
                    |c: char| c == '_' || c == '$' || c.is_alphanumeric() || c == super::PLACEHOLDER;
                let end = rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
                tokens.push(Token::Word(rest.get(..end).unwrap_or_default().to_owned()));
                end
            }
            _ => {
                tokens.push(Token::Symbol(char));
                char.len_utf8()
            }
        };
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    tokens
}

/// A string; the length that it takes. A template with code in it is no constant.
fn quoted(rest: &str, quote: char, tokens: &mut Vec<Token>) -> usize {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some((_, 'x' | 'u' | '0'..='9')) => text.push(super::PLACEHOLDER),
                Some((_, other)) => text.push(other),
                None => break,
            },
            _ if char == quote => {
                let has_code = quote == '`' && text.contains("${") || text.contains(super::PLACEHOLDER);
                tokens.push(if has_code {
                    Token::Word(super::PLACEHOLDER.into())
                } else {
                    Token::Text(text)
                });
                return at.saturating_add(1);
            }
            _ => text.push(char),
        }
    }
    tokens.push(Token::Broken);
    rest.len()
}

/// Whether a slash after this token starts a pattern and is no division.
fn is_before_pattern(last: Option<&Token>) -> bool {
    match last {
        None | Some(Token::Broken) => true,
        Some(Token::Symbol(symbol)) => !matches!(symbol, ')' | ']' | '}'),
        Some(Token::Word(word)) => word == "return",
        Some(Token::Text(_)) => false,
    }
}

/// `/a[/]b/i`; the length that it takes.
fn pattern(rest: &str, tokens: &mut Vec<Token>) -> usize {
    let mut in_class = false;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => {
                tokens.push(Token::Word("pattern".to_owned()));
                return at.saturating_add(1);
            }
            '\n' => break,
            _ => {}
        }
    }
    tokens.push(Token::Broken);
    rest.len()
}

/// Methods that change what they name.
const CHANGES: &[&str] = &[
    "insertOne",
    "insertMany",
    "insert",
    "save",
    "updateOne",
    "updateMany",
    "update",
    "replaceOne",
    "deleteOne",
    "deleteMany",
    "remove",
    "findOneAndDelete",
    "findOneAndUpdate",
    "findOneAndReplace",
    "findAndModify",
    "bulkWrite",
    "createIndex",
    "createIndexes",
    "ensureIndex",
    "createCollection",
    "createView",
    "renameCollection",
    "reIndex",
    "convertToCapped",
    "hideIndex",
    "unhideIndex",
    "compactStructuredEncryptionData",
    "copyDatabase",
    "cloneCollection",
    "setProfilingLevel",
    "killOp",
    "fsyncLock",
    "fsyncUnlock",
    "shutdownServer",
    "stepDown",
    "initiate",
    "add",
    "addShard",
    "enableSharding",
    "shardCollection",
    "reconfig",
    "revokeRolesFromUser",
    "revokePrivilegesFromRole",
    "setFeatureCompatibilityVersion",
    "startBalancer",
    "stopBalancer",
    "initializeUnorderedBulkOp",
    "initializeOrderedBulkOp",
    "execute",
    "createSearchIndex",
];

/// Methods and functions that change nothing.
const READS: &[&str] = &[
    "find",
    "findOne",
    "count",
    "countDocuments",
    "estimatedDocumentCount",
    "distinct",
    "explain",
    "stats",
    "dataSize",
    "storageSize",
    "totalSize",
    "totalIndexSize",
    "validate",
    "latencyStats",
    "watch",
    "pretty",
    "limit",
    "skip",
    "sort",
    "hint",
    "project",
    "projection",
    "batchSize",
    "maxTimeMS",
    "readPref",
    "collation",
    "forEach",
    "map",
    "filter",
    "reduce",
    "some",
    "every",
    "sum",
    "push",
    "pop",
    "join",
    "split",
    "slice",
    "concat",
    "includes",
    "indexOf",
    "keys",
    "values",
    "entries",
    "hasNext",
    "next",
    "itcount",
    "size",
    "length",
    "print",
    "printjson",
    "log",
    "error",
    "stringify",
    "parse",
    "ObjectId",
    "ISODate",
    "Date",
    "NumberLong",
    "NumberInt",
    "NumberDecimal",
    "Timestamp",
    "UUID",
    "BinData",
    "RegExp",
    "String",
    "Number",
    "Array",
    "Object",
    "Boolean",
    "status",
    "hello",
    "version",
    "serverStatus",
    "serverBuildInfo",
    "hostInfo",
    "currentOp",
    "printReplicationInfo",
    "printSecondaryReplicationInfo",
    "printShardingStatus",
    "conf",
    "config",
    "listIndexes",
    "auth",
    "connect",
    "Mongo",
    "quit",
    "exit",
    "sleep",
    "use",
    "show",
    "help",
    "setReadPref",
    "listCommands",
    "now",
    "match",
    "test",
    "replace",
    "trim",
    "padEnd",
    "padStart",
    "toArray",
    "assert",
    "tojson",
    "EJSON",
    "serialize",
    "hex_md5",
    "require",
];
