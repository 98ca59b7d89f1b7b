//! The cost of a foreign file before a user has trusted it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{Config, HookStatus, Layer, LayeredConfig, Places, trust::Store};
use std::{fs, path::Path};
use tempfile::TempDir;

const FILE: &str = ".checkrein.toml";

fn hook(index: usize, more: &str) -> String {
    format!("[[hook]]\nevent = \"PreToolUse\"\nname = \"h{index}\"\n{more}\ncommand = \"./h.sh\"\n")
}

fn hooks(count: usize, more: &str) -> String {
    (0..count).map(|index| hook(index, more)).collect()
}

fn problem(layer: Layer, text: &str) -> String {
    Config::parse_as(layer, text, FILE.as_ref())
        .map_or_else(|problems| problems.first().message().to_owned(), |_| "fine".to_owned())
}

#[test]
fn size() {
    let comment = |size: usize| format!("#{}\n", "x".repeat(size - 2));
    assert_eq!(problem(Layer::Project, &comment(256 * 1024)), "fine");
    let larger = comment(256 * 1024 + 1);
    assert_eq!(problem(Layer::Project, &larger), "the configuration file is larger than 256 KiB");
    assert_eq!(problem(Layer::User, &larger), "fine");
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join(FILE), larger).unwrap();
    let places = Places { projects: vec![directory.path().join(FILE)], ..Places::default() };
    let problems = LayeredConfig::load(&places).unwrap_err();
    assert!(problems.to_string().ends_with("larger than 256 KiB"), "{problems}");
}

#[test]
fn hooks_and_rules() {
    assert_eq!(problem(Layer::Project, &hooks(200, "")), "fine");
    assert_eq!(
        problem(Layer::Project, &hooks(201, "")),
        "201 times `[[hook]]`, and a file of this layer may have 200"
    );
    assert_eq!(problem(Layer::User, &hooks(1000, "")), "fine");
    let rules = |count: usize, more: &str| -> String {
        let rule = |id| {
            format!(
                "[[rule]]\nid = \"r{id}\"\neffect = \"delete\"\ndecision = \"ask\"\nreason = \"x\"\n{more}\n"
            )
        };
        (0..count).map(rule).collect()
    };
    assert_eq!(problem(Layer::Project, &rules(200, "")), "fine");
    let many = problem(Layer::Project, &rules(201, ""));
    assert_eq!(many, "201 times `[[rule]]`, and a file of this layer may have 200");
    assert_eq!(problem(Layer::User, &rules(500, "")), "fine");
    let names = format!("target = [{}]", "\"a\",".repeat(300));
    assert_eq!(problem(Layer::Project, &rules(3, &names)), "fine");
    assert_eq!(
        problem(Layer::Project, &rules(4, &names)),
        "the rules of this file have too many patterns together"
    );
}

#[test]
fn patterns() {
    let tool = |pattern: &str| format!("match = {{ tool = '/{pattern}/' }}");
    let costly = tool(r"(\w{50}){50}");
    let refused = problem(Layer::Project, &hook(0, &costly));
    assert_eq!(refused, r"`/(\w{50}){50}/` takes more than 64 KiB when compiled; use fewer repetitions");
    // A user may have written it for themselves.
    assert_eq!(problem(Layer::User, &hook(0, &costly)), "fine");
    assert_eq!(
        problem(Layer::Project, &hooks(200, &tool("^mcp__(github|jira)__(delete|close)_.*$"))),
        "fine"
    );
    let together = "the compiled regular expressions of this file are too large together";
    assert_eq!(problem(Layer::Project, &hooks(17, &tool(r"\w{500}"))), together);
    assert_eq!(problem(Layer::User, &hooks(33, &costly)), together);
    let huge = problem(Layer::User, &hook(0, &tool(r"((\w{100}){100}){100}")));
    assert!(huge.contains("takes more than 1024 KiB"), "{huge}");
}

#[test]
fn files_of_a_project() {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join(".git")).unwrap();
    let mut deepest = directory.path().to_owned();
    for level in 0..17 {
        fs::write(deepest.join(FILE), format!("# {level}\n")).unwrap();
        let places = Places::default().project(&deepest);
        assert_eq!(LayeredConfig::load(&places).is_ok(), level < 16, "{level}");
        deepest.push("a");
        fs::create_dir(&deepest).unwrap();
    }
    let problems = LayeredConfig::load(&Places::default().project(&deepest)).unwrap_err();
    assert_eq!(problems.first().message(), "the 17th configuration file of this project, which may have 16");
}

/// Standing of the hooks of a project with a state.
fn statuses(project: &Path, state: &Path) -> Vec<HookStatus> {
    let places =
        Places { projects: vec![project.join(FILE)], state: Some(state.to_owned()), ..Places::default() };
    let stack = LayeredConfig::load(&places).unwrap();
    stack.rows(None).into_iter().map(|row| row.status).collect()
}

/// Files that a hook names are not even opened before a hook of that name was trusted: a FIFO or a gigabyte makes no
/// difference.
#[test]
fn nothing_is_hashed_for_a_stranger() {
    let (project, state) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(project.path().join(FILE), hooks(200, "cwd = \"config\"\nfiles = [\"large\"]")).unwrap();
    let large = fs::File::create(project.path().join("large")).unwrap();
    large.set_len(100 << 30).unwrap();
    fs::write(project.path().join("h.sh"), "exit 0\n").unwrap();
    assert!(statuses(project.path(), state.path()).iter().all(|status| *status == HookStatus::Untrusted));

    // One of them is trusted, as it was when the file was small.
    large.set_len(10).unwrap();
    let places = Places { projects: vec![project.path().join(FILE)], ..Places::default() };
    let stack = LayeredConfig::load(&places).unwrap();
    let store = Store::new(state.path());
    store.trust_uncovered(&stack.rows(None)[0].content().unwrap()).unwrap();
    let now = statuses(project.path(), state.path());
    assert_eq!(now[0], HookStatus::Active);
    assert!(now[1..].iter().all(|status| *status == HookStatus::Untrusted));
    large.set_len(100 << 30).unwrap();
    let now = statuses(project.path(), state.path());
    assert!(matches!(&now[0], HookStatus::Unreadable(why) if why.contains("too large")), "{:?}", now[0]);
}

/// Hooks that share a large file have it hashed once, and there is an end to it.
#[test]
fn what_is_hashed_is_bounded() {
    let (project, state) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(project.path().join(FILE), hooks(3, "files = [\"a\"]")).unwrap();
    fs::write(project.path().join("h.sh"), "exit 0\n").unwrap();
    fs::write(project.path().join("a"), "a").unwrap();
    let places = Places { projects: vec![project.path().join(FILE)], ..Places::default() };
    let store = Store::new(state.path());
    for row in LayeredConfig::load(&places).unwrap().rows(None) {
        store.trust_uncovered(&row.content().unwrap()).unwrap();
    }
    assert!(statuses(project.path(), state.path()).iter().all(|status| *status == HookStatus::Active));
    // Sixty megabytes three times would be more than are hashed for an event.
    fs::File::create(project.path().join("a")).unwrap().set_len(60 << 20).unwrap();
    let now = statuses(project.path(), state.path());
    assert!(now.iter().all(|status| matches!(status, HookStatus::Changed(_))), "{now:?}");
}
