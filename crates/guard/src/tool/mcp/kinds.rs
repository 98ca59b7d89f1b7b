//! Tables of the words by which MCP servers and their tools are recognized.

use crate::tool::reading::Language;
use crate::{Action, Domain};

/// Words of tools that run commands.
pub(super) const SHELLS: &[&str] = &[
    "shell",
    "bash",
    "sh",
    "zsh",
    "terminal",
    "command",
    "commands",
    "cmd",
    "exec",
    "execute",
    "run",
    "powershell",
    "pwsh",
    "process",
    "ssh",
    "console",
];

/// Words of tools into which something is typed.
pub(super) const CONSOLES: &[&str] = &[
    "tmux",
    "screen",
    "zellij",
    "iterm",
    "kitty",
    "wezterm",
    "terminal",
    "pty",
    "tty",
    "console",
    "repl",
    "stdin",
    "interact",
    "process",
    "session",
    "keys",
    "keystrokes",
    "shell",
];

/// Words of tools that run a program text, so that their source is one.
pub(super) const RUNNERS: &[&str] = &[
    "cell",
    "cells",
    "jupyter",
    "ipython",
    "kernel",
    "repl",
    "evaluate",
    "eval",
    "interpreter",
    "python",
    "node",
    "javascript",
    "code",
    "snippet",
];

/// Words of tools whose program runs in a page.
pub(super) const PAGES: &[&str] = &[
    "browser",
    "page",
    "playwright",
    "puppeteer",
    "chrome",
    "devtools",
    "selenium",
    "webdriver",
    "tab",
    "evaluate",
];

/// Words of tools that fill a file of this machine with what is elsewhere.
pub(super) const FILLING: &[&str] = &["download", "pull", "fetch", "export", "save", "get"];

/// Words of tools that only look for something.
pub(super) const SEARCHING: &[&str] = &["search", "find", "list", "lookup", "docs", "context", "get"];

/// Words of tools whose arguments are for people to read.
pub(super) const TELLING: &[&str] = &[
    "issue", "ticket", "comment", "message", "page", "note", "notes", "document", "email", "mail", "review",
    "post", "search", "memory", "thinking",
];

/// Programs of the command line that tools are called after.
pub(super) const PROGRAMS: &[&str] =
    &["kubectl", "helm", "gcloud", "aws", "az", "terraform", "tofu", "pulumi", "heroku", "flyctl", "oc"];

/// Words of tools that run a language which is not read here.
pub(super) const FOREIGN: &[&str] =
    &["r", "matlab", "elisp", "emacs", "julia", "octave", "golang", "elixir", "vim", "neovim", "gdb"];

/// How the key is called that ends a line.
pub(super) const ENTERS: &[&str] =
    &["Enter", "Return", "C-m", "C-j", "KPEnter", "<Enter>", "<CR>", "\\n", "\\r"];

/// Tools of hosts whose arguments are for people and models to read: nothing in them is run or opened.
pub(super) fn is_prose(name: &str) -> bool {
    const PROSE: &[&str] = &[
        "ReportFindings",
        "SendFeedback",
        "SendMessage",
        "PushNotification",
        "ProposeGoal",
        "ScheduleWakeup",
        "CronCreate",
        "CronDelete",
        "CronList",
        "RemoteTrigger",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskUpdate",
        "TaskStop",
        "TaskOutput",
        "KillShell",
        "KillBash",
        "BashOutput",
        "ToolSearch",
        "ListMcpResources",
        "RefreshMcpTools",
        "ReadNotifications",
        "SlashCommand",
        "Skill",
        "skill",
        "ClaudeDesign",
        "update_plan",
        "todowrite",
        "todoread",
        "todo_write",
        "save_memory",
        "ask_followup_question",
        "attempt_completion",
        "new_task",
        "request_user_input",
        "send_message",
        "wait_agent",
        "close_agent",
        "wait",
        "think",
        "google_web_search",
    ];
    PROSE.contains(&name)
}

/// The language that a word in the name of a tool or a server says.
pub(super) fn language(word: &str) -> Option<Language> {
    match word {
        // These say that commands or programs are run, and not in which language.
        "command" | "console" | "shell" | "make" | "code" => None,
        "notebook" | "kernel" | "ide" => Language::named("python"),
        "workflow" => Language::named("javascript"),
        word => Language::named(word).filter(|language| *language != Language::Shell),
    }
}

/// Words of tools and servers that are about files of this machine.
pub(super) const FILES: &[&str] = &[
    "file",
    "files",
    "filesystem",
    "fs",
    "directory",
    "folder",
    "path",
    "notebook",
    "editor",
    "desktop",
    "disk",
];

/// Words of tools that take something away for good.
pub(super) const TAKING: &[&str] = &[
    "delete",
    "drop",
    "destroy",
    "purge",
    "truncate",
    "terminate",
    "wipe",
    "flush",
    "flushall",
    "flushdb",
    "uninstall",
    "revoke",
    "reset",
];

/// Words for a part of what is kept, which is taken away every day.
pub(super) const SMALL: &[&str] = &[
    "row",
    "record",
    "item",
    "entry",
    "document",
    "key",
    "comment",
    "message",
    "label",
    "reaction",
    "annotation",
    "pod",
];

/// Where a command runs, if it is not here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On another machine, or in a container that lives on.
    Elsewhere,
    /// In something that is thrown away.
    Sandbox,
}

impl Place {
    /// The command that runs another one there.
    pub(super) fn words(self) -> &'static [&'static str] {
        match self {
            Self::Elsewhere => &["docker", "exec", "box"],
            Self::Sandbox => &["docker", "run", "--rm", "image"],
        }
    }
}

/// Words that say where commands run.
pub(super) const REMOTE: &[(&str, Place)] = &[
    ("ssh", Place::Elsewhere),
    ("remote", Place::Elsewhere),
    ("kubernetes", Place::Elsewhere),
    ("k8s", Place::Elsewhere),
    ("kubectl", Place::Elsewhere),
    ("pod", Place::Elsewhere),
    ("container", Place::Elsewhere),
    ("docker", Place::Elsewhere),
    ("sandbox", Place::Sandbox),
    ("e2b", Place::Sandbox),
    ("interpreter", Place::Sandbox),
];

/// Servers that keep something for others.
pub(super) struct Family {
    pub(super) words: &'static [&'static str],
    pub(super) domain: Domain,
}

/// The families of servers, and what they keep.
pub(super) const FAMILIES: &[Family] = &[
    Family {
        words: &["github", "gitlab", "gitea", "bitbucket", "forgejo", "npm", "pypi", "huggingface"],
        domain: Domain::Hosting,
    },
    Family {
        words: &["kubernetes", "k8s", "kubectl", "helm", "argocd", "openshift"],
        domain: Domain::Cluster,
    },
    Family { words: &["docker", "podman", "portainer"], domain: Domain::Container },
    Family { words: &["terraform", "pulumi", "ansible", "nomad", "vault"], domain: Domain::Infrastructure },
    Family {
        words: &[
            "postgres",
            "postgresql",
            "pg",
            "mysql",
            "mariadb",
            "sqlite",
            "duckdb",
            "clickhouse",
            "snowflake",
            "bigquery",
            "mssql",
            "sqlserver",
            "oracle",
            "database",
            "db",
            "dbhub",
            "supabase",
            "neon",
            "planetscale",
            "turso",
            "mongodb",
            "mongo",
            "redis",
            "elasticsearch",
            "opensearch",
            "neo4j",
            "qdrant",
            "pinecone",
            "weaviate",
            "sql",
        ],
        domain: Domain::Database,
    },
    Family {
        words: &[
            "aws",
            "gcp",
            "gcloud",
            "azure",
            "cloudflare",
            "vercel",
            "netlify",
            "heroku",
            "fly",
            "s3",
            "digitalocean",
            "firebase",
            "railway",
            "render",
            "hetzner",
            "stripe",
            "drive",
            "dropbox",
            "gcs",
        ],
        domain: Domain::Cloud,
    },
];

/// A client on the command line that takes the same statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Client {
    Postgres,
    MySql,
    Sqlite,
    DuckDb,
    ClickHouse,
    SqlServer,
}

impl Client {
    /// The client with a statement for a database.
    pub(super) fn arguments(self, database: Option<&str>, statement: &str) -> Vec<String> {
        let database = database.unwrap_or("database");
        let words: [&str; 5] = match self {
            Self::Postgres => ["psql", "-d", database, "-c", statement],
            Self::MySql => ["mysql", "-D", database, "-e", statement],
            Self::Sqlite => ["sqlite3", "-batch", "-bail", database, statement],
            Self::DuckDb => ["duckdb", "-batch", "-bail", database, statement],
            Self::ClickHouse => ["clickhouse-client", "-d", database, "-q", statement],
            Self::SqlServer => ["sqlcmd", "-d", database, "-Q", statement],
        };
        words.map(str::to_owned).to_vec()
    }
}

/// The client of a server for databases, by its words.
pub(super) fn client(all: &[String]) -> Option<Client> {
    const CLIENTS: &[(&str, Client)] = &[
        ("mysql", Client::MySql),
        ("mariadb", Client::MySql),
        ("planetscale", Client::MySql),
        ("bigquery", Client::MySql),
        ("sqlite", Client::Sqlite),
        ("turso", Client::Sqlite),
        ("d1", Client::Sqlite),
        ("duckdb", Client::DuckDb),
        ("motherduck", Client::DuckDb),
        ("clickhouse", Client::ClickHouse),
        ("mssql", Client::SqlServer),
        ("sqlserver", Client::SqlServer),
        ("postgres", Client::Postgres),
        ("postgresql", Client::Postgres),
        ("pg", Client::Postgres),
        ("supabase", Client::Postgres),
        ("neon", Client::Postgres),
        ("snowflake", Client::Postgres),
        ("database", Client::Postgres),
        ("db", Client::Postgres),
        ("dbhub", Client::Postgres),
        ("sql", Client::Postgres),
    ];
    CLIENTS.iter().find(|(word, _)| all.iter().any(|known| known == word)).map(|(_, client)| *client)
}

/// Words of tools that put something where they are told.
pub(super) const FILLS: &[&str] = &[
    "clone",
    "extract",
    "unzip",
    "untar",
    "unpack",
    "decompress",
    "backup",
    "export",
    "screenshot",
    "snapshot",
    "record",
    "symlink",
    "link",
    "mount",
    "restore",
    "sync",
    "install",
    "init",
    "generate",
    "render",
    "dump",
    "checkout",
    "pull",
];

/// Words of tools that open or close something for others.
pub(super) const OPENS: &[&str] = &["chmod", "chown", "permissions", "acl", "chattr"];

/// Returns what a tool does to files, by its words. [`Action::Run`] stands for those that only list names.
pub(super) fn action(tool: &[String]) -> Option<Action> {
    const ACTIONS: &[(&[&str], Action)] = &[
        (&["delete", "remove", "unlink", "rm"], Action::Delete),
        (&["move", "rename", "mv"], Action::Move),
        (&["edit", "update", "modify", "append", "insert", "replace", "patch", "str"], Action::Append),
        (
            &["write", "create", "save", "put", "overwrite", "screenshot", "export", "download", "record"],
            Action::Write,
        ),
        (
            &[
                "list", "search", "tree", "stat", "info", "exists", "watch", "find", "allowed", "enter",
                "worktree",
            ],
            Action::Run,
        ),
        (&["read", "get", "view", "cat", "open", "load", "copy", "cp", "upload", "publish"], Action::Read),
    ];
    let found =
        ACTIONS.iter().find(|(words, _)| words.iter().any(|word| tool.iter().any(|known| known == word)));
    found.map(|(_, action)| *action)
}
