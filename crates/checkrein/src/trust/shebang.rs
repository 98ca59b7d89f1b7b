//! Trust in the interpreter that the first line of a script names.
//!
//! The kernel starts the interpreter that it names, and searches a relative one in the directory in which the hook
//! runs: the script is pinned, but a file of the project that was not reviewed would run it.

use super::{
    coverage::coverage,
    programs::interpreter,
    scripts,
    uncovered::{Uncovered, WhyNot},
};
use checkrein_exec::Program;
use std::path::Path;

/// The supposed path of the script; nothing is there.
const SCRIPT: &str = "/nonexistent/checkrein-script";

/// The kernel reads no more of a script.
pub(super) const MOST: usize = 256;

/// The first line of a script, if it names something of the project.
pub(super) fn uncovered(bytes: &[u8], directory: &Path) -> Option<Uncovered> {
    let line = bytes.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line.get(..MOST - 2).unwrap_or(line)).into_owned();
    let mut words =
        line.split(|c: char| c.is_whitespace() || "='\"".contains(c)).filter(|word| !word.is_empty());
    let program = words.next()?;
    let of_the_machine = |word: &str| scripts::is_of_the_system(word, &directory.join(word), directory);
    // `env` looks for a bare name where programs are; everything else is a path, and a relative one is of the project.
    let is_covered = of_the_machine(program)
        && words.all(|word| {
            let value = word.strip_prefix("-S").unwrap_or(word);
            let attached = value.strip_prefix('-').and_then(|rest| rest.get(1..)).unwrap_or(value);
            let names = |word: &str| {
                let path = directory.join(word);
                word.starts_with('.')
                    || word.contains('/') && !of_the_machine(word)
                    || path.is_file() && interpreter(word).is_none()
            };
            value.is_empty() || !names(value) && (attached.is_empty() || !names(attached))
        });
    let is_covered = is_covered && runs_only_the_script(&line, directory);
    (!is_covered).then(|| Uncovered { word: format!("#!{}", line.trim()), why: WhyNot::Shebang })
}

/// Returns true if the command that the kernel makes of the line runs nothing of the project but the script: the
/// interpreter, the rest of the line as one word, and the script.
fn runs_only_the_script(line: &str, directory: &Path) -> bool {
    let line = line.trim();
    let (program, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let words = [program, rest.trim(), SCRIPT];
    let words = words.iter().filter(|word| !word.is_empty()).map(|word| (*word).to_owned()).collect();
    let found = coverage(&Program::List(words), directory, &[]);
    let is_other = |path: &String| !path.starts_with(SCRIPT);
    let is_file = |named: &scripts::Named| !named.path.starts_with(SCRIPT);
    found.uncovered.is_empty() && !found.absent.iter().any(is_other) && !found.named.iter().any(is_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_of_the_project_is_found_in_every_form() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("interp"), "").unwrap();
        for (line, covered) in [
            ("#!/bin/sh\n", true),
            ("#! /usr/bin/env python3\n", true),
            ("#!/usr/bin/env -S python3 -u\n", true),
            ("#!/usr/bin/perl -w\n", true),
            ("#!/usr/bin/awk -f\n", true),
            ("no script", true),
            ("#!\n", true),
            ("#!./interp\n", false),
            ("#!interp\n", false),
            ("#! bin/interp -x\n", false),
            ("#!/usr/bin/env -S ./interp\n", false),
            ("#!/usr/bin/env -S./interp x\n", false),
            ("#!/usr/bin/env ./interp\n", false),
            ("#!/usr/bin/env -S python3 -I. -m x\n", false),
            ("#!/usr/bin/perl -I.\n", false),
            ("#!/usr/bin/env -S PATH=./bin:/bin python3\n", false),
            ("#!/bin/sh interp\n", false),
            ("#!/proc/self/cwd/interp\n", false),
            ("#!/usr/bin/env -S python3 -I\n", true),
            ("#!/usr/bin/env -S awk -f\n", true),
            ("#!/usr/bin/env -S deno run --allow-read\n", true),
            ("#!/usr/bin/env bash\n", true),
            ("#!/usr/bin/python3 -m x\n", false),
            ("#!/usr/bin/env -S python3 -mx\n", false),
            ("#!/usr/bin/env -S python3 -Bm x\n", false),
            ("#!/usr/bin/python3 -cimport x\n", false),
            ("#!/usr/bin/env -S sh\\_interp\n", false),
            ("#!/usr/bin/env -S sh inter''p\n", false),
            ("#!/usr/bin/env -S -C sub sh\n", false),
            ("#!/usr/bin/env -S --chdir=sub sh\n", false),
        ] {
            assert_eq!(uncovered(line.as_bytes(), directory.path()).is_none(), covered, "{line}");
        }
    }
}
