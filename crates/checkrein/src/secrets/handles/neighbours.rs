//! Reads what a file says about a value: its name, and the servers that it belongs to by what is written next to it.

use super::destination::Address;
use crate::state::origins::Server;
use std::ops::Range;

/// The words at the end of a name that say that a value is secret; the longest first.
const SECRET: &[&str] = &[
    "CLIENT_SECRET",
    "ACCESS_TOKEN",
    "AUTH_TOKEN",
    "SECRET_KEY",
    "API_TOKEN",
    "API_KEY",
    "APIKEY",
    "PASSWORD",
    "PASSWD",
    "SECRET",
    "TOKEN",
    "PASS",
    "PWD",
    "AUTH",
    "KEY",
];
/// The words that say that a value names a server.
const SERVER: &[&str] =
    &["HOST", "HOSTNAME", "SERVER", "URL", "URI", "ENDPOINT", "BASE_URL", "ADDR", "ADDRESS"];

/// Returns the name of a value: what is before it on its line.
pub(super) fn name(text: &str, value: &Range<usize>) -> String {
    let before = text.get(..value.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    let line =
        line.strip_prefix("export ").unwrap_or(line).trim_start_matches(['{', '"', '\'', ',', ' ', '-']);
    let end = line
        .find(|char: char| !(char.is_ascii_alphanumeric() || matches!(char, '_' | '.' | '-')))
        .unwrap_or(line.len());
    let name = line.get(..end).unwrap_or_default();
    if end == line.len() { String::new() } else { name.to_owned() }
}

/// Returns the servers that a value in a file belongs to.
pub(super) fn servers(path: &str, text: &str, value: &Range<usize>) -> Vec<Server> {
    let mut servers: Vec<Server> = of_address(text, value).into_iter().collect();
    let file = path.rsplit('/').next().unwrap_or(path);
    match file {
        ".netrc" | "_netrc" => servers.extend(machine(text, value)),
        ".pgpass" | "pgpass.conf" => servers.extend(fields(text, value)),
        ".npmrc" => servers.extend(registry(text, value)),
        _ => servers.extend(siblings(text, &name(text, value))),
    }
    servers
}

/// `scheme://user:VALUE@host:port/…`
fn of_address(text: &str, value: &Range<usize>) -> Option<Server> {
    let is_end = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '`' | ',');
    let start = text.get(..value.start)?.rfind(is_end).map_or(0, |at| at + 1);
    let end = text.get(value.end..)?.find(is_end).map_or(text.len(), |at| value.end + at);
    let before = text.get(start..value.start)?;
    // The name of the variable may be joined to it.
    let scheme = before.rfind("://")?;
    let first = before
        .get(..scheme)?
        .rfind(|char: char| !char.is_ascii_alphanumeric() && char != '+')
        .map_or(0, |at| at + 1);
    let after = text.get(value.end..end)?.strip_prefix('@')?;
    let address = Address::read(&format!("{}://{after}", before.get(first..scheme)?))?;
    Some(Server { host: address.host, port: address.port })
}

/// The machine before the password of a `.netrc`.
fn machine(text: &str, value: &Range<usize>) -> Option<Server> {
    let words: Vec<&str> = text.get(..value.start)?.split_ascii_whitespace().collect();
    let at = words.iter().rposition(|word| *word == "machine")?;
    let host = words.get(at + 1)?.to_ascii_lowercase();
    Some(Server { host, port: None })
}

/// The first two fields of a line of a `.pgpass`. A pattern names no server.
fn fields(text: &str, value: &Range<usize>) -> Option<Server> {
    let line = text.get(..value.start)?.rsplit('\n').next()?;
    let mut fields = line.split(':');
    let (host, port) = (fields.next()?.to_ascii_lowercase(), fields.next()?.parse().ok());
    (host != "*").then_some(Server { host, port })
}

/// `//registry.test/:_authToken=VALUE`
fn registry(text: &str, value: &Range<usize>) -> Option<Server> {
    let line = text.get(..value.start)?.rsplit('\n').next()?;
    let address = Address::read(&format!("https:{}", line.split("/:").next()?.trim()))?;
    Some(Server { host: address.host, port: address.port })
}

/// `DB_HOST`, `DB_PORT`, `DB_URL` next to `DB_PASSWORD`; `PGHOST` next to `PGPASSWORD`.
fn siblings(text: &str, name: &str) -> Vec<Server> {
    let upper = name.to_ascii_uppercase();
    let Some(stem) = SECRET.iter().filter_map(|word| upper.strip_suffix(word)).find(|stem| !stem.is_empty())
    else {
        return Vec::new();
    };
    let pairs = || {
        text.lines().filter_map(|line| {
            let line = line.trim_start();
            let (key, value) = line.strip_prefix("export ").unwrap_or(line).split_once(['=', ':'])?;
            let value = value.split(" #").next().unwrap_or(value).trim().trim_matches(['"', '\'', ',']);
            Some((key.trim().trim_matches('"').to_ascii_uppercase(), value))
        })
    };
    let of = |word: &str| format!("{stem}{word}");
    let port = pairs().find(|(key, _)| *key == of("PORT")).and_then(|(_, value)| value.parse::<u16>().ok());
    let mut servers = Vec::new();
    for (_, value) in pairs().filter(|(key, _)| SERVER.iter().any(|word| *key == of(word))) {
        let address = if value.contains("://") { value.to_owned() } else { format!("tcp://{value}") };
        if let Some(address) = Address::read(&address) {
            servers.push(Server { host: address.host, port: address.port.or(port) });
        }
    }
    servers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str, value: &str) -> (String, Vec<String>) {
        let start = text.find(value).unwrap();
        let range = start..start + value.len();
        let shown = |server: Server| match server.port {
            Some(port) => format!("{}:{port}", server.host),
            None => server.host,
        };
        (name(text, &range), servers(path, text, &range).into_iter().map(shown).collect())
    }

    #[test]
    fn a_file_says_where_its_values_belong() {
        for (path, text, value, expected) in [
            (
                ".env",
                "DB_HOST=db.test\nDB_PORT=6000\nexport DB_PASSWORD='horse'\n",
                "horse",
                ("DB_PASSWORD", vec!["db.test:6000"]),
            ),
            (
                ".env",
                "API_URL=https://api.test/v1 # here\nAPI_TOKEN=horse",
                "horse",
                ("API_TOKEN", vec!["api.test"]),
            ),
            (".env", "PGHOST=127.0.0.1\nPGPASSWORD=horse", "horse", ("PGPASSWORD", vec!["127.0.0.1"])),
            (
                ".env",
                "DB_URL=postgres://app:horse@db.test:6000/x?a=b",
                "horse",
                ("DB_URL", vec!["db.test:6000"]),
            ),
            (".env", "OTHER_HOST=db.test\nDB_PASSWORD=horse", "horse", ("DB_PASSWORD", vec![])),
            (".env", "HOST=db.test\nTOKEN=horse", "horse", ("TOKEN", vec![])),
            (
                "/h/.netrc",
                "machine a.test login x password y\nmachine b.test login x password horse",
                "horse",
                ("machine", vec!["b.test"]),
            ),
            ("/h/.pgpass", "db.test:6000:*:app:horse", "horse", ("db.test", vec!["db.test:6000"])),
            ("/h/.pgpass", "*:*:*:app:horse", "horse", ("", vec![])),
            ("/h/.npmrc", "//r.test/:_authToken=horse", "horse", ("", vec!["r.test"])),
            (
                "x.json",
                "{\"db_host\": \"db.test\",\n \"db_password\": \"horse\"}",
                "horse",
                ("db_password", vec![]),
            ),
        ] {
            let (name, servers) = of(path, text, value);
            assert_eq!(
                (name.as_str(), servers.iter().map(String::as_str).collect::<Vec<_>>()),
                expected,
                "{text}"
            );
        }
    }
}
