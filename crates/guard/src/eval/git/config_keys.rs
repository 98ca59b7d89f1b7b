//! The meaning of configuration keys, and their usual values.

use checkrein_shell::Word;

/// The meaning of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// Nothing that is run.
    Plain,
    /// A text for a shell.
    Program,
    /// A program that runs to edit a text.
    Editor,
    /// A helper by its name, or a text for a shell after `!`.
    Helper,
    /// A text for a shell after `!`, and a word otherwise.
    Bang,
    /// A directory with programs.
    Programs,
    /// A file with more settings.
    Settings,
    /// The value of a name.
    Alias,
    /// An address.
    Address,
    /// A kind of address is allowed.
    Protocol,
    /// The certificates of other machines are looked at.
    Certificates,
    /// The time for which unreachable objects are kept.
    Expiry,
    /// The refs that are pushed by default.
    Push,
    /// Everything is pushed, and whatever does not exist here is removed there.
    Mirror,
}

/// Programs that people set up, each of which is judged by what it is given.
const USUAL: &str = ": [ bat batcat bcompare cat code code-insiders codium colordiff column cursor cut delta diff \
    diff-so-fancy difft difftastic echo ed emacs emacsclient ex exiftool false gh git git-lfs \
    git-nbdiffdriver git-nbmergedriver git-receive-pack git-upload-archive git-upload-pack gitsign glab \
    gpg gpg2 gpgsm grep head helix hexdump hx jq kak kdiff3 less meld micro more most nano nbdiff \
    nbstripout nvim nvimdiff od op-ssh-sign opendiff p4merge pandoc pdftotext plink printf sed set sleep \
    smimesign smerge sort ssh ssh-keygen strings subl tail test tig tr true vi vim vimdiff xxd zed";

/// Returns the meaning of the setting with this key.
pub(super) fn means(key: &str) -> Means {
    let lower = key.to_ascii_lowercase();
    let (section, rest) = lower.split_once('.').unwrap_or((lower.as_str(), ""));
    let (sub, name) = rest.rsplit_once('.').map_or((None, rest), |(sub, name)| (Some(sub), name));
    match (section, sub, name) {
        ("alias", _, _) => Means::Alias,
        ("core" | "sequence", None, "editor") => Means::Editor,
        (
            "core",
            None,
            "sshcommand" | "pager" | "fsmonitor" | "gitproxy" | "askpass" | "alternaterefscommand",
        )
        | ("pager", _, _)
        | ("interactive", None, "difffilter")
        | ("diff", None, "external")
        | ("diff", Some(_), "command" | "textconv")
        | ("difftool" | "mergetool" | "browser" | "man" | "guitool", Some(_), "cmd" | "path")
        | ("merge", Some(_), "driver")
        | ("filter", Some(_), "clean" | "smudge" | "process")
        | ("gpg", _, "program" | "defaultkeycommand")
        | ("uploadpack", None, "packobjectshook")
        | ("gc", None, "recentobjectshook")
        | ("remote", Some(_), "uploadpack" | "receivepack")
        | ("sendemail", _, "sendmailcmd" | "tocmd" | "cccmd" | "headercmd")
        | ("trailer", Some(_), "command" | "cmd")
        | ("tar", Some(_), "command")
        | ("imap", None, "tunnel")
        | ("hook", Some(_), "command")
        | ("instaweb", None, "httpd" | "browser")
        | ("lfs", Some(_), "path" | "clean" | "smudge") => Means::Program,
        ("credential", _, "helper") => Means::Helper,
        ("submodule", Some(_), "update") => Means::Bang,
        ("core", None, "hookspath") | ("init", None, "templatedir") => Means::Programs,
        ("include", None, "path") | ("includeif", Some(_), "path") => Means::Settings,
        ("remote", Some(_), "url" | "pushurl") | ("submodule", Some(_), "url") => Means::Address,
        ("url", Some(_), "insteadof" | "pushinsteadof") => Means::Address,
        ("protocol", Some("ext"), "allow") | ("protocol", None, "allow") => Means::Protocol,
        ("http", _, "sslverify") => Means::Certificates,
        ("gc", _, "reflogexpire" | "reflogexpireunreachable") | ("gc", None, "pruneexpire") => Means::Expiry,
        ("remote", Some(_), "push") => Means::Push,
        ("remote", Some(_), "mirror") => Means::Mirror,
        _ => Means::Plain,
    }
}

/// Returns true if every command of a text is one that people configure.
pub(super) fn is_usual(text: &str) -> bool {
    let script = crate::read(text, &checkrein_shell::ShellEnv::default());
    let is_known = |name: &str| {
        let usual = USUAL.split(' ').any(|usual| usual == name) || name.starts_with("git-credential-");
        usual || script.functions.iter().any(|function| function.name == name)
    };
    let fits = |command: &checkrein_shell::SimpleCommand| {
        let name = command.words.first().and_then(Word::constant);
        let usual = |name: &str| {
            is_known(name.strip_prefix("/usr/bin/").or_else(|| name.strip_prefix("/bin/")).unwrap_or(name))
        };
        // A usual one does not keep what it is given.
        let keeps = |redirect: &checkrein_shell::Redirect| {
            redirect.kind.writes() && redirect.target.constant().as_deref() != Some("/dev/null")
        };
        let quiet = !command.redirects.iter().any(|redirect| keeps(redirect));
        quiet && (command.words.is_empty() || name.is_some_and(|name| usual(&name)))
    };
    script.opaque.is_empty() && script.commands.iter().all(fits)
}
