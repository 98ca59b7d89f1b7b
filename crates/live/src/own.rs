//! The user's own setup of an agent, copied into a sandbox.
//!
//! This user's files decide if *this* machine is protected, so those files are tested. The agent sees copies at the
//! paths of the originals: Codex binds its trust to the path, and a relative hook to the directory. The home and the
//! project around them are empty except for directories with programs, which are read-only. So none of the user's
//! files is changed, and what the copies leave out (see [`crate::copy`]) does not exist there.

use crate::{Workdir, copy, mounts::managed};
pub use checkrein_hosts::doctor::Content as Form;
use checkrein_hosts::install::{Recipe, quoted};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// The user's own setup of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The user's home.
    pub home: PathBuf,
    /// The project: the repository, or the directory that the agent is started in.
    pub project: PathBuf,
    /// The directory that the agent is started in.
    pub cwd: PathBuf,
    /// The agent's directory.
    pub directory: PathBuf,
    /// True if a variable of the agent names it.
    pub is_named: bool,
    /// The files that decide if hooks run.
    pub files: Vec<OwnFile>,
    /// The programs that the agent and its hooks start.
    pub programs: Vec<PathBuf>,
    /// The user's variables that disable hooks.
    pub switches: Vec<(String, String)>,
}

/// One of the user's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFile {
    /// The path.
    pub path: PathBuf,
    /// The content, if it can be read.
    pub text: Option<String>,
    /// The kind of the file.
    pub form: Form,
}

/// The machine as the agent sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub(crate) home: PathBuf,
    /// The directory in which it is started.
    pub(crate) cwd: PathBuf,
    /// The agent's directory.
    pub(crate) directory: PathBuf,
    /// True if the agent's variable names it.
    pub(crate) is_named: bool,
    /// Additional variables.
    pub(crate) switches: Vec<(String, String)>,
    /// The bind mounts, in order.
    pub(crate) binds: Vec<Bind>,
    /// True if it is the user's own setup.
    pub(crate) is_own: bool,
}

/// A directory or file that is mounted over another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bind {
    pub(crate) from: PathBuf,
    pub(crate) at: PathBuf,
    pub(crate) is_read_only: bool,
}

impl Stage {
    /// Creates a home and a project without any files of the user.
    pub(crate) fn scratch(workdir: &Workdir, directory: &str) -> Self {
        Self {
            home: workdir.home(),
            cwd: workdir.project(),
            directory: workdir.home().join(directory),
            is_named: false,
            switches: Vec::new(),
            binds: Vec::new(),
            is_own: false,
        }
    }

    /// Copies the user's own setup below `workdir`, and lists the mounts that put it where the original is.
    pub(crate) fn own(workdir: &Workdir, own: &Own) -> io::Result<Self> {
        let mut roots = Roots::default();
        if own.home.parent().is_some() && own.home.is_dir() {
            roots.add(&own.home, workdir.home());
        }
        let mut directories: BTreeSet<&Path> =
            own.files.iter().filter_map(|file| file.path.parent()).collect();
        directories.insert(&own.directory);
        for directory in managed().into_iter().chain([own.project.as_path()]).chain(directories) {
            roots.make(directory, workdir);
        }
        for file in &own.files {
            if let Some(at) = roots.of(&file.path) {
                let copy = copy::copy(file, own, &quoted(&workdir.foreign().to_string_lossy()));
                if file.form == Form::Ours {
                    Workdir::write_program(&at, &copy)?;
                } else {
                    Workdir::write(&at, &copy)?;
                }
            }
        }
        for directory in [&own.cwd, &own.directory] {
            if let Some(at) = roots.of(directory) {
                fs::create_dir_all(at)?;
            }
        }
        // An agent finds the root of a project by it.
        if let (true, Some(project)) = (own.project.join(".git").exists(), roots.of(&own.project)) {
            fs::create_dir_all(project.join(".git"))?;
        }
        let mut binds = Vec::new();
        if let Some(at) = roots.of(workdir.directory()) {
            fs::create_dir_all(&at)?;
            binds.push(Bind { from: workdir.directory().to_owned(), at, is_read_only: false });
        }
        for program in &own.programs {
            let real = program.canonicalize().unwrap_or_else(|_| program.clone());
            for program in [program, &real] {
                binds.extend(roots.show(program, &binds)?);
            }
        }
        binds.extend(roots.0.into_iter().map(|root| Bind {
            from: root.scratch,
            at: root.at,
            is_read_only: false,
        }));
        Ok(Self {
            home: own.home.clone(),
            cwd: own.cwd.clone(),
            directory: own.directory.clone(),
            is_named: own.is_named,
            switches: own.switches.clone(),
            binds,
            is_own: true,
        })
    }

    pub(crate) fn json(&self) -> io::Result<Value> {
        let binds: io::Result<Vec<Value>> = self
            .binds
            .iter()
            .map(|bind| Ok(json!([text(&bind.from)?, text(&bind.at)?, bind.is_read_only])))
            .collect();
        Ok(json!({
            "home": text(&self.home)?,
            "cwd": text(&self.cwd)?,
            "directory": text(&self.directory)?,
            "is_named": self.is_named,
            "switches": self.switches,
            "binds": binds?,
            "is_own": self.is_own,
        }))
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let path = |key: &str| Some(PathBuf::from(value.get(key)?.as_str()?));
        let flag = |key: &str| value.get(key)?.as_bool();
        let bind = |bind: &Value| {
            let [from, at, read_only] = bind.as_array()?.as_slice() else { return None };
            Some(Bind {
                from: from.as_str()?.into(),
                at: at.as_str()?.into(),
                is_read_only: read_only.as_bool()?,
            })
        };
        let switch = |switch: &Value| {
            let [name, value] = switch.as_array()?.as_slice() else { return None };
            Some((name.as_str()?.to_owned(), value.as_str()?.to_owned()))
        };
        Some(Self {
            home: path("home")?,
            cwd: path("cwd")?,
            directory: path("directory")?,
            is_named: flag("is_named")?,
            switches: value.get("switches")?.as_array()?.iter().map(switch).collect::<Option<_>>()?,
            binds: value.get("binds")?.as_array()?.iter().map(bind).collect::<Option<_>>()?,
            is_own: flag("is_own")?,
        })
    }
}

/// Returns a path as a string for the plan.
pub(crate) fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::other(format!("`{}` is no text", path.display())))
}

/// Directories of the machine that are replaced by directories of the scratch directory.
#[derive(Default)]
struct Roots(Vec<Root>);

struct Root {
    at: PathBuf,
    /// The path with links resolved.
    real: PathBuf,
    scratch: PathBuf,
}

impl Roots {
    fn add(&mut self, at: &Path, scratch: PathBuf) {
        let real = at.canonicalize().unwrap_or_else(|_| at.to_owned());
        self.0.push(Root { at: at.to_owned(), real, scratch });
    }

    /// Replaces `directory`, unless it is already below a replaced one, if that is possible: it exists, and
    /// no other replaced directory is below it.
    fn make(&mut self, directory: &Path, workdir: &Workdir) {
        let is_above = |root: &Root| root.at.starts_with(directory) || root.real.starts_with(directory);
        if self.of(directory).is_some()
            || directory.parent().is_none()
            || !directory.is_dir()
            || self.0.iter().any(is_above)
        {
            return;
        }
        let scratch = workdir.directory().join("roots").join(self.0.len().to_string());
        if fs::create_dir_all(&scratch).is_ok() {
            self.add(directory, scratch);
        }
    }

    fn root(&self, path: &Path) -> Option<(&Root, PathBuf)> {
        self.0.iter().find_map(|root| {
            let rest = path.strip_prefix(&root.at).or_else(|_| path.strip_prefix(&root.real)).ok()?;
            Some((root, rest.to_owned()))
        })
    }

    /// Returns the path of the copy of `path`.
    fn of(&self, path: &Path) -> Option<PathBuf> {
        self.root(path).map(|(root, rest)| root.scratch.join(rest))
    }

    /// Shows a program to the agent, with its directory: the outermost one that contains none of our
    /// copies.
    fn show(&self, program: &Path, binds: &[Bind]) -> io::Result<Option<Bind>> {
        let Some((root, rest)) = self.root(program) else { return Ok(None) };
        let mut below = PathBuf::new();
        for part in rest.components() {
            below.push(part);
            let (from, at) = (root.real.join(&below), root.scratch.join(&below));
            let is_shown = binds.iter().any(|bind| bind.at == at);
            if is_shown || at.is_file() {
                return Ok(None);
            }
            if at.is_dir() {
                continue;
            }
            if from.is_dir() {
                fs::create_dir_all(&at)?;
            } else if from.is_file() {
                Workdir::write(&at, "")?;
            } else {
                return Ok(None);
            }
            return Ok(Some(Bind { from, at, is_read_only: true }));
        }
        Ok(None)
    }
}

/// Returns the agent's directory, or the home that has it, as its variable, if that is set.
pub(crate) fn named(stage: &Stage, recipe: &Recipe) -> Option<(&'static str, OsString)> {
    let above = Path::new(recipe.below_variable).components().count();
    let named = stage.directory.ancestors().nth(above).filter(|_| stage.is_named)?;
    Some((recipe.variable, named.as_os_str().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a machine with a home, a project in it, settings outside both, and programs.
    fn machine(root: &Path) -> Own {
        let home = root.join("home");
        let program = Workdir::write_program;
        Workdir::write(&home.join(".claude/settings.json"), "{\"apiKeyHelper\": \"secret\"}").unwrap();
        Workdir::write(&home.join(".ssh/id"), "secret").unwrap();
        Workdir::write(&home.join("shop/.git/HEAD"), "ref").unwrap();
        Workdir::write(&home.join("shop/.env"), "secret").unwrap();
        Workdir::write(&root.join("etc/managed.json"), "{\"disableAllHooks\": true}").unwrap();
        program(&home.join(".local/bin/checkrein"), "ours").unwrap();
        program(&home.join(".claude/local/claude"), "agent").unwrap();
        let file = |path: &Path| OwnFile {
            path: path.to_owned(),
            text: fs::read_to_string(path).ok(),
            form: Form::Settings,
        };
        Own {
            project: home.join("shop"),
            cwd: home.join("shop/src"),
            directory: home.join(".claude"),
            is_named: false,
            files: vec![file(&home.join(".claude/settings.json")), file(&root.join("etc/managed.json"))],
            programs: vec![
                home.join(".local/bin/checkrein"),
                home.join(".local/bin"),
                home.join(".claude/local/claude"),
                home.join("nowhere/checkrein"),
                "/usr/bin".into(),
            ],
            switches: vec![("A".to_owned(), "1".to_owned())],
            home,
        }
    }

    #[test]
    fn the_agent_sees_copies_in_place_of_the_originals_and_programs_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let own = machine(&root);
        let workdir = Workdir::create(root.join("workdir"), "/nowhere".into()).unwrap();
        let stage = Stage::own(&workdir, &own).unwrap();
        let (home, scratch) = (root.join("home"), workdir.home());
        // Those of this machine, if it has any.
        let managed = |bind: &Bind| managed().iter().any(|at| bind.at == *at);
        let bind = |from: &Path, at: &Path, is_read_only| Bind {
            from: from.to_owned(),
            at: at.to_owned(),
            is_read_only,
        };
        let etc = &stage.binds.iter().find(|bind| bind.at == root.join("etc")).unwrap().from;
        assert_eq!(
            stage.binds.iter().filter(|bind| !managed(bind)).cloned().collect::<Vec<_>>(),
            [
                bind(&home.join(".local"), &scratch.join(".local"), true),
                bind(&home.join(".claude/local"), &scratch.join(".claude/local"), true),
                bind(&scratch, &home, false),
                bind(etc, &root.join("etc"), false),
            ]
        );
        assert_eq!(fs::read_to_string(scratch.join(".claude/settings.json")).unwrap(), "{}");
        assert_eq!(fs::read_to_string(etc.join("managed.json")).unwrap(), "{\"disableAllHooks\":true}");
        assert!(scratch.join("shop/src").is_dir() && scratch.join("shop/.git").is_dir());
        for hidden in [".ssh", "shop/.env", "shop/.git/HEAD"] {
            assert!(!scratch.join(hidden).exists(), "{hidden}");
        }
        assert_eq!(Stage::from_json(&stage.json().unwrap()), Some(stage));
    }

    #[test]
    fn a_scratch_directory_in_the_home_is_visible_there_too() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let own = machine(&root);
        let workdir = Workdir::create(root.join("home/tmp/workdir"), "/nowhere".into()).unwrap();
        let stage = Stage::own(&workdir, &own).unwrap();
        let first = stage.binds.first().unwrap();
        assert_eq!(
            (&first.from, &first.at),
            (&root.join("home/tmp/workdir"), &workdir.home().join("tmp/workdir"))
        );
        assert!(!first.is_read_only);
    }

    #[test]
    fn a_project_above_the_home_hides_nothing() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let own = Own { project: root.clone(), cwd: root.clone(), ..machine(&root) };
        let workdir = Workdir::create(root.join("workdir"), "/nowhere".into()).unwrap();
        let stage = Stage::own(&workdir, &own).unwrap();
        assert!(stage.binds.iter().all(|bind| bind.at != root), "{:?}", stage.binds);
    }
}
