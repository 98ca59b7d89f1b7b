//! The words in which effects, the table of programs and the rules speak.
//!
//! Each is an enum and a set of it. The data files use the words in quotes; `build.rs` turns them into the variants, so a
//! word that does not exist does not compile.

macro_rules! words {
    ($(#[doc = $about:literal])+ $name:ident, $(#[doc = $about_set:literal])+ $set:ident($bits:ty) {
        $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word for it in data, rules and reports.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The one that a word means.
            pub fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// What it means, in a sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        $(#[doc = $about_set])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $set($bits);

        impl $set {
            /// None of them.
            pub const NONE: Self = Self(0);

            /// A set of these.
            pub const fn of(members: &[$name]) -> Self {
                let (mut bits, mut rest) = (0, members);
                while let [first, others @ ..] = rest {
                    bits |= 1 << (*first as u8);
                    rest = others;
                }
                Self(bits)
            }

            /// Whether it is in the set.
            pub const fn has(self, member: $name) -> bool {
                self.0 & (1 << (member as u8)) != 0
            }

            /// Whether the set has all of the other.
            pub const fn has_all(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether the set has any of the other.
            pub const fn has_any(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether nothing is in the set.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The set with everything of another.
            #[must_use]
            pub const fn and(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// The set with one more.
            #[must_use]
            pub const fn with(self, member: $name) -> Self {
                Self(self.0 | 1 << (member as u8))
            }

            /// The set without one.
            #[must_use]
            pub const fn without(self, member: $name) -> Self {
                Self(self.0 & !(1 << (member as u8)))
            }

            /// What it has in common with another.
            #[must_use]
            pub const fn only(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// The set without those of another.
            #[must_use]
            pub const fn minus(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// Its members in order.
            pub fn iter(self) -> impl Iterator<Item = $name> {
                $name::ALL.iter().copied().filter(move |member| self.has(*member))
            }
        }
    };
}

words! {
    /// What is done.
    Verb,
    /// A set of verbs.
    Verbs(u64) {
        /// Content is read.
        Read = "read",
        /// A file is written, and what it held is gone.
        Write = "write",
        /// Something is added to a file, or a part of it is changed.
        Append = "append",
        /// A file is made empty.
        Truncate = "truncate",
        /// A file, a directory or a thing is created where none has to be lost.
        Create = "create",
        /// A file or a directory is deleted.
        Delete = "delete",
        /// A file or a directory is moved away.
        Move = "move",
        /// A link is made.
        Link = "link",
        /// Permissions are changed.
        Mode = "mode",
        /// The owner is changed.
        Owner = "owner",
        /// A program runs.
        Run = "run",
        /// Rights of another user are used.
        Privilege = "privilege",
        /// A connection is made.
        Connect = "connect",
        /// Something of this machine goes to another.
        Send = "send",
        /// A shell is handed to another machine.
        Expose = "expose",
        /// A disk or its partitions are changed below the file system.
        Device = "device",
        /// A file system is mounted, unmounted or made.
        Mount = "mount",
        /// The kernel or the machine is controlled: shut down, modules, parameters.
        Machine = "machine",
        /// Processes are ended.
        Process = "process",
        /// A service is controlled.
        Service = "service",
        /// Users, groups or passwords are changed.
        Account = "account",
        /// System packages are changed.
        Package = "package",
        /// Something is arranged to run later, or each time.
        Persist = "persist",
        /// Traces are removed: histories, logs, auditing.
        Tamper = "tamper",
        /// A protection is switched off: a firewall, a sandbox, a check.
        Unprotect = "unprotect",
        /// Secrets are shown.
        Reveal = "reveal",
        /// Work that is not committed is thrown away.
        Discard = "discard",
        /// Names of commits are removed: branches, tags, stashes, the reflog.
        Forget = "forget",
        /// Published history is replaced.
        Overwrite = "overwrite",
        /// A check that the project made for itself is skipped.
        Bypass = "bypass",
        /// A tool is set up so that it runs something.
        Configure = "configure",
        /// A resource elsewhere is destroyed: a database, a cluster, a bucket, a release.
        Destroy = "destroy",
        /// A resource elsewhere is changed.
        Change = "change",
        /// Something is made public, or given away: a release, a package, a permission.
        Publish = "publish",
        /// Money, power or the machine's whole strength is used up.
        Exhaust = "exhaust",
        /// Keys are typed for the user, or text is pasted into a terminal.
        Type = "type",
        /// What a terminal or a screen shows is read.
        Watch = "watch",
        /// What happens cannot be known before it runs.
        Opaque = "opaque",
    }
}

words! {
    /// How it is done.
    Mark,
    /// A set of marks.
    Marks(u128) {
        /// With everything below it.
        Recursive = "recursive",
        /// Without asking, or against an objection.
        Force = "force",
        /// Everything there is.
        All = "all",
        /// Everything in a directory, by a pattern or a search without a name.
        Sweeping = "sweeping",
        /// An unset variable makes the target this one.
        EmptyVariable = "empty-variable",
        /// The target is not known before it runs.
        Unknown = "unknown",
        /// The text was downloaded.
        Downloaded = "downloaded",
        /// The text was decoded or put together, so that nobody can read it.
        Decoded = "decoded",
        /// The text is the output of another program.
        Computed = "computed",
        /// What flows there is secret.
        Secret = "secret",
        /// A program of secrets printed it.
        Revealed = "revealed",
        /// What flows there is the environment.
        Environment = "environment",
        /// What flows there says who and where we are.
        Identity = "identity",
        /// What flows there is a file of this machine.
        File = "file",
        /// As the credential of the call, where it belongs.
        Credential = "credential",
        /// On this machine.
        Local = "local",
        /// By a name that was looked up for it.
        Lookup = "lookup",
        /// The right to run as its owner.
        Setuid = "setuid",
        /// For everybody.
        World = "world",
        /// Can not be changed afterwards, even by its owner.
        Immutable = "immutable",
        /// If nobody else pushed meanwhile.
        Lease = "lease",
        /// The main branch.
        Main = "main",
        /// What git does not know.
        Untracked = "untracked",
        /// What was changed since the last commit.
        Uncommitted = "uncommitted",
        /// On another machine.
        Remote = "remote",
        /// Something is stopped or switched off.
        Stop = "stop",
        /// Something is removed.
        Remove = "remove",
        /// Something is started or switched on.
        Start = "start",
        /// Inside of a container, a cluster or another machine.
        Elsewhere = "elsewhere",
        /// Inside of something that is thrown away anyway.
        Throwaway = "throwaway",
        /// With the rights of the administrator.
        Privileged = "privileged",
        /// Through a shell.
        Shell = "shell",
        /// A list of what would happen, and nothing else.
        DryRun = "dry-run",
        /// A part, chosen by a condition.
        Some = "some",
        /// Later, when nobody watches.
        Later = "later",
        /// A pipe into a program, with whatever is in it.
        Stdin = "stdin",
        /// The program itself decides where it is: not by a search of names.
        Path = "path",
        /// It looks like something else than it is.
        Disguised = "disguised",
        /// Too much to be followed.
        TooMuch = "too-much",
        /// Cannot be read.
        Unreadable = "unreadable",
        /// Only if it is empty.
        Empty = "empty",
        /// By a name that could be any program.
        AnyProgram = "any-program",
        /// Our own protection.
        Guard = "guard",
        /// The bytes of our own program.
        OwnProgram = "own-program",
        /// Production, by its name.
        Production = "production",
        /// The operands are in the directory that `-t` names.
        TargetGiven = "target-given",
        /// The pattern is given by an option.
        PatternGiven = "pattern-given",
        /// It takes things out.
        Extracts = "extracts",
        /// It puts things in.
        Packs = "packs",
        /// It only lists or shows.
        Lists = "lists",
        /// It changes the files that it reads.
        InPlace = "in-place",
        /// It decodes.
        Decodes = "decodes",
        /// It answers help or its version, and nothing else.
        Help = "help",
        /// It asks for each.
        Asks = "asks",
        /// It listens.
        Listens = "listens",
        /// It uploads.
        Uploads = "uploads",
        /// Output goes where an option says.
        OutputGiven = "output-given",
        /// It names its own place, and is fetched from there.
        Url = "url",
        /// Global, for everything and everybody.
        Global = "global",
        /// A symbolic link.
        Symbolic = "symbolic",
        /// Read from a file or from standard input.
        FromFile = "from-file",
        /// A mirror of the whole.
        Mirror = "mirror",
        /// Only the index.
        Staged = "staged",
        /// Something that was hidden away.
        Stash = "stash",
        /// By a pipe of one program's answer into another.
        Piped = "piped",
        /// The whole of the machine's files.
        Host = "host",
        /// An agent that is started without its own checks.
        Unguarded = "unguarded",
        /// It never ends by itself.
        Endless = "endless",
        /// Nobody sees what is in it.
        Unseen = "unseen",
        /// It is typed later, and nobody is told.
        Typed = "typed",
        /// Nothing is typed into it.
        Batch = "batch",
        /// What is written is known, and read by itself.
        Known = "known",
        /// Our entry among the hooks of an agent goes, or is switched off.
        Unhooks = "unhooks",
        /// It goes where nothing is kept for long.
        Lost = "lost",
        /// In an environment that is made for tests, by its name.
        Test = "test",
        /// In a database, a queue or a store.
        Database = "database",
        /// In a container, its image or its volume.
        Container = "container",
        /// In a cluster.
        Cluster = "cluster",
        /// In a cloud or on a platform.
        Cloud = "cloud",
        /// By a description of infrastructure.
        Infrastructure = "infrastructure",
        /// At a code host or in a registry of packages.
        Hosting = "hosting",
        /// The list of the processes that run.
        Processes = "processes",
        /// A coding agent is meant, or what it starts by itself.
        Agent = "agent",
        /// One of our own confirmations is open meanwhile.
        Confirming = "confirming",
        /// Things arrive in it whose names are not known.
        Arrives = "arrives",
        /// Things arrive in it, and none of them is ours.
        Merged = "merged",
        /// No right of the owner is taken away.
        Gives = "gives",
        /// A second name of the same file is made.
        Hard = "hard",
        /// The target itself is meant, and not something in it.
        Exact = "exact",
        /// What it runs sees nothing of the file system but what it is shown.
        Caged = "caged",
        /// What it runs finds other files or variables, and nobody can tell which.
        Veiled = "veiled",
        /// A search for us found it, or one of our files or an agent's settings named it: it may be ours.
        PerhapsOurs = "perhaps-ours",
        /// Files arrive anywhere in the home directory.
        Homewide = "homewide",
    }
}

words! {
    /// Where a path lies: the most specific of what holds.
    Zone,
    /// A set of zones.
    Zones(u32) {
        /// The root of the file system, or of a drive.
        Root = "root",
        /// What the machine needs: `/etc`, `/usr`, other people's homes.
        System = "system",
        /// What is shared on the machine and not needed by it: `/opt/x`, `/usr/local/x`, other people's files.
        Shared = "shared",
        /// The home directory itself, or what it lies in.
        HomeRoot = "home-root",
        /// In the home directory, what a user keeps there: documents, pictures, settings.
        Personal = "personal",
        /// Elsewhere in the home directory.
        Home = "home",
        /// The project itself, or what it lies in.
        ProjectRoot = "project-root",
        /// In the project.
        Project = "project",
        /// What is made by tools and made again: build directories, caches.
        Generated = "generated",
        /// The memory of a repository: `.git`.
        Repository = "repository",
        /// The directory of temporary files itself.
        TemporaryRoot = "temporary-root",
        /// A temporary file.
        Temporary = "temporary",
        /// A disk or another device.
        Device = "device",
        /// Nothing is kept there: `/dev/null`, a terminal.
        Nowhere = "nowhere",
        /// Somewhere else.
        Outside = "outside",
        /// Not known before it runs.
        Unknown = "unknown",
    }
}

words! {
    /// What a path is, wherever it lies.
    Tag,
    /// A set of tags.
    Tags(u32) {
        /// Keys, passwords, tokens.
        Secret = "secret",
        /// What shells read when they start.
        Profile = "profile",
        /// What runs by itself: timers, units, login items, authorised keys.
        Autostart = "autostart",
        /// Settings of coding agents.
        Agent = "agent",
        /// Where agents keep their hooks, and what else decides what they may do.
        AgentHooks = "agent-hooks",
        /// What agents take for instructions, some with commands in them: skills, commands, plugins.
        AgentRuns = "agent-runs",
        /// Our own program, settings and state.
        Checkrein = "checkrein",
        /// What we remember: keys, permits, denials.
        Remembered = "remembered",
        /// A directory that holds our program, our settings, our state, or the file in which an agent is told to ask us.
        Holder = "holder",
        /// What git runs by itself.
        GitHooks = "git-hooks",
        /// Logs of the machine.
        Log = "log",
        /// What a shell remembers of its commands.
        History = "history",
        /// The environment of a process.
        Environ = "environ",
        /// A switch of the kernel.
        Kernel = "kernel",
        /// What people write: code, documents, settings of a project.
        Source = "source",
        /// Settings of a service of the machine, which administrators change.
        Administered = "administered",
        /// A name by which everybody calls a program, in a directory that is searched first.
        Shadow = "shadow",
    }
}
