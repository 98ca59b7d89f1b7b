//! The zones and tags of paths.

super::words! {
    /// The zone of a path: the most specific one that applies.
    Zone,
    /// A set of zones.
    Zones(u32) {
        /// The path is the root of the file system or of a drive.
        Root = "root",
        /// The machine needs the path: `/etc`, `/usr`, the home directories of other users.
        System = "system",
        /// The path is shared on the machine, which does not need it: `/opt/x`, `/usr/local/x`, files of other users.
        Shared = "shared",
        /// The path is the home directory or contains it.
        HomeRoot = "home-root",
        /// The path is something that a user keeps in the home directory: documents, pictures, settings.
        Personal = "personal",
        /// The path is elsewhere in the home directory.
        Home = "home",
        /// The path is the project or contains it.
        ProjectRoot = "project-root",
        /// The path is in the project.
        Project = "project",
        /// Tools create the path and can create it again: build directories, caches.
        Generated = "generated",
        /// The path is in the history of a repository: `.git`.
        Repository = "repository",
        /// The path is the directory of temporary files.
        TemporaryRoot = "temporary-root",
        /// The path is a temporary file.
        Temporary = "temporary",
        /// The path is a disk or another device.
        Device = "device",
        /// The path keeps nothing: `/dev/null`, a terminal.
        Nowhere = "nowhere",
        /// The path is somewhere else.
        Outside = "outside",
        /// The path is not known before the call runs.
        Unknown = "unknown",
    }
}

super::words! {
    /// The nature of a path, in any zone.
    Tag,
    /// A set of tags.
    Tags(u32) {
        /// The path holds keys, passwords or tokens.
        Secret = "secret",
        /// Shells read the path when they start.
        Profile = "profile",
        /// A program runs or obeys the path when it starts.
        Startup = "startup",
        /// The path runs by itself: timers, units, login items, authorized keys.
        Autostart = "autostart",
        /// The path holds settings of coding agents.
        Agent = "agent",
        /// The path holds an agent's hooks, or decides in another way what the agent may do.
        AgentHooks = "agent-hooks",
        /// The path holds instructions for agents, some with commands: skills, commands, plugins.
        AgentRuns = "agent-runs",
        /// The path is Checkrein's program, settings or state.
        Checkrein = "checkrein",
        /// The path holds Checkrein's memory: keys, permissions, denials.
        Remembered = "remembered",
        /// The path is a directory with our program, our settings, our state, or the file in which an agent is told to ask us.
        Holder = "holder",
        /// Git runs the path by itself.
        GitHooks = "git-hooks",
        /// The path is a log of the machine.
        Log = "log",
        /// The path holds the commands that a shell remembers.
        History = "history",
        /// The path is the environment of a process.
        Environ = "environ",
        /// The path is a setting of the kernel.
        Kernel = "kernel",
        /// The path is written by users: code, documents, settings of a project.
        Source = "source",
        /// The path holds settings of a service, which administrators change.
        Administered = "administered",
        /// The path has the name of a common program, in a directory that is searched first.
        Shadow = "shadow",
    }
}
