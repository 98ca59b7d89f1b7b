//! The table of programs that may be given a secret: `handles/programs.toml`, which the build has checked, and what configurations add.

use serde_json::Value;

/// The way in which the words of a program say where it sends what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sends {
    /// To its own hosts.
    Own,
    /// Every operand is an address.
    Url,
    /// The operand with the tag is an address.
    Repository,
    /// Options, variables or an address name a server.
    Server,
    /// The last operand is a registry.
    Registry,
}

/// A test that the table cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// The repository has no setting that would redirect or run something.
    GitConfig,
    /// The text for the server has no command of the client, which can run programs.
    NoMetaCommands,
    /// No file of the project changes where npm sends the value, or whom it trusts.
    NpmConfig,
    /// The region is a word, and not the beginning of another host's name.
    PlainRegion,
    /// Addresses among the operands are of the program's own hosts.
    OwnAddresses,
    /// Other headers neither come from a file nor name another host.
    PlainHeaders,
}

/// A program. `programs.toml` explains the fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) names: Vec<String>,
    pub(super) hosts: Vec<String>,
    pub(super) sends: Option<Sends>,
    pub(super) commands: Vec<String>,
    pub(super) switches: Vec<String>,
    pub(super) values: Vec<String>,
    pub(super) variables: Vec<String>,
    pub(super) before: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) absent: Vec<(String, String)>,
    pub(super) host_options: Vec<String>,
    pub(super) host_variables: Vec<String>,
    pub(super) port_options: Vec<String>,
    pub(super) port_variables: Vec<String>,
    pub(super) address_options: Vec<String>,
    pub(super) port: Option<u16>,
    pub(super) check: Option<Check>,
    pub(super) places: Vec<Place>,
}

/// A place where a tag may be among the words of a program, and how the value gets there instead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) variable: Option<String>,
    pub(super) becomes_variable: Option<String>,
    pub(super) option: Vec<String>,
    pub(super) headers: Vec<String>,
    pub(super) address: Vec<String>,
    pub(super) stdin: Vec<String>,
    pub(super) becomes: Vec<String>,
    pub(super) content: Option<String>,
}

impl Place {
    /// Returns whether the tag is what a variable is assigned in front of the program.
    pub(super) fn is_assignment(&self) -> bool {
        self.variable.is_some() && self.address.is_empty()
    }

    /// The variable that the program gets, if it gets one.
    pub(super) fn passed_as(&self) -> Option<&str> {
        self.becomes_variable.as_deref().or(self.variable.as_deref())
    }
}

/// A row of `[[secrets.handle]]`: a program that reads a secret from a variable and sends it to its own hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handle {
    pub(crate) program: String,
    pub(crate) variable: String,
    pub(crate) hosts: Vec<String>,
    pub(crate) commands: Vec<String>,
    pub(crate) switches: Vec<String>,
    pub(crate) values: Vec<String>,
}

impl Handle {
    fn program(&self) -> Program {
        Program {
            names: vec![self.program.clone()],
            hosts: self.hosts.clone(),
            commands: self.commands.clone(),
            switches: self.switches.clone(),
            values: self.values.clone(),
            places: vec![Place { variable: Some(self.variable.clone()), ..Place::default() }],
            ..Program::default()
        }
    }

    /// Returns the row as a file would write it.
    pub(crate) fn to_json(&self) -> Value {
        let mut row =
            serde_json::json!({"program": self.program, "variable": self.variable, "hosts": self.hosts});
        if let Some(row) = row.as_object_mut() {
            for (key, list) in
                [("commands", &self.commands), ("switches", &self.switches), ("values", &self.values)]
            {
                if !list.is_empty() {
                    row.insert(key.to_owned(), list.clone().into());
                }
            }
        }
        row
    }
}

/// Returns the entries for a program of this name: those of configurations, and then the built-in one.
pub(super) fn find(name: &str, configured: &[Handle]) -> Vec<Program> {
    let own = configured.iter().filter(|handle| handle.program == name).map(Handle::program);
    own.chain(built_in().into_iter().filter(|program| program.names.iter().any(|known| known == name)))
        .collect()
}

/// Returns the names of all programs, for a message.
pub(super) fn names(configured: &[Handle]) -> String {
    let mut names: Vec<String> = configured.iter().map(|handle| handle.program.clone()).collect();
    names.extend(built_in().into_iter().flat_map(|program| program.names));
    names.dedup();
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn built_in() -> Vec<Program> {
    let text = include_str!(concat!(env!("OUT_DIR"), "/handles.json"));
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value.as_array().into_iter().flatten().map(program).collect()
}

fn program(value: &Value) -> Program {
    let texts = |key: &str| texts(value, key);
    let pair =
        |text: &String, at: char| text.split_once(at).map(|(name, rest)| (name.to_owned(), rest.to_owned()));
    let word = |key: &str| value.get(key).and_then(Value::as_str);
    Program {
        names: texts("names"),
        hosts: texts("hosts"),
        sends: word("sends").and_then(|word| match word {
            "url" => Some(Sends::Url),
            "repository" => Some(Sends::Repository),
            "server" => Some(Sends::Server),
            "registry" => Some(Sends::Registry),
            _ => None,
        }),
        commands: texts("commands"),
        switches: texts("switches"),
        values: texts("values"),
        variables: texts("variables"),
        before: texts("before"),
        environment: texts("environment").iter().filter_map(|text| pair(text, '=')).collect(),
        absent: texts("absent")
            .iter()
            .map(|text| pair(text, ' ').unwrap_or_else(|| (text.clone(), String::new())))
            .collect(),
        host_options: texts("host_options"),
        host_variables: texts("host_variables"),
        port_options: texts("port_options"),
        port_variables: texts("port_variables"),
        address_options: texts("address_options"),
        port: value.get("port").and_then(Value::as_u64).and_then(|port| u16::try_from(port).ok()),
        check: word("check").and_then(|word| match word {
            "git-config" => Some(Check::GitConfig),
            "no-meta-commands" => Some(Check::NoMetaCommands),
            "npm-config" => Some(Check::NpmConfig),
            "plain-region" => Some(Check::PlainRegion),
            "own-addresses" => Some(Check::OwnAddresses),
            "plain-headers" => Some(Check::PlainHeaders),
            _ => None,
        }),
        places: value.get("place").and_then(Value::as_array).into_iter().flatten().map(place).collect(),
    }
}

fn place(value: &Value) -> Place {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let texts = |key: &str| texts(value, key);
    Place {
        variable: text("variable"),
        becomes_variable: text("becomes_variable"),
        option: texts("option"),
        headers: texts("headers"),
        address: texts("address"),
        stdin: texts("stdin"),
        becomes: texts("becomes"),
        content: text("content"),
    }
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    let list = value.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod installed;

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the table that the build accepts have a meaning here.
    #[test]
    fn every_entry_is_understood() {
        let text = include_str!(concat!(env!("OUT_DIR"), "/handles.json"));
        let value: Value = serde_json::from_str(text).unwrap();
        for (entry, program) in value.as_array().unwrap().iter().zip(built_in()) {
            assert_eq!(entry.get("sends").is_some(), program.sends.is_some(), "{entry}");
            assert_eq!(entry.get("check").is_some(), program.check.is_some(), "{entry}");
            assert!(!program.places.is_empty() && !program.names.is_empty(), "{entry}");
            assert_eq!(texts(entry, "environment").len(), program.environment.len(), "{entry}");
        }
        assert!(built_in().len() > 10);
    }

    #[test]
    fn a_configured_row_comes_before_the_built_in_one() {
        let own = Handle {
            program: "gh".into(),
            variable: "MY_TOKEN".into(),
            hosts: vec!["h.test".into()],
            ..Handle::default()
        };
        let found = find("gh", &[own]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].places[0].variable.as_deref(), Some("MY_TOKEN"));
        assert!(find("rm", &[]).is_empty());
    }
}
