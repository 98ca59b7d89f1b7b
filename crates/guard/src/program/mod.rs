//! The table of programs: which arguments are paths, hosts and commands, and which options change what happens.
//!
//! It is data (`programs/*.toml`), compiled in by `build.rs`. A program that is not in the table runs, and no more is said
//! about it.

mod arguments;
pub(crate) mod environment;
#[allow(unreachable_pub, dead_code, reason = "the macro of the vocabulary makes it public")]
mod flag;

pub(crate) use crate::eval::Handler;
pub(crate) use arguments::{Parsed, parse};
pub(crate) use flag::{ParseFlag, ParseFlags};

use crate::{
    data::{FAMILIES, FAMILY_KEYS, PROGRAMS},
    glob,
    qualities::Qualities,
    vocabulary::Action,
};

/// What the table says about a program, or about one of its subcommands.
#[derive(Debug)]
pub(crate) struct Program {
    /// The program and the words that select the subcommand; the latter may be patterns.
    pub(crate) name: &'static [&'static str],
    pub(crate) options: &'static [OptionSpec],
    pub(crate) operands: &'static [Operand],
    /// Other operands, if these qualities hold. The first that fits counts.
    pub(crate) cases: &'static [(Qualities, &'static [Operand])],
    /// What it does, besides what its operands say.
    pub(crate) does: &'static [StaticEffect],
    /// How it does it, always.
    pub(crate) qualities: Qualities,
    /// What running a command through it means.
    pub(crate) wraps: Wraps,
    /// What it prints.
    pub(crate) prints: Prints,
    pub(crate) style: Style,
    /// What sets it apart from other programs with the same roles.
    pub(crate) traits: &'static [Trait],
    /// The code for what the table cannot say.
    pub(crate) handler: Option<Handler>,
}

impl Program {
    /// Returns whether the program, or the one that it is a subcommand of, has a trait.
    pub(crate) fn has(&self, wanted: Trait) -> bool {
        let root = || self.name.first().filter(|_| self.name.len() > 1).and_then(|name| find(name));
        self.traits.contains(&wanted) || root().is_some_and(|root| root.traits.contains(&wanted))
    }
}

/// Where a program stands with its subcommands.
#[derive(Debug)]
pub(crate) struct ProgramGroup {
    pub(crate) name: &'static str,
    /// Its place in the table.
    pub(crate) first: u16,
    /// How many entries it has.
    pub(crate) count: u16,
}

/// An option.
#[derive(Debug)]
pub(crate) struct OptionSpec {
    pub(crate) names: &'static [&'static str],
    /// What it says of the command; nothing, for most options.
    pub(crate) says: Qualities,
    pub(crate) value: Value,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    None,
    /// The rest of the word, or the next one.
    Required(Role),
    /// Only what is joined to it.
    Optional(Role),
    /// The next two words.
    Two(Role, Role),
}

/// An operand, or any number of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) role: Role,
    pub(crate) many: bool,
}

/// An effect of the program itself.
#[derive(Debug)]
pub(crate) struct StaticEffect {
    pub(crate) action: Action,
    pub(crate) qualities: Qualities,
    pub(crate) when: Qualities,
    pub(crate) unless: Qualities,
}

macro_rules! names {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $variant:ident,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($(#[doc = $doc])+ $variant,)+ }
    };
}

names! {
    /// What an operand, or the value of an option, is.
    Role {
        /// Data, and nothing else.
        Text,
        /// A file that is read.
        Read,
        /// A file that is written.
        Write,
        /// A file that is added to, or changed in part.
        Append,
        /// A file that is made empty or cut.
        Truncate,
        /// A file or directory that is made.
        Create,
        /// A file or directory that is deleted.
        Delete,
        /// A file or directory that is moved away.
        Source,
        /// A file whose permissions change.
        Mode,
        /// A file whose owner changes.
        Owner,
        /// A link that is made.
        Link,
        /// A place that something is mounted on, taken from or shown at.
        Mount,
        /// A file that is run.
        Exec,
        /// From here on: a command with its arguments.
        Command,
        /// From here on: words that are joined to a text for a shell.
        Script,
        /// A command of an editor or a debugger, which may go on to a shell.
        Escape,
        /// A text for a shell.
        Shell,
        /// The same on another machine.
        ShellThere,
        /// The program of a command whose arguments come later.
        Started,
        /// A command whose words are separated by commas.
        Commas,
        /// `keys: command`, as a shell binds keys.
        Binding,
        /// A file of settings, some of which are commands.
        Settings,
        /// A library that is loaded.
        Library,
        /// A file that is written, or after `|` or `!` a command that reads what would be written.
        Outlet,
        /// How many bytes a file is made of.
        Size,
        /// The same for a file with holes.
        Extent,
        /// How many bytes of its input it prints.
        Amount,
        /// A file that is shown, or after `+` a command of what shows it.
        View,
        /// An address.
        Url,
        /// A machine.
        Host,
        /// A thing that has a name: a service, a branch, a table.
        Name,
        /// Data that is sent; `@file` is a file.
        Data,
        /// A file that is sent.
        Upload,
        /// A field of a form; `name=@file` is a file.
        Form,
        /// A header of a request.
        Header,
        /// A user and a password.
        Login,
        /// The directory in which it works.
        Directory,
        /// `NAME=value` for the environment.
        Assignment,
        /// A file that is read, here or on another machine (`host:path`).
        RemoteRead,
        /// A file that is written, here or on another machine.
        RemoteWrite,
        /// A directory in which files arrive whose names are not known here.
        Into,
        /// A file that is made, or a directory in which files arrive.
        Made,
        /// `NAME=directory` for a builder; some of the names say where files arrive.
        Prefix,
        /// A process.
        Pid,
        /// A permission.
        Permission,
        /// A package, perhaps from an address.
        Package,
        /// `host:inside` of a container.
        Volume,
        /// The file `dd` names: `if=`, `of=`.
        Pair,
        /// An address of `socat`.
        Endpoint,
        /// A text for a database.
        Statement,
        /// Settings of an agent: JSON, or a file of it.
        AgentSettings,
        /// Which sources of settings an agent reads.
        AgentSources,
        /// Servers that an agent starts: JSON, or a file of it.
        AgentServers,
        /// Agents that another one is told about: JSON, or a file of it.
        AgentDefinitions,
        /// A feature of an agent that is switched.
        AgentFeature,
        /// `key=value` over an agent's configuration.
        AgentOverride,
        /// A path that the command which it runs sees empty, or not at all.
        Hidden,
        /// What that command sees at the next path.
        From,
        /// A path at which that command sees something else.
        At,
        /// Both in one word, `from:at`.
        Bound,
        /// A path of the home directory; nothing else of that directory is seen.
        Only,
        /// The directory that is the root for that command.
        Root,
        /// `Name=value` of a unit, which may say one of these.
        Property,
        /// A file of `NAME=value` for the environment.
        Variables,
        /// A variable that the environment has no longer.
        Unset,
        /// Which of several surroundings: a context, a namespace, a stage, a profile, or the file that describes one.
        Environment,
    }
}

names! {
    /// What running a command through a program means.
    Wraps {
        /// It runs as if it stood alone.
        Plainly,
        /// With the rights of another user.
        Privileged,
        /// On another machine, or in a container that lives on.
        Elsewhere,
        /// In a container that is thrown away.
        Throwaway,
        /// Later.
        Later,
        /// As the program of a package, by the name of the package, perhaps with a version.
        Packaged,
    }
}

names! {
    /// What a program prints.
    Prints {
        /// Something that depends on what it read.
        Something,
        /// Nothing that matters.
        Nothing,
        /// Its arguments.
        Arguments,
        /// Its input as it is.
        Input,
        /// The names of its operands, or of what is in them.
        Paths,
        /// Where the programs are that it was given.
        Programs,
        /// What it downloaded.
        Download,
        /// Its input, decoded or put together anew.
        Decoded,
        /// A secret.
        Secret,
        /// The environment.
        Environment,
        /// Who or where we are.
        Identity,
        /// A new temporary file.
        Temporary,
        /// The working directory.
        Directory,
        /// Its operands, with links followed.
        Resolved,
        /// The directories that hold its operands.
        Parents,
        /// The last part of its operand, without the ending that it is given.
        Basename,
        /// Its input, with characters replaced or reversed.
        Changed,
        /// Numbers, sums, sizes: nothing of what it read.
        Figures,
        /// The names of all there is of a kind, unless some are chosen.
        Everything,
    }
}

names! {
    /// What sets a program apart from others whose operands have the same roles.
    Trait {
        /// It keeps what it downloads in a file, also without an option.
        KeepsDownload,
        /// It copies files and shows nothing of them.
        Copies,
        /// A directory that it moves onto another one takes the place of that.
        TakesPlace,
        /// `directory/` means what is in the directory.
        SlashMeansContents,
        /// With a recursive option it copies what is below a name.
        CopiesBelow,
        /// In what it reads, `!` begins a command for a shell, and lines fetch files.
        Escapes,
        /// A client of a code host, which knows where it goes.
        CodeHost,
        /// It runs the scripts of a package at its own events.
        PackageManager,
        /// A package without the name of a program runs the package's own.
        Flakes,
        /// It may log in to this very machine.
        LogsIn,
        /// The texts that it runs are in Ruby.
        Ruby,
        /// The texts that it runs are in PHP.
        Php,
    }
}

names! {
    /// How options are written.
    Style {
        /// Anywhere, with long names that may be shortened.
        Gnu,
        /// Before the first operand.
        Posix,
        /// Long names with one dash.
        Dash,
        /// There are none.
        Bare,
    }
}

/// What the table says about a program with these arguments before it: the entry, its own options read, and the rest.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    // Every program has an entry of its own, before those of its subcommands.
    family(name).first()
}

/// The subcommands of a program that a word may select: the one of that name, then patterns, those first that say more.
pub(crate) fn subcommands(program: &'static Program, word: &str) -> Vec<&'static Program> {
    let [first, ..] = program.name else { return Vec::new() };
    let depth = program.name.len();
    let step = |entry: &&'static Program| entry.name.last().copied().unwrap_or_default();
    let mut found: Vec<&'static Program> = family(first)
        .iter()
        .filter(|entry| entry.name.len() == depth + 1 && entry.name.starts_with(program.name))
        .filter(|entry| step(entry) == word || glob::matches(step(entry), word))
        .collect();
    let said =
        |entry: &&'static Program| step(entry).chars().filter(|char| !matches!(char, '*' | '?')).count();
    found.sort_by_key(|entry| (step(entry) != word, std::cmp::Reverse(said(entry))));
    found
}

/// All names that the table knows.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|family| family.name)
}

/// The program with all of its subcommands.
fn family(name: &str) -> &'static [Program] {
    let key = beginning(name);
    // Names are elsewhere, and each of them may be on a page that nobody has touched yet: so only those are looked at that
    // begin in the same way.
    let place = FAMILY_KEYS.partition_point(|known| *known < key);
    let same = FAMILY_KEYS.iter().skip(place).take_while(|known| **known == key).count();
    let mut families = FAMILIES.iter().skip(place).take(same);
    let found = families.find(|family| family.name == name).and_then(|family| {
        let first = usize::from(family.first);
        PROGRAMS.get(first..first + usize::from(family.count))
    });
    found.unwrap_or_default()
}

/// The first bytes of a name as a number, in the order of names; `build.rs` has the same.
fn beginning(name: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_table_is_found_and_no_other() {
        for family in FAMILIES {
            let name = family.name;
            let found = find(name).map(|program| program.name);
            // Another name of a program leads to the entry of that program, which stands under its own name as well.
            let own = FAMILIES.iter().filter(|other| other.first == family.first).map(|other| [other.name]);
            let own: Vec<_> = own.filter(|own| found == Some(own.as_slice())).collect();
            assert_eq!(own.len(), 1, "{name}: {found:?}");
            let place = PROGRAMS.get(usize::from(family.first)).map(|program| program.name);
            assert_eq!(found, place, "{name}");
            assert!(find(&format!("{name}-that-nobody-has")).is_none());
        }
        assert_eq!(find("k").map(|program| program.name), Some(["kubectl"].as_slice()));
        assert_eq!(find("ls").map(|program| program.name), Some(["ls"].as_slice()));
        assert!(find("").is_none());
    }
}
