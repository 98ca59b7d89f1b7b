//! The ways in which effects are done.

super::words! {
    /// The way in which an effect is done.
    Modifier,
    /// A set of modifiers.
    Modifiers(u64) {
        /// It includes everything below a directory.
        Recursive = "recursive" (ordinary),
        /// It does not ask, or it overrides a refusal.
        Force = "force" (ordinary),
        /// It applies to everything of its kind.
        All = "all" (ordinary),
        /// It applies to a whole account, project, cluster, server, repository or application.
        Whole = "whole",
        /// It applies to everything in a directory, by a pattern or by a search that names nothing.
        Sweeping = "sweeping" (ordinary),
        /// It applies to a part that a condition selects.
        Some = "some" (ordinary),
        /// It only shows what would happen.
        DryRun = "dry-run" (ordinary),
        /// It only lists or shows things.
        Lists = "lists" (ordinary),
        /// It asks the user before each change.
        Asks = "asks",
        /// It changes the files that it reads.
        InPlace = "in-place" (ordinary),
        /// It unpacks files whose names are in an archive or on another machine.
        Extracts = "extracts" (ordinary),
        /// It works only on something that is empty.
        Empty = "empty" (ordinary),
        /// It changes only the index of the repository.
        Staged = "staged" (ordinary),
        /// Its content is not shown to the model.
        Unseen = "unseen" (ordinary),
        /// It fetches what it uses from an address.
        Url = "url" (ordinary),
        /// It happens through a name that is looked up, as in a DNS query.
        Lookup = "lookup",
        /// It uploads files.
        Uploads = "uploads",
        /// It waits for connections from other machines.
        Listens = "listens",
        /// It lets everyone run the file with the rights of its owner.
        Setuid = "setuid",
        /// It gives access to every user.
        World = "world",
        /// It makes the file unchangeable, even for its owner.
        Immutable = "immutable",
        /// It replaces remote history only if that has not changed since it was fetched.
        Lease = "lease",
        /// It affects the main branch.
        Main = "main",
        /// Git has everything that it takes away, in a commit that a branch, a tag or a remote reaches.
        Committed = "committed" (ordinary),
        /// It affects files that git does not track.
        Untracked = "untracked",
        /// It affects changes that are kept in a stash.
        Stash = "stash",
        /// It makes one side an exact copy of the other, so that anything else there is deleted.
        Mirror = "mirror",
        /// It stops or disables something.
        Stop = "stop",
        /// It removes something.
        Remove = "remove",
        /// It starts or enables something.
        Start = "start",
        /// It applies to the whole machine or the whole account.
        Global = "global",
        /// It runs with the rights of an administrator.
        Privileged = "privileged",
        /// It happens through a shell.
        Shell = "shell",
        /// It happens later, without another call.
        Later = "later",
        /// It is typed into a program later, without another call.
        Typed = "typed",
        /// It runs a file from a temporary directory.
        Path = "path",
        /// It looks like something other than what it is.
        Disguised = "disguised",
        /// It gives a container the files of the whole machine.
        Host = "host",
        /// It loses the content, because nothing is kept at the target for long.
        Lost = "lost",
        /// It affects a coding agent, or what the agent starts by itself.
        Agent = "agent",
        /// It starts a coding agent without the agent's own checks.
        Unguarded = "unguarded",
        /// It affects Checkrein itself.
        Guard = "guard",
        /// It removes or disables our entry among an agent's hooks.
        Unhooks = "unhooks",
        /// It happens while one of our own confirmations waits for the user.
        Confirming = "confirming",
        /// It overwrites the content, so that it cannot be restored.
        Wipes = "wipes",
        /// It puts files whose names are not known into a directory.
        Arrives = "arrives",
    }
}
