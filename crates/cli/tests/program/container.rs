//! A container whose home is mounted from the host: the settings of every agent name a program that is not in the container, and
//! the script of the Feature for dev containers puts a link there.

use crate::machine::Machine;
use checkrein_hosts::install::recipes;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Returns the files that `init` wrote for all agents.
fn files(machine: &Machine) -> BTreeMap<PathBuf, Vec<u8>> {
    let names = recipes().flat_map(|recipe| recipe.files().into_iter().map(|name| (recipe.directory, name)));
    let paths = names.map(|(directory, name)| machine.path(directory).join(name));
    paths.filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect()
}

fn link(machine: &Machine, program: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/devcontainer/link.sh");
    let mut command = Command::new("sh");
    command.arg(script).current_dir(machine.path("work")).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", machine.path("")).env("CHECKREIN_PROGRAM", program);
    command.output().unwrap()
}

#[test]
fn a_program_of_the_host_is_a_link_in_the_container() {
    let directories: Vec<&str> =
        recipes().flat_map(|recipe| [&[recipe.directory], recipe.signs].concat()).collect();
    let machine = Machine::with(&directories);
    // A path that has to be quoted.
    fs::create_dir_all(machine.path("on the host's/bin")).unwrap();
    let (host, container) =
        (machine.path("on the host's/bin/checkrein"), machine.path("container/checkrein"));
    fs::rename(machine.path("bin/checkrein"), &host).unwrap();
    let quoted = host.display().to_string().replace('\'', r"'\''");
    let output = machine.start(&format!("'{quoted}' init --yes")).output();
    assert!(output.status.success(), "{output:?}");
    let before = files(&machine);
    assert!(before.len() >= recipes().count(), "{:?}", before.keys());
    fs::create_dir_all(machine.path("container")).unwrap();
    fs::rename(&host, &container).unwrap();
    let missing = || {
        let mut doctor = Command::new(&container);
        doctor.arg("doctor").current_dir(machine.path("work")).env_clear();
        let output = doctor.env("PATH", "/usr/bin:/bin").env("HOME", machine.path("")).output().unwrap();
        String::from_utf8_lossy(&output.stdout).matches("[program-missing]").count()
    };
    assert!(missing() >= recipes().count(), "every agent is told that its program is missing: {}", missing());
    for round in 0..2 {
        let output = link(&machine, &container);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stdout.is_empty(), round == 1, "{output:?}");
        assert_eq!(fs::read_link(&host).unwrap(), container);
        assert_eq!(missing(), 0);
    }
    assert!(files(&machine) == before, "the settings of the host are as they were");
}

#[test]
fn without_a_program_the_script_says_so() {
    let machine = Machine::new();
    let output = link(&machine, &machine.path("nowhere"));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no program"), "{output:?}");
}
