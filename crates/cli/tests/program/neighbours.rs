//! Rules of a project hold for what is in it, wherever a call is made.

use crate::layers::Home;
use std::fs;

/// A home directory with a second project, whose rules deny every write.
fn two_projects() -> Home {
    let home = Home::new();
    fs::create_dir_all(home.place.path("other/.git")).unwrap();
    fs::create_dir_all(home.place.path("other/src")).unwrap();
    let rule = "[[rule]]\nid = \"frozen\"\neffect = [\"write\", \"append\", \"delete\"]\ndecision = \"deny\"\nreason = \"frozen\"\n";
    fs::write(home.place.path("other/.checkrein.toml"), rule).unwrap();
    home
}

#[test]
fn the_rules_of_a_project_follow_its_files() {
    let home = two_projects();
    let other = home.place.path("other");
    let other = other.display();
    let checked = |command: &str| home.run(&["check", command], "");
    for command in [
        format!("echo x > {other}/src/f"),
        "cd ../../../other && echo x > f".to_owned(),
        format!("sh -c 'echo x >> {other}/f'"),
        format!("rm -f {other}/src/f"),
    ] {
        let said = checked(&command);
        assert!(said.contains("denied") && said.contains("frozen"), "{command}: {said}");
    }
    // Reading there, and writing elsewhere, is what it was.
    for command in [format!("cat {other}/src/f"), "echo x > f".to_owned(), "touch ../f".to_owned()] {
        let said = checked(&command);
        assert!(said.starts_with("--- stdout\nno objection"), "{command}: {said}");
    }
    // A file tool is no way around it.
    let input = format!("{{\"file_path\":\"{other}/f\",\"content\":\"x\"}}");
    let said = home.run(&["check", "--tool", "Write", "--input", &input], "");
    assert!(said.contains("denied") && said.contains("frozen"), "{said}");
}

#[test]
fn a_broken_file_of_a_project_that_is_touched_is_a_denial() {
    let home = two_projects();
    fs::write(home.place.path("other/.checkrein.toml"), "[[rule]]\nid = 1\n").unwrap();
    let other = home.place.path("other");
    let said = home.run(&["check", &format!("echo x > {}/f", other.display())], "");
    assert!(said.contains("denied") && said.contains("is broken"), "{said}");
    let said = home.run(&["check", "touch f"], "");
    assert!(said.contains("no objection"), "{said}");
}
