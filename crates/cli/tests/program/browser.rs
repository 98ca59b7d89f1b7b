//! The pages of `report` and `replay` in a real browser: names that try to become markup or code stay text.

use crate::Place;
use serde_json::json;
use std::{fs, path::PathBuf, process::Command};

/// Texts that would be seen in the title of the page if one of them ran.
const HOSTILE: &[&str] = &[
    "</script><script>document.title='taken'</script>",
    "<img src=x onerror=\"document.title='taken'\">",
    "\"><svg onload=document.title='taken'>",
    "'; document.title='taken'; '",
    "<!--<script>",
    "]]><a href=javascript:document.title='taken'>x</a>",
];

/// Returns a browser of this machine; says so if there is none.
fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = std::env::var_os("PATH").and_then(|path| {
        let mut files =
            std::env::split_paths(&path).flat_map(|directory| names.map(|name| directory.join(name)));
        files.find(|file| file.is_file())
    });
    if found.is_none() {
        eprintln!("skipped: there is no Chromium here, so the pages are not opened in a browser");
    }
    found
}

/// Opens a page and returns its elements after its code has run.
fn opened(browser: &PathBuf, place: &Place, page: &str) -> String {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--virtual-time-budget=4000",
    ]);
    command.arg(format!("--user-data-dir={}", place.path("browser").display())).arg("--dump-dom");
    command.arg(format!("file://{}", place.path(page).display()));
    let output = command.env("HOME", place.path("")).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn check(elements: &str, shows_texts: bool) {
    assert!(elements.contains("<title>Checkrein"), "{}", elements.chars().take(600).collect::<String>());
    assert!(!elements.contains("<title>taken"), "a name ran as code");
    let body = elements.split("<body").nth(1).unwrap();
    for element in ["<img", "<svg onload", "<a href=\"javascript"] {
        assert!(!body.contains(element), "a name became the element {element}");
    }
    // The texts are there as text: once in the data, and once more in the list that the page's own code makes.
    assert!(!shows_texts || body.contains("&lt;img src=x"), "the list does not show the texts");
}

#[test]
fn hostile_names_stay_text_in_a_browser() {
    let Some(browser) = browser() else { return };
    let place = Place::new();
    let mut records = String::new();
    for (number, hostile) in HOSTILE.iter().enumerate() {
        let command = format!("git push --force # {hostile}");
        let event = json!({
            "hook_event_name": "PreToolUse", "session_id": hostile, "cwd": place.path(hostile.replace('/', "")), "tool_name": hostile,
            "tool_use_id": hostile, "tool_input": {"command": command, "file_path": hostile},
        });
        place.output(&["hook", "--host", "claude"], event.to_string().as_bytes());
        let shell = json!({
            "hook_event_name": "PreToolUse", "session_id": hostile, "cwd": place.path(""), "tool_name": "Bash",
            "tool_use_id": hostile, "tool_input": {"command": command},
        });
        place.output(&["hook", "--host", "claude"], shell.to_string().as_bytes());
        let block = json!({"type": "tool_use", "id": format!("c{number}"), "name": "Bash", "input": {"command": command}});
        let record = json!({
            "type": "assistant", "sessionId": hostile, "cwd": place.path(""), "timestamp": "2026-11-16T10:00:00.000Z",
            "message": {"content": [block]},
        });
        records.push_str(&format!("{record}\n"));
    }
    assert!(place.output(&["report", "--html", "report.html"], b"").status.success());
    check(&opened(&browser, &place, "report.html"), true);
    fs::create_dir_all(place.path(".claude/projects/-shop")).unwrap();
    fs::write(place.path(".claude/projects/-shop/s.jsonl"), records).unwrap();
    assert!(place.output(&["replay", "--since", "all", "--html", "replay.html"], b"").status.success());
    check(&opened(&browser, &place, "replay.html"), false);
}
