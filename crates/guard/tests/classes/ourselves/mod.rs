//! The guard protects what is really active: the facts of a machine, not a list of usual paths. One file per class of cases.

mod files;
mod lists;
mod rounds;
mod same;
mod unknown;
mod use_of_ours;

use checkrein_core::Decision::{self, Abstain as Silent, Deny};
use checkrein_guard::{Belonging, BelongingKind, CallContext, FileKind, Identity, Own, World, judge};
use std::collections::BTreeMap;

/// A machine on which the guard runs.
#[derive(Default)]
struct Machine {
    entries: BTreeMap<String, (FileKind, u64)>,
    texts: BTreeMap<&'static str, &'static str>,
    variables: &'static [(&'static str, &'static str)],
    programs: &'static [&'static str],
    before: &'static [&'static str],
    agents: &'static [&'static str],
    folds: bool,
    synonyms: &'static [(&'static str, &'static str)],
    home: Option<&'static str>,
}

impl Machine {
    /// The usual machine: the program in `~/.local/bin`, everything else where it usually is.
    fn usual() -> Self {
        Self { programs: &["/home/dev/.local/bin/checkrein"], ..Self::default() }
            .file("/home/dev/.local/bin/checkrein")
            .file("/home/dev/.local/bin/rg")
            .file("/home/dev/.config/checkrein/config.toml")
            .file("/home/dev/.local/state/checkrein/once/abc")
            .file("/home/dev/.claude/settings.json")
            .file("/home/dev/.codex/hooks.json")
            .file("/home/dev/proj/src/main.rs")
            .file("/home/dev/proj/st/checkrein/once/x")
            .file("/home/dev/proj/plain/readme")
            .file("/home/dev/proj/tools/checkrein")
            .file("/home/dev/proj/tools/rg")
    }

    fn file(self, path: &str) -> Self {
        let inode = self.entries.len() as u64 + 1000;
        self.with(path, FileKind::File, inode)
    }

    fn link(self, path: &str, to: &str) -> Self {
        let inode = self.entries.len() as u64 + 1000;
        self.with(path, FileKind::Link(to.to_owned()), inode)
    }

    /// A second name of what is at another path.
    fn same(mut self, path: &str, as_at: &str) -> Self {
        let (entry, inode) = self.entries[as_at].clone();
        self = self.with(path, entry, inode);
        self
    }

    fn with(mut self, path: &str, entry: FileKind, inode: u64) -> Self {
        let mut parent = path;
        while let Some((above, _)) = parent.rsplit_once('/').filter(|(above, _)| !above.is_empty()) {
            let inode = self.entries.len() as u64 + 1000;
            self.entries.entry(above.to_owned()).or_insert((FileKind::Directory, inode));
            parent = above;
        }
        let inode = if self.entries.values().any(|(known, number)| *number == inode && *known != entry) {
            self.entries.len() as u64 + 5000
        } else {
            inode
        };
        self.entries.insert(path.to_owned(), (entry, inode));
        self
    }
}

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some(self.home.unwrap_or("/home/dev").to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        self.entries.get(path).map(|(entry, _)| entry.clone())
    }

    fn text(&self, path: &str) -> Option<String> {
        self.texts.get(path).map(|text| (*text).to_owned())
    }

    fn own(&self) -> Option<&dyn Own> {
        Some(self)
    }
}

impl Own for Machine {
    fn belongings(&self, _: Option<&str>) -> Vec<Belonging> {
        let before = self.before.iter();
        let before = before.map(|path| Belonging { path: (*path).to_owned(), kind: BelongingKind::Before });
        self.programs.iter().copied().map(Belonging::ours).chain(before).collect()
    }

    fn agents(&self) -> Vec<String> {
        self.agents.iter().map(|path| (*path).to_owned()).collect()
    }

    fn identity(&self, path: &str) -> Option<Identity> {
        let (_, inode) = self.entries.get(path)?;
        let links = self.entries.values().filter(|(_, other)| other == inode).count() as u64;
        Some(Identity { device: 1, inode: *inode, links })
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let inside = format!("{directory}/");
        let names = self.entries.keys().filter_map(|path| path.strip_prefix(&inside));
        names.filter(|name| !name.contains('/')).map(str::to_owned).collect()
    }

    fn folds(&self, _: &str) -> bool {
        self.folds
    }

    fn synonyms(&self) -> &'static [(&'static str, &'static str)] {
        self.synonyms
    }
}

fn place(world: &Machine) -> CallContext {
    let project = Some(format!("{}/proj", world.home().unwrap()));
    CallContext { cwd: project.clone(), project, ..CallContext::default() }
}

/// Asserts the decision on each text, as it is and inside wrappers.
fn group(world: &Machine, cases: &[(&str, Decision)]) {
    let mut wrong = Vec::new();
    for (text, expect) in cases {
        let quoted = format!("'{}'", text.replace('\'', r"'\''"));
        let wrapped = [
            (*text).to_owned(),
            format!("bash -c {quoted}"),
            format!("true && {{ {text}; }}"),
            format!("eval {quoted}"),
            format!("nohup sh -c {quoted} >/dev/null 2>&1 &"),
        ];
        for text in wrapped {
            let judgement = judge(&text, &place(world), world);
            if judgement.decision != *expect {
                let rules: Vec<_> =
                    judgement.findings.iter().map(|finding| finding.rule.id.to_string()).collect();
                wrong.push(format!("{expect}, but {}: {text:?} {rules:?}", judgement.decision));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Asserts that the dangerous texts are denied wherever our files are, and that their harmless twins are not. `{x}`
/// are the paths of this machine.
fn everything(world: &Machine, paths: &[(&str, &str)], dangerous: &[&str], harmless: &[&str]) {
    let fill = |text: &str| paths.iter().fold(text.to_owned(), |text, (name, path)| text.replace(name, path));
    let dangerous: Vec<String> = dangerous.iter().map(|text| fill(text)).collect();
    let harmless: Vec<String> = harmless.iter().map(|text| fill(text)).collect();
    let cases: Vec<(&str, Decision)> = dangerous
        .iter()
        .map(|text| (text.as_str(), Deny))
        .chain(harmless.iter().map(|text| (text.as_str(), Silent)))
        .collect();
    group(world, &cases);
}
