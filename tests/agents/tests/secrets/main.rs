//! Secrets and real agents: a file with twelve secrets is read, used and changed, and no value is in a request to the model, in what the
//! agent prints and records, in our trail, or in the arguments of a process.
//!
//! Each test starts itself again as the first process of a sandbox, which has only loopback. There it runs the agent, with a scripted
//! model and with servers that keep what they are sent.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

mod scene;
mod servers;

use checkrein_model::Call;
use scene::{PLAIN, Scene, inside};
use serde_json::json;

/// Reads the file in every way of a shell, and uses three of its secrets by their tags.
fn read_and_use(scene: &Scene) {
    let [github, api, database] = ["GITHUB_TOKEN", "API_TOKEN", "DB_URL"].map(|name| scene.tag(name));
    let (http, postgres) = (scene.http.0, scene.postgres.0);
    let shell = |command: &str| scene.subject.agent.shell(command);
    let played = scene.play([
        shell("cat .env"),
        shell("head -5 .env | grep TOKEN"),
        shell("grep -n TOKEN .env"),
        shell(&format!("GH_TOKEN={github} gh api user")),
        shell(&format!("curl -sS -H 'Authorization: Bearer {api}' http://127.0.0.1:{http}/v1/me")),
        shell(&format!("psql postgres://app:{database}@127.0.0.1:{postgres}/shop -c 'select 1'")),
        // The value is printed, as an attempt to see it.
        shell(&format!("echo {github}")),
        shell(&format!("curl -sS -H 'Authorization: Bearer {github}' http://127.0.0.1:{http}/other")),
    ]);
    played.shows(0, &[&github, &api, &database, "PORT=5432"]);
    assert_eq!(played.result(0).matches("secret_").count(), 12, "{}", played.result(0));
    played.shows(1, &[&github, "TOKEN="]);
    played.shows(2, &[&api, "API_TOKEN="]);
    played.shows(3, &[&format!("here is {github}")]);
    played.shows(4, &[&format!("Authorization: Bearer {api}")]);
    played.shows(5, &["SELECT 0"]);
    played.shows(6, &["A tag works only in these"]);
    played.shows(7, &["does not belong to `127.0.0.1`"]);
    let sent = scene.http.1.lock().unwrap().clone();
    let value = |name: &str| scene.value(name);
    assert!(
        sent.iter()
            .any(|request| request.contains(&format!("Authorization: token {}\r\n", value("GITHUB_TOKEN")))),
        "{sent:?}"
    );
    assert!(
        sent.iter()
            .any(|request| request.contains(&format!("Authorization: Bearer {}\r\n", value("API_TOKEN")))),
        "{sent:?}"
    );
    assert!(sent.iter().all(|request| !request.contains("/other")), "{sent:?}");
    assert_eq!(*scene.postgres.1.lock().unwrap(), [value("DB_URL")]);
    assert_eq!(scene.env(), scene.original());
    played.is_hidden();
}

#[test]
fn claude_reads_and_uses_secrets_without_seeing_them() {
    inside("claude_reads_and_uses_secrets_without_seeing_them", "claude", "", read_and_use);
}

#[test]
fn codex_reads_and_uses_secrets_without_seeing_them() {
    inside("codex_reads_and_uses_secrets_without_seeing_them", "codex", "", read_and_use);
}

/// Codex gives the model what a hook has put in place of an output, and itself prints and records the output.
const OF_CODEX: &[&str] = &["the output of the agent", "/.codex/sessions/", "/.codex/thread_history_"];

/// A file that is not known for its secrets is read as it is, and what was read is replaced.
#[test]
fn claude_is_given_another_files_secret_as_a_tag() {
    inside("claude_is_given_another_files_secret_as_a_tag", "claude", "", |scene| {
        let file = scene.path().with_file_name("deploy.txt");
        let read = Call::new("Read", json!({"file_path": file}));
        let played = scene.play([scene.subject.agent.shell("cat deploy.txt"), read]);
        for call in [0, 1] {
            played.shows(call, &["secret_github_token_", "the shop is deployed with"]);
        }
        played.is_hidden();
    });
}

#[test]
fn codex_is_given_another_files_secret_as_a_tag() {
    inside("codex_is_given_another_files_secret_as_a_tag", "codex", "", |scene| {
        let played = scene.play([scene.subject.agent.shell("cat deploy.txt")]);
        played.shows(0, &["secret_github_token_", "the shop is deployed with"]);
        played.is_hidden_except(OF_CODEX);
    });
}

/// A tool that cannot be rewritten is asked about, which is a denial without a user.
#[test]
fn claude_does_not_read_the_file_with_its_tool_without_a_user() {
    inside("claude_does_not_read_the_file_with_its_tool_without_a_user", "claude", "", |scene| {
        let played = scene.play([Call::new("Read", json!({"file_path": scene.path()}))]);
        played.shows(0, &["secrets.read-secret"]);
        played.is_hidden();
    });
}

/// The user has agreed to reads of this file: what the tools return has tags.
const AGREED: &str =
    "[[exception]]\nrules = \"secrets.read-secret\"\nreason = \"they have tags\"\nuntil = \"never\"\n";

#[test]
fn claude_changes_one_line_of_a_file_whose_secrets_it_has_not_seen() {
    let name = "claude_changes_one_line_of_a_file_whose_secrets_it_has_not_seen";
    inside(name, "claude", AGREED, |scene| {
        let shown = scene.shown();
        let written = shown.replace("PORT=5432", "PORT=6543").replace("LOG_LEVEL=info", "LOG_LEVEL=debug");
        let read = || Call::new("Read", json!({"file_path": scene.path()}));
        let played = scene.play([
            read(),
            Call::new(
                "Edit",
                json!({"file_path": scene.path(), "old_string": "PORT=5432", "new_string": "PORT=6543"}),
            ),
            Call::new("Write", json!({"file_path": scene.path(), "content": written})),
            scene.subject.agent.shell("sed -i s/THEME=dark/THEME=light/ .env"),
            scene.subject.agent.shell("cat .env"),
            read(),
        ]);
        played.shows(0, &["LOG_LEVEL=info", &scene.tag("API_TOKEN")]);
        played.shows(5, &["PORT=6543", "LOG_LEVEL=debug", "THEME=light", &scene.tag("API_TOKEN")]);
        scene.only_plain_lines_differ();
        played.is_hidden();
    });
}

#[test]
fn codex_changes_one_line_of_a_file_whose_secrets_it_has_not_seen() {
    let name = "codex_changes_one_line_of_a_file_whose_secrets_it_has_not_seen";
    inside(name, "codex", "", |scene| {
        let patch =
            |text: &str| Call::new("apply_patch", format!("*** Begin Patch\n{text}*** End Patch\n").into());
        let shown =
            scene.shown().replace("PORT=5432", "PORT=6543").replace("LOG_LEVEL=info", "LOG_LEVEL=debug");
        let whole: String = shown.lines().map(|line| format!("+{line}\n")).collect();
        let played = scene.play([
            scene.subject.agent.shell("cat .env"),
            patch("*** Update File: .env\n@@\n-PORT=5432\n+PORT=6543\n"),
            patch(&format!("*** Add File: .env\n{whole}")),
            scene.subject.agent.shell("sed -i s/THEME=dark/THEME=light/ .env"),
            scene.subject.agent.shell("cat .env"),
        ]);
        played.shows(0, &["LOG_LEVEL=info", &scene.tag("API_TOKEN")]);
        played.shows(4, &["PORT=6543", "LOG_LEVEL=debug", "THEME=light", &scene.tag("API_TOKEN")]);
        scene.only_plain_lines_differ();
        // So it does with the lines around a change of a patch.
        played.is_hidden_except(OF_CODEX);
    });
}

#[test]
fn the_file_has_twelve_secrets_and_plain_lines() {
    let text = scene::text(1, 2);
    assert_eq!(scene::values(&text).len(), 12, "{text}");
    assert!(PLAIN.iter().all(|(old, _)| text.contains(old)));
}
