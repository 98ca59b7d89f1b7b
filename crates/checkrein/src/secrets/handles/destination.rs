//! Finds out where a program would send a value, and whether the value belongs there.

use super::{
    table::{Program, Sends},
    words::{Piece, operands, value},
};
use crate::state::origins::Server;
use checkrein_core::sanitize;
use checkrein_secrets::tags;

/// An address, taken apart as clients do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) scheme: String,
    pub(super) user: Option<String>,
    pub(super) password: Option<String>,
    pub(super) host: String,
    pub(super) port: Option<u16>,
}

impl Address {
    /// Reads an address. An address that clients could read in different ways is refused.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        if rest.contains(|char: char| char == '\\' || char.is_whitespace() || sanitize::is_hidden(char)) {
            return None;
        }
        let authority = rest.split(['/', '?', '#']).next()?;
        let (account, machine) = match authority.rsplit_once('@') {
            Some((account, machine)) => (Some(account), machine),
            None => (None, authority),
        };
        if account.is_some_and(|account| account.contains('@')) {
            return None;
        }
        let (host, port) = match machine
            .rsplit_once(':')
            .filter(|(host, _)| !host.is_empty() && (!host.contains(':') || host.ends_with(']')))
        {
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (machine, None),
        };
        let (user, password) = match account.map(|account| account.split_once(':').unwrap_or((account, ""))) {
            Some((user, password)) => {
                (Some(user.to_owned()), Some(password.to_owned()).filter(|password| !password.is_empty()))
            }
            None => (None, None),
        };
        let host = host.to_ascii_lowercase();
        is_host(&host).then(|| Self { scheme: scheme.to_ascii_lowercase(), user, password, host, port })
    }
}

/// Returns whether a name is one that nothing expands or encodes.
fn is_host(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let (name, is_allowed): (&str, fn(char) -> bool) = match inner {
        Some(inner) => (inner, |char| char.is_ascii_hexdigit() || matches!(char, ':' | '.')),
        None => (host, |char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_')),
    };
    !name.is_empty() && name.chars().all(is_allowed)
}

/// Returns whether a machine is this one.
pub(super) fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "[::1]" | "::1")
        || host.strip_prefix("127.").is_some_and(|rest| rest.split('.').count() == 3)
}

/// Returns where a program would send a value; an error is the reason for a denial.
pub(super) fn of(
    program: &Program,
    pieces: &[Piece],
    variables: &[(String, String)],
) -> Result<Vec<Server>, String> {
    match program.sends.unwrap_or(Sends::Own) {
        Sends::Own => {
            Ok(program.hosts.iter().map(|host| Server { host: host.clone(), port: None }).collect())
        }
        Sends::Url => {
            let servers: Vec<Server> = operands(pieces).map(web).collect::<Result<_, _>>()?;
            if servers.is_empty() { Err("the command has no address".to_owned()) } else { Ok(servers) }
        }
        Sends::Repository => {
            let tagged = operands(pieces)
                .find(|word| tags(word).next().is_some())
                .ok_or("the command has no address with the tag in it")?;
            web(tagged).map(|server| vec![server])
        }
        Sends::Registry => {
            let registry = operands(pieces)
                .nth(1)
                .ok_or("name the registry, so that it is known where the value goes")?;
            let name = registry.split('/').next().unwrap_or(registry);
            let address = Address::read(&format!("https://{name}"))
                .ok_or_else(|| format!("`{registry}` is not a registry"))?;
            Ok(vec![Server { host: address.host, port: address.port }])
        }
        Sends::Server => server(program, pieces, variables).map(|server| vec![server]),
    }
}

/// An address on the web: encrypted, or on this machine.
fn web(text: &str) -> Result<Server, String> {
    let address = Address::read(text).ok_or_else(|| {
        format!("`{}` is not an address of the form https://host/path", without_secrets(text))
    })?;
    match (address.scheme.as_str(), is_loopback(&address.host)) {
        ("https", _) => Ok(Server { host: address.host, port: address.port.filter(|port| *port != 443) }),
        ("http", true) => Ok(Server { host: address.host, port: address.port.filter(|port| *port != 80) }),
        ("http", false) => Err(format!("`{}` would get the value unencrypted; use https", address.host)),
        (scheme, _) => Err(format!("`{scheme}` is not https")),
    }
}

/// The text without what is before the host: it may be a password.
fn without_secrets(text: &str) -> &str {
    text.rsplit('@').next().unwrap_or(text)
}

fn server(program: &Program, pieces: &[Piece], variables: &[(String, String)]) -> Result<Server, String> {
    let variable = |names: &[String]| {
        variables.iter().rev().find(|(name, _)| names.contains(name)).map(|(_, value)| value.as_str())
    };
    let mut found: Option<Server> = None;
    let named = value(pieces, &program.address_options).into_iter().chain(operands(pieces));
    for word in named {
        // `host=… port=…` is another notation for all of it.
        if !word.contains("://") && word.contains('=') && !program.address_options.is_empty() {
            return Err("write the server with options or as an address".to_owned());
        }
        if !word.contains("://") {
            continue;
        }
        let address = Address::read(word)
            .filter(|_| !word.contains('?'))
            .ok_or("the address of the server cannot be read")?;
        if found.is_some() {
            return Err("the command names two servers".to_owned());
        }
        found = Some(Server { host: address.host, port: address.port });
    }
    let host = value(pieces, &program.host_options).or_else(|| variable(&program.host_variables));
    let port = match value(pieces, &program.port_options).or_else(|| variable(&program.port_variables)) {
        Some(port) => Some(port.parse::<u16>().map_err(|_| format!("`{port}` is not a port"))?),
        None => None,
    };
    let server = match (found, host) {
        (Some(_), Some(_)) => return Err("the command names two servers".to_owned()),
        (Some(server), None) => Server { port: server.port.or(port), ..server },
        (None, Some(host)) if is_host(&host.to_ascii_lowercase()) => {
            Server { host: host.to_ascii_lowercase(), port }
        }
        (None, Some(host)) => return Err(format!("`{host}` is not the name of one server")),
        (None, None) => Server { host: "localhost".to_owned(), port },
    };
    Ok(Server { port: server.port.filter(|port| Some(*port) != program.port), ..server })
}

/// Returns whether a value belongs to a server: it is one of its kind's own, or it was written next to the value when that was first
/// seen.
pub(super) fn is_allowed(
    to: &Server,
    kind_hosts: &[&str],
    written: &[Server],
    default_port: Option<u16>,
) -> bool {
    let is_own = |own: &&str| to.port.is_none() && covers(own, &to.host);
    let is_written = |server: &Server| {
        let port = server.port.filter(|port| {
            default_port.is_none_or(|default| *port != default)
                && !matches!((default_port, port), (None, 443 | 80))
        });
        let is_same = server.host == to.host || is_loopback(&server.host) && is_loopback(&to.host);
        is_same && port == to.port
    };
    kind_hosts.iter().any(is_own) || written.iter().any(is_written)
}

/// Returns whether a pattern of hosts, `*.slack.com`, covers a host or another pattern.
pub(super) fn covers(own: &str, host: &str) -> bool {
    match own.strip_prefix("*.") {
        Some(domain) => {
            host == own || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1)
        }
        None => host == own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_meaning_or_none() {
        let read = |text: &str| Address::read(text).map(|address| (address.host, address.port));
        assert_eq!(read("https://api.github.com/user"), Some(("api.github.com".into(), None)));
        assert_eq!(read("https://u:p@H.test:8443/x@y"), Some(("h.test".into(), Some(8443))));
        assert_eq!(read("http://[::1]:80/"), Some(("[::1]".into(), Some(80))));
        for text in [
            "api.github.com",
            "https://api.github.com\\@h.test/",
            "https://{api.github.com,h.test}/",
            "https://a@b@h.test/",
            "https://h.test:80x/",
            "https:///x",
            "https://h%2etest/",
            "https://api.github.com /",
            "https://ａpi.github.com/",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn values_go_to_their_own_hosts_and_to_what_was_written_next_to_them() {
        let to = |host: &str, port: Option<u16>| Server { host: host.into(), port };
        let hosts = ["api.github.com", "*.ghe.com"];
        assert!(is_allowed(&to("api.github.com", None), &hosts, &[], None));
        assert!(is_allowed(&to("x.ghe.com", None), &hosts, &[], None));
        for (host, port) in [
            ("api.github.com", Some(8443)),
            ("api.github.com.h.test", None),
            ("xghe.com", None),
            (".ghe.com", None),
            ("h.test", None),
        ] {
            assert!(!is_allowed(&to(host, port), &hosts, &[], None), "{host}");
        }
        let written = [to("db.test", Some(5432)), to("127.0.0.1", Some(6000))];
        assert!(is_allowed(&to("db.test", None), &[], &written, Some(5432)), "its default port");
        assert!(is_allowed(&to("localhost", Some(6000)), &[], &written, Some(5432)));
        for (host, port) in [
            ("db.test", Some(5433)),
            ("localhost", None),
            ("localhost", Some(6001)),
            ("db.test.h.test", None),
        ] {
            assert!(!is_allowed(&to(host, port), &[], &written, Some(5432)), "{host} {port:?}");
        }
    }
}
