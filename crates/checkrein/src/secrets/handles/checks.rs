//! Checks that the table of programs cannot express: of settings and texts that would redirect a value or run something next to it.

use super::{
    destination::{Address, covers},
    table::{Check, Program},
    words::{Piece, operands},
};
use std::{fs, path::Path};

/// Sections of a repository's configuration that cannot redirect or run anything, and their keys; no key: any.
const HARMLESS: &[(&str, &[&str])] = &[
    (
        "core",
        &[
            "repositoryformatversion",
            "filemode",
            "bare",
            "logallrefupdates",
            "ignorecase",
            "precomposeunicode",
            "symlinks",
            "autocrlf",
            "eol",
            "quotepath",
        ],
    ),
    ("remote", &["url", "fetch", "pushurl", "tagopt", "mirror"]),
    ("branch", &[]),
    ("user", &[]),
    ("author", &[]),
    ("committer", &[]),
    ("pull", &[]),
    ("push", &["default", "autosetupremote", "followtags"]),
    ("fetch", &["prune", "prunetags"]),
    ("color", &[]),
    ("advice", &[]),
    ("init", &["defaultbranch"]),
];

/// Applies the checks of a program; an error is the reason for a denial.
pub(super) fn pass(
    program: &Program,
    pieces: &[Piece],
    variables: &[(String, String)],
    directory: &Path,
    home: Option<&str>,
) -> Result<(), String> {
    for (file, key) in &program.absent {
        let path = match (file.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => Some(Path::new(home).join(rest)),
            (Some(_), None) => None,
            (None, _) => directory
                .ancestors()
                .map(|above| above.join(file))
                .find(|path| path.symlink_metadata().is_ok()),
        };
        let Some(path) = path.filter(|path| path.symlink_metadata().is_ok()) else { continue };
        if key.is_empty() {
            return Err(format!("`{file}` may decide what runs, or where the value goes"));
        }
        match fs::read_to_string(&path) {
            Ok(text) if !has_setting(&text, key) => {}
            Ok(_) => return Err(format!("`{file}` sets `{key}`, which decides where the value goes")),
            Err(_) => return Err(format!("`{file}` cannot be read")),
        }
    }
    match program.check {
        Some(Check::GitConfig) => git_config(directory),
        Some(Check::NoMetaCommands) => no_meta_commands(pieces),
        Some(Check::NpmConfig) => npm_config(directory).and_then(|()| npm_package(directory, pieces)),
        Some(Check::PlainRegion) => plain_region(pieces, variables),
        Some(Check::OwnAddresses) => own_addresses(program, pieces),
        Some(Check::PlainHeaders) => plain_headers(pieces),
        None => Ok(()),
    }
}

/// Returns whether a file of lines `key: value` or `key = value` gives a key a value.
fn has_setting(text: &str, key: &str) -> bool {
    text.lines().any(|line| {
        let value =
            line.trim_start().strip_prefix(key).and_then(|rest| rest.trim_start().strip_prefix([':', '=']));
        value.is_some_and(|value| !matches!(value.trim().chars().next(), None | Some('#')))
    })
}

/// Text for a database goes to the server; what begins with a backslash is for the client, and may run a program that sees the value.
fn no_meta_commands(pieces: &[Piece]) -> Result<(), String> {
    /// Commands of clients that need no backslash.
    const WORDS: &[&str] = &["system", "source", "pager", "tee", "edit"];
    for piece in pieces {
        let Piece::Value(option, text) = piece else { continue };
        let is_text = matches!(option.as_str(), "-c" | "--command" | "-e" | "--execute");
        let is_command = |line: &str| {
            let first = line.trim_start().split([' ', ';', '\t']).next().unwrap_or_default();
            WORDS.iter().any(|word| first.eq_ignore_ascii_case(word))
        };
        if is_text && (text.contains('\\') || text.contains('`') || text.split(['\n', ';']).any(is_command)) {
            return Err(format!(
                "the text of `{option}` has a command for the client in it, which can run programs; leave it out"
            ));
        }
    }
    // Without a text it reads its commands from standard input, or waits for a user.
    let has_work = pieces.iter().any(|piece| match piece {
        Piece::Value(option, _) => matches!(option.as_str(), "-c" | "--command" | "-e" | "--execute"),
        Piece::Option(option) => matches!(option.as_str(), "-l" | "--list"),
        Piece::Operand(_) => false,
    });
    if has_work { Ok(()) } else { Err("give the text for the server with an option (`-c`, `-e`)".to_owned()) }
}

/// Settings of a project's `.npmrc` that neither redirect, nor trust, nor run anything. npm ignores a variable without a value, so
/// that a proxy or a certificate of the file could not be overridden by one.
const NPM: &[&str] = &[
    "access",
    "audit",
    "engine-strict",
    "fund",
    "init-author-name",
    "init-license",
    "legacy-peer-deps",
    "loglevel",
    "package-lock",
    "progress",
    "save",
    "save-exact",
    "save-prefix",
    "tag",
    "tag-version-prefix",
    "update-notifier",
];

/// The projects around a directory have only settings for npm that are known to be harmless.
fn npm_config(directory: &Path) -> Result<(), String> {
    for path in directory.ancestors().map(|above| above.join(".npmrc")) {
        let Ok(text) = fs::read_to_string(&path) else {
            if path.symlink_metadata().is_ok() {
                return Err(format!("`{}` cannot be read", path.display()));
            }
            continue;
        };
        let names =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
        let names = names.map(|line| line.split('=').next().unwrap_or(line).trim());
        // A setting for another registry may refer to the variable with the value.
        let is_harmless = |name: &&str| NPM.contains(name) || name.starts_with("//registry.npmjs.org/");
        if let Some(name) = names.into_iter().find(|name| !is_harmless(name)) {
            return Err(format!(
                "`{}` has the setting `{name}`, which may redirect the value or run something",
                path.display()
            ));
        }
    }
    Ok(())
}

/// The settings for publishing that `package.json` may have: everything else would override what we set.
const PUBLISH: &[&str] = &["access", "tag", "provenance"];

/// The package that is published is that of the directory, and has no settings that redirect.
fn npm_package(directory: &Path, pieces: &[Piece]) -> Result<(), String> {
    let mut words = operands(pieces);
    if words.next() != Some("publish") {
        return Ok(());
    }
    if let Some(word) = words.next() {
        return Err(format!("`{word}` may have settings of its own; publish from its directory"));
    }
    let path = directory.join("package.json");
    let text = match fs::read_to_string(&path) {
        Err(_) if path.symlink_metadata().is_err() => return Ok(()),
        Err(_) => return Err(format!("`{}` cannot be read", path.display())),
        Ok(text) => text,
    };
    let package: serde_json::Value =
        serde_json::from_str(&text).map_err(|_| format!("`{}` is not JSON", path.display()))?;
    let settings = package.get("publishConfig").and_then(serde_json::Value::as_object);
    match settings.into_iter().flatten().find(|(name, _)| !PUBLISH.contains(&name.as_str())) {
        Some((name, _)) => Err(format!(
            "`publishConfig` in `{}` has the setting `{name}`, which may redirect the value",
            path.display()
        )),
        None => Ok(()),
    }
}

fn plain_region(pieces: &[Piece], variables: &[(String, String)]) -> Result<(), String> {
    let given = pieces.iter().filter_map(|piece| match piece {
        Piece::Value(option, value) if option == "--region" => Some(value.as_str()),
        _ => None,
    });
    let set = variables.iter().filter(|(name, _)| name.ends_with("_REGION")).map(|(_, value)| value.as_str());
    let is_plain = |region: &&str| {
        region.chars().all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-')
    };
    match given.chain(set).find(|region| !is_plain(region)) {
        Some(region) => Err(format!("`{region}` is not a region")),
        None => Ok(()),
    }
}

/// Options that name a repository.
const REPOSITORY: &[&str] = &["-R", "--repo"];

fn own_addresses(program: &Program, pieces: &[Piece]) -> Result<(), String> {
    for piece in pieces {
        let Piece::Value(option, filter) = piece else { continue };
        // The filter can read the variable, and print it in any form.
        let mut words = filter.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
        if matches!(option.as_str(), "-q" | "--jq") && words.any(|word| matches!(word, "env" | "ENV")) {
            return Err(format!("the filter of `{option}` reads variables"));
        }
    }
    let named = pieces.iter().filter_map(|piece| match piece {
        Piece::Value(option, value) if REPOSITORY.contains(&option.as_str()) => Some(value.as_str()),
        _ => None,
    });
    // `gh repo view` takes a repository as an operand.
    let is_about_one = operands(pieces).next() == Some("repo");
    let operand = operands(pieces).filter(|_| is_about_one);
    let repositories = named.clone().chain(operand).filter(|word| !word.contains("://"));
    if let Some(word) = repositories.into_iter().find(|word| names_host(word, &program.hosts)) {
        return Err(format!("`{word}` is not a repository of {}", program.hosts.join(", ")));
    }
    for word in operands(pieces).chain(named).filter(|word| word.contains("://")) {
        let address =
            Address::read(word).filter(|address| address.scheme == "https" && address.port.is_none());
        if !address.is_some_and(|address| program.hosts.iter().any(|own| covers(own, &address.host))) {
            return Err(format!("`{word}` is not an address of {}", program.hosts.join(", ")));
        }
    }
    Ok(())
}

/// Returns whether a repository is one of another host: `host/owner/name`, `user@host:owner/name`.
fn names_host(repository: &str, own: &[String]) -> bool {
    let (first, rest) = repository.split_once('/').unwrap_or((repository, ""));
    let is_address = first.contains(['@', ':']);
    let has_host = rest.contains('/') && first.contains('.');
    is_address || has_host && !own.iter().any(|own| covers(own, first))
}

fn plain_headers(pieces: &[Piece]) -> Result<(), String> {
    for piece in pieces {
        let Piece::Value(option, value) = piece else { continue };
        let name = value.split([':', ';']).next().unwrap_or_default().trim();
        if matches!(option.as_str(), "-H" | "--header")
            && (value.starts_with('@') || name.eq_ignore_ascii_case("host"))
        {
            return Err(format!("the header `{name}` may redirect the request"));
        }
        // Output that is written into a file is not redacted, and a server may repeat the value.
        if matches!(option.as_str(), "-w" | "--write-out")
            && (value.starts_with('@') || value.contains("%output"))
        {
            return Err(format!("the text of `{option}` may write into a file"));
        }
    }
    Ok(())
}

/// The repository around a directory has only settings that are known to be harmless.
fn git_config(directory: &Path) -> Result<(), String> {
    let Some(git) =
        directory.ancestors().map(|above| above.join(".git")).find(|git| git.symlink_metadata().is_ok())
    else {
        return Ok(());
    };
    if !git.is_dir() {
        return Err(
            "the settings of this work tree are in another repository; run the command elsewhere".to_owned()
        );
    }
    for name in ["config", "config.worktree"] {
        let path = git.join(name);
        let Ok(text) = fs::read_to_string(&path) else {
            if path.symlink_metadata().is_ok() {
                return Err(format!("`{}` cannot be read", path.display()));
            }
            continue;
        };
        if let Some(line) = suspicious_line(&text) {
            return Err(format!(
                "`{}` has the setting `{line}`, which may redirect, trace or run something",
                path.display()
            ));
        }
    }
    Ok(())
}

/// The first line of a configuration of git that is not known to be harmless, without its value.
fn suspicious_line(text: &str) -> Option<String> {
    let mut section = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if let Some(header) = line.strip_prefix('[') {
            let (inner, rest) = header.split_once(']')?;
            section = inner.split([' ', '"', '.']).next().unwrap_or_default().to_ascii_lowercase();
            if !rest.trim().is_empty() || inner.contains('\\') {
                return Some(section);
            }
            continue;
        }
        let key = line.split(['=', ' ', '\t']).next().unwrap_or_default().to_ascii_lowercase();
        let known = HARMLESS.iter().find(|(name, _)| *name == section);
        let is_harmless = known.is_some_and(|(_, keys)| keys.is_empty() || keys.contains(&key.as_str()));
        if !is_harmless || line.ends_with('\\') {
            return Some(format!("{section}.{key}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_git_that_redirect_or_run_are_found() {
        let usual = "[core]\n\tbare = false\n\tfilemode = true\n[remote \"origin\"]\n\turl = https://h.test/x\n\tfetch = +refs/*\n[branch \"main\"]\n\tmerge = x\n";
        assert_eq!(suspicious_line(usual), None);
        for (more, found) in [
            ("[url \"https://h.test/\"]\n insteadOf = https://github.com/\n", "url.insteadof"),
            ("[http]\n proxy = http://h.test\n", "http.proxy"),
            ("[http \"https://github.com\"]\n sslVerify = false\n", "http.sslverify"),
            ("[core]\n sshCommand = x\n", "core.sshcommand"),
            ("[core]\n hooksPath = x\n", "core.hookspath"),
            ("[include]\n path = x\n", "include.path"),
            ("[remote \"origin\"]\n uploadpack = x\n", "remote.uploadpack"),
            ("[filter \"x\"]\n smudge = x\n", "filter.smudge"),
            ("[user]\n name = a\\\n [http]\n", "user.name"),
            ("[core] hooksPath = x\n", "core"),
        ] {
            assert_eq!(suspicious_line(&format!("{usual}{more}")).as_deref(), Some(found), "{more}");
        }
    }

    #[test]
    fn a_setting_counts_if_it_has_a_value() {
        assert!(has_setting("a: b\nsocket: /x\n", "socket"));
        for text in ["socket:\n", "socket: # none\n", "# socket: x\n", "sockets: x\n"] {
            assert!(!has_setting(text, "socket"), "{text}");
        }
    }

    #[test]
    fn commands_for_a_client_are_found() {
        let of = |text: &str| no_meta_commands(&[Piece::Value("-c".into(), text.into())]).is_ok();
        assert!(of("select 1; select 'system'"));
        for text in ["\\! env", "select 1 \\g |env", "system env", "select 1;\n source x", "select `env`"] {
            assert!(!of(text), "{text}");
        }
        assert!(no_meta_commands(&[]).is_err());
    }

    #[test]
    fn a_projects_settings_for_npm_may_not_redirect() {
        let directory = tempfile::tempdir().unwrap();
        let below = directory.path().join("packages/web");
        fs::create_dir_all(&below).unwrap();
        let check = |text: &str| {
            fs::write(directory.path().join(".npmrc"), text).unwrap();
            npm_config(&below)
        };
        assert!(check("# ours\nsave-exact = true\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n").is_ok());
        for text in [
            "https-proxy=http://h.test",
            "registry = https://h.test/",
            "@acme:registry=https://h.test/",
            "cafile=ca.pem",
            "ca[]=x",
            "strict-ssl=false",
            "node-options=--require ./x.js",
            "script-shell=./x",
        ] {
            let why = check(text).unwrap_err();
            assert!(why.contains(".npmrc") && !why.contains("h.test"), "{why}");
        }
    }

    #[test]
    fn a_package_has_no_settings_that_redirect() {
        let directory = tempfile::tempdir().unwrap();
        let publish = [Piece::Operand("publish".into())];
        let check = |text: &str| {
            fs::write(directory.path().join("package.json"), text).unwrap();
            npm_package(directory.path(), &publish)
        };
        assert!(npm_package(directory.path(), &publish).is_ok());
        assert!(check(r#"{"name":"a","publishConfig":{"access":"public","tag":"next"}}"#).is_ok());
        assert!(check(r#"{"name":"a"}"#).is_ok());
        for text in [
            r#"{"publishConfig":{"registry":"https://h.test/"}}"#,
            r#"{"publishConfig":{"https-proxy":"http://h.test","strict-ssl":false}}"#,
            r#"{"publishConfig":{"cafile":"ca.pem"}}"#,
            "publishConfig",
        ] {
            let why = check(text).unwrap_err();
            assert!(why.contains("package.json") && !why.contains("h.test"), "{why}");
        }
        check("{}").unwrap();
        let other = [Piece::Operand("publish".into()), Piece::Operand("../other".into())];
        assert!(npm_package(directory.path(), &other).is_err());
        let look = [Piece::Operand("view".into()), Piece::Operand("left-pad".into())];
        assert!(npm_package(directory.path(), &look).is_ok());
    }

    #[test]
    fn curl_writes_into_no_file() {
        let of = |option: &str, text: &str| plain_headers(&[Piece::Value(option.into(), text.into())]);
        assert!(of("-w", "%{http_code}\\n").is_ok());
        for (option, text) in [
            ("-w", "%output{x.txt}%{header_json}"),
            ("--write-out", "%{stderr}%output{>>x.txt}%header{x}"),
            ("-w", "@format.txt"),
            ("-H", "@headers.txt"),
            ("--header", "Host: h.test"),
        ] {
            assert!(of(option, text).is_err(), "{option} {text}");
        }
    }

    #[test]
    fn a_region_is_a_word() {
        let set = |region: &str| vec![("AWS_REGION".to_owned(), region.to_owned())];
        let given = |region: &str| vec![Piece::Value("--region".to_owned(), region.to_owned())];
        assert!(plain_region(&given("eu-central-1"), &set("us-gov-west-1")).is_ok());
        for region in ["h.test/", "x@h.test", "eu-central-1.h.test#", "EU"] {
            assert!(plain_region(&given(region), &[]).is_err(), "{region}");
            assert!(plain_region(&[], &set(region)).is_err(), "{region}");
        }
    }
}
