//! Agents: what depends on the files of the machine.

use crate::support::rules;
use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};
use checkrein_guard::{CallContext, FileKind, World, judge};

/// A machine with these files.
struct Disk(&'static [(&'static str, &'static str)]);

impl World for Disk {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        self.text(path).map(|_| FileKind::File)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.0.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned())
    }
}

fn on(disk: &Disk, cases: &[(&str, Decision)]) {
    let project = Some("/home/dev/proj".to_owned());
    let place = CallContext { cwd: project.clone(), project, typed: false };
    let mut wrong = Vec::new();
    for (text, expect) in cases {
        let judgement = judge(text, &place, disk);
        if judgement.decision != *expect {
            wrong.push(format!("{expect}, but {}: {text:?} {:?}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_file_of_variables_says_is_known_where_it_can_be_read() {
    let disk = Disk(&[
        ("/home/dev/proj/plain.env", "PORT=1\nDEBUG=x\n"),
        ("/home/dev/proj/other.env", "PORT=1\nexport CODEX_HOME=\"/tmp/c\"\n"),
        ("/home/dev/proj/same.env", "HOME=/home/dev\n"),
        ("/home/dev/proj/activate", "f() { HOME=/tmp/h; }\nVIRTUAL_ENV=/x\nexport VIRTUAL_ENV\n"),
    ]);
    on(
        &disk,
        &[
            ("uv run --env-file plain.env codex exec x", Silent),
            ("uv run --env-file same.env codex exec x", Silent),
            ("uv run --env-file other.env codex exec x", Deny),
            ("uv run --env-file none.env codex exec x", Ask),
            ("uv run --env-file other.env pytest", Silent),
            ("set -a; . ./plain.env; codex exec x", Silent),
            ("set -a; . ./other.env; codex exec x", Deny),
            ("set -a; . ./none.env; codex exec x", Ask),
            ("source other.env && codex exec x", Deny),
            ("bash --rcfile other.env -ic 'codex exec x'", Deny),
            ("source activate && codex exec x", Silent),
            ("source none.env && codex exec x", Silent),
            ("systemd-run --user -p EnvironmentFile=/home/dev/proj/other.env codex exec x", Deny),
            ("node --env-file=plain.env /usr/lib/node_modules/@openai/codex/bin/codex.js exec x", Silent),
            ("node --env-file other.env /usr/lib/node_modules/@openai/codex/bin/codex.js exec x", Deny),
        ],
    );
}

#[test]
fn a_script_of_the_package_that_starts_an_agent_is_given_the_words() {
    let disk = Disk(&[(
        "/home/dev/proj/package.json",
        r#"{"scripts": {"ai": "claude -p hi", "mode": "CI=1 codex", "build": "tsc -p .", "note": "echo claude"}}"#,
    )]);
    on(
        &disk,
        &[
            ("npm run ai -- --bare", Deny),
            ("pnpm run mode -- exec --yolo x", Deny),
            ("npm run ai -- $FLAGS", Ask),
            ("sh -c 'npm run ai -- --safe-mode'", Deny),
            ("npm run ai", Silent),
            ("npm run ai -- --model opus", Silent),
            ("npm run build -- --bare", Silent),
            ("npm run note -- --bare", Silent),
        ],
    );
}

#[test]
fn only_what_is_there_can_be_hidden() {
    let managed =
        Disk(&[("/etc/claude-code/managed-settings.json", "{}"), ("/home/dev/.config/checkrein", "")]);
    let nothing = Disk(&[]);
    let of_machine = "bwrap --dev-bind / / --tmpfs /etc claude -p x";
    let ours = "bwrap --dev-bind / / --tmpfs /home/dev/.config claude -p x";
    on(
        &managed,
        &[(of_machine, Deny), (ours, Deny), ("bwrap --dev-bind / / --tmpfs /etc codex exec x", Silent)],
    );
    on(
        &nothing,
        &[(of_machine, Silent), (ours, Silent), ("bwrap --dev-bind / / --tmpfs /home claude -p x", Deny)],
    );
}
