//! Trust in a Python function: it covers the function's module, and the packages around it.
//!
//! A trusted function is imported from the directory of copies, and the project's directory is not on the import path. So a
//! module of the project that is neither the function's own nor listed in `files` is simply not found, and the hook
//! fails: nothing has to be remembered as absent. What the interpreter brings along belongs to the machine, unless the
//! interpreter itself comes with the project.

use super::{
    scripts::is_of_the_system,
    uncovered::{Uncovered, WhyNot},
};
use checkrein_core::SmallSort as _;
use checkrein_exec::Callable;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The files of a module below `directory`, as paths from there; none if it is imported from elsewhere.
pub(super) fn files(callable: &Callable, directory: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut package = PathBuf::new();
    let parts: Vec<&str> = callable.module().split('.').collect();
    for (index, part) in parts.iter().enumerate() {
        let inner = package.join(part);
        let init = inner.join("__init__.py");
        let is_package = directory.join(&init).is_file();
        if is_package {
            files.push(init);
        } else if index + 1 == parts.len() {
            files.extend(modules(directory, &package, part));
        } else if !directory.join(&inner).is_dir() {
            // A class or a function of a module, or nothing of ours.
            files.extend(modules(directory, &package, part));
            break;
        }
        package = inner;
    }
    files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
}

/// Every file that Python would take for the module `name` of a package: sources, and extensions for any version.
fn modules(directory: &Path, package: &Path, name: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory.join(package)) else { return Vec::new() };
    let is_module = |file: &str| {
        let ending = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        ending.is_some_and(|ending| {
            ending == "py" || ending == "pyc" || ending == "so" || ending.ends_with(".so")
        })
    };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<PathBuf> =
        names.filter(|name| is_module(name)).map(|name| package.join(name)).collect();
    found.small_sort();
    found
}

/// The interpreter, if it is not one of the machine.
pub(super) fn uncovered(callable: &Callable, directory: &Path) -> Option<Uncovered> {
    let python = &callable.python;
    let of_the_machine =
        !python.contains('/') || is_of_the_system(python, &directory.join(python), directory);
    (!of_the_machine).then(|| Uncovered { word: python.clone(), why: WhyNot::Interpreter })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_module() {
        let directory = tempfile::tempdir().unwrap();
        for name in [
            "a/__init__.py",
            "a/b/c.py",
            "a/b/c.cpython-311-x86_64-linux-gnu.so",
            "a/b/cc.py",
            "d.py",
            "d.txt",
        ] {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let of = |path: &str| files(&Callable::new(path), directory.path());
        assert_eq!(of("d:f"), ["d.py"]);
        assert_eq!(of("a:f"), ["a/__init__.py"]);
        assert_eq!(of("a.b.c:f"), ["a/__init__.py", "a/b/c.cpython-311-x86_64-linux-gnu.so", "a/b/c.py"]);
        assert_eq!(of("a.x:f"), ["a/__init__.py"]);
        assert!(of("json:loads").is_empty());
    }

    #[test]
    fn an_interpreter_of_the_project_is_not_covered() {
        let directory = tempfile::tempdir().unwrap();
        let with = |python: &str| Callable { python: python.into(), ..Callable::new("a:b") };
        for (python, covered) in [
            ("python3", true),
            ("/usr/bin/env", true),
            (".venv/bin/python", false),
            ("/home/x/python", false),
        ] {
            assert_eq!(uncovered(&with(python), directory.path()).is_none(), covered, "{python}");
        }
    }
}
