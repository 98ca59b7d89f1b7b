//! The actions of effects.

super::words! {
    /// The action of an effect.
    Action,
    /// A set of actions.
    Actions(u64) {
        /// It reads content.
        Read = "read",
        /// It writes a file and replaces the previous content.
        Write = "write",
        /// It appends to a file, or changes a part of it.
        Append = "append",
        /// It empties or shortens a file.
        Truncate = "truncate",
        /// It creates a file, a directory or another thing without replacing one.
        Create = "create",
        /// It deletes a file or a directory.
        Delete = "delete",
        /// It moves a file or a directory away.
        Move = "move",
        /// It creates a link.
        Link = "link",
        /// It changes permissions.
        Mode = "mode",
        /// It changes the owner.
        Owner = "owner",
        /// It runs a program.
        Run = "run",
        /// It uses the rights of another user.
        Privilege = "privilege",
        /// It opens a network connection.
        Connect = "connect",
        /// It sends data of this machine to another one.
        Send = "send",
        /// It gives another machine access to a shell.
        Expose = "expose",
        /// It changes a disk or its partitions below the file system.
        Device = "device",
        /// It creates, mounts or unmounts a file system.
        Mount = "mount",
        /// It controls the kernel or the machine: shutdown, modules, parameters.
        Machine = "machine",
        /// It terminates processes.
        Process = "process",
        /// It controls a service.
        Service = "service",
        /// It changes users, groups or passwords.
        Account = "account",
        /// It changes system packages.
        Package = "package",
        /// It arranges for something to run later, or repeatedly.
        Persist = "persist",
        /// It removes traces: histories, logs, audit records.
        Tamper = "tamper",
        /// It disables a protection: a firewall, a sandbox, a check.
        Unprotect = "unprotect",
        /// It shows secrets.
        Reveal = "reveal",
        /// It throws away work that is not committed.
        Discard = "discard",
        /// It removes names of commits: branches, tags, stashes, the reflog.
        Forget = "forget",
        /// It replaces published history.
        Overwrite = "overwrite",
        /// It skips a check that the project has set up.
        Bypass = "bypass",
        /// It configures a tool to run something.
        Configure = "configure",
        /// It destroys a remote resource: a database, a cluster, a bucket, a release.
        Destroy = "destroy",
        /// It changes a remote resource.
        Change = "change",
        /// It publishes or gives away something: a release, a package, a permission.
        Publish = "publish",
        /// It uses up money or the resources of the machine.
        Exhaust = "exhaust",
        /// It types keys in place of the user, or pastes text into a terminal.
        Type = "type",
        /// It reads what a terminal or a screen shows.
        Watch = "watch",
        /// It does something that cannot be known before it runs.
        Opaque = "opaque",
    }
}

/// Everyday words, and the action that each of them means.
const EVERYDAY: &[(&str, Action)] = &[
    ("add", Action::Create),
    ("call", Action::Connect),
    ("chmod", Action::Mode),
    ("chown", Action::Owner),
    ("deploy", Action::Publish),
    ("deployment", Action::Publish),
    ("download", Action::Connect),
    ("drop", Action::Destroy),
    ("edit", Action::Write),
    ("erase", Action::Delete),
    ("exec", Action::Run),
    ("execute", Action::Run),
    ("exfiltrate", Action::Send),
    ("fetch", Action::Connect),
    ("force-push", Action::Overwrite),
    ("install", Action::Package),
    ("kill", Action::Process),
    ("modify", Action::Write),
    ("open", Action::Read),
    ("permission", Action::Mode),
    ("post", Action::Send),
    ("push", Action::Send),
    ("release", Action::Publish),
    ("remove", Action::Delete),
    ("rename", Action::Move),
    ("request", Action::Connect),
    ("reset", Action::Discard),
    ("rm", Action::Delete),
    ("root", Action::Privilege),
    ("schedule", Action::Persist),
    ("shutdown", Action::Machine),
    ("spawn", Action::Run),
    ("start", Action::Run),
    ("sudo", Action::Privilege),
    ("symlink", Action::Link),
    ("unlink", Action::Delete),
    ("upload", Action::Send),
];

impl Action {
    /// Returns the action that an everyday word means, such as `send` for a push. The word is not one of the vocabulary.
    pub fn of_everyday_word(word: &str) -> Option<Self> {
        EVERYDAY.iter().find(|(everyday, _)| *everyday == word).map(|(_, action)| *action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_everyday_word_is_in_the_list_once_and_is_no_action_itself() {
        assert!(EVERYDAY.is_sorted_by(|(one, _), (next, _)| one < next));
        assert!(EVERYDAY.iter().all(|(word, _)| Action::of(word).is_none()));
        assert_eq!(Action::of_everyday_word("push"), Some(Action::Send));
        assert_eq!(Action::of_everyday_word("send"), None);
    }
}
