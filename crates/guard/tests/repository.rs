//! A loss that git can undo does not count, but only if nothing in the same text may have changed that.

use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};
use checkrein_git::{Answer, Head, Others, Question};
use checkrein_guard::{CallContext, FileKind, World, judge};
use std::cell::RefCell;

/// A machine on which git answers every question in the same way, and keeps the questions.
struct Machine {
    answer: Answer,
    asked: RefCell<Vec<Question>>,
    variable: Option<&'static str>,
}

impl Machine {
    fn new(answer: Answer) -> Self {
        Self { answer, asked: RefCell::default(), variable: None }
    }
}

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variable.filter(|set| *set == name).map(|_| "/elsewhere".to_owned())
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        match path {
            "/home/dev/proj/src" | "/home/dev/proj/docs" => Some(FileKind::Directory),
            "/home/dev/proj/src/a.c" => Some(FileKind::File),
            _ => None,
        }
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }

    fn repository(&self, question: &Question) -> Answer {
        self.asked.borrow_mut().push(question.clone());
        self.answer.clone()
    }
}

fn decide(text: &str, machine: &Machine) -> Decision {
    let project = Some("/home/dev/proj".to_owned());
    judge(text, &CallContext { cwd: project.clone(), project, ..CallContext::default() }, machine).decision
}

/// Commands that lose nothing if git has all of it, and the decision if it does not, or if that is not known.
const LOSING: [(&str, Decision); 20] = [
    ("git reset --hard", Deny),
    ("git reset --hard HEAD", Deny),
    ("git reset --hard origin/main", Deny),
    ("git reset -q --hard HEAD~2", Deny),
    ("git checkout -f", Deny),
    ("git checkout --force topic", Deny),
    ("git switch --discard-changes topic", Deny),
    ("git checkout -- .", Deny),
    ("git checkout -- src/a.c", Ask),
    ("git checkout topic -- src docs", Deny),
    ("git restore src", Deny),
    ("git restore --source=topic src docs", Deny),
    ("git restore src/a.c", Ask),
    ("git clean -fd", Deny),
    ("git clean -fdx src", Deny),
    ("git rm -rf src", Deny),
    ("git worktree remove --force ../wt", Deny),
    ("git checkout-index -fa", Deny),
    ("rm -rf src", Ask),
    ("rm -r ./docs src/*", Ask),
];

#[test]
fn nothing_is_said_where_git_has_all_of_it() {
    let lost = Answer::Lost("changes".to_owned());
    let unknown = Answer::Unknown("a filter".to_owned());
    for (text, otherwise) in LOSING {
        assert_eq!(decide(text, &Machine::new(Answer::Kept)), Silent, "{text}");
        assert_eq!(decide(text, &Machine::new(lost.clone())), otherwise, "{text}, which loses something");
        assert_eq!(decide(text, &Machine::new(unknown.clone())), otherwise, "{text}, not known");
    }
}

/// Text before, between and around them that changes no file.
#[test]
fn what_only_looks_may_come_before() {
    for around in [
        "cd /home/dev/proj && CMD",
        "git status --short; CMD",
        "git diff > /dev/null && CMD 2>&1 | tail -5",
        "git log --oneline -3 && ls -la && CMD && git status",
        "CMD && npm ci && make test",
        "CMD; echo done > note.txt",
    ] {
        for (text, _) in LOSING {
            let text = around.replace("CMD", text);
            assert_eq!(decide(&text, &Machine::new(Answer::Kept)), Silent, "{text}");
        }
    }
    assert_eq!(decide("git reset --hard && git clean -fd", &Machine::new(Answer::Kept)), Silent);
    assert_eq!(decide("rm -rf src && git checkout -- src", &Machine::new(Answer::Kept)), Silent);
    assert_eq!(decide("git fetch && git reset --hard", &Machine::new(Answer::Kept)), Silent);
}

/// Text that may have changed a file before, or that leads git elsewhere.
#[test]
fn what_may_have_changed_something_counts() {
    for around in [
        "make && CMD",
        "echo x > src/a.c; CMD",
        "npm test; CMD",
        "./generate.sh && CMD",
        "git add -A && CMD",
        "git stash pop; CMD",
        "git commit -qam wip; CMD",
        "python3 tool.py; CMD",
        "touch src/new.c && CMD",
        "sed -i s/a/b/ src/a.c && CMD",
        "make & CMD",
        "for i in 1 2; do CMD; make; done",
        "while read x; do CMD; sed -i s/a/b/ src/a.c; done < list",
        "f() { CMD; }; make; f",
        "trap 'CMD' EXIT; make",
        "eval \"$X\"; CMD",
        "GIT_DIR=/tmp/other CMD",
        "export GIT_WORK_TREE=/tmp; CMD",
        "git config core.worktree /x; CMD",
        "cp /tmp/x src/a.c && CMD",
        "git pull; CMD",
    ] {
        for (text, otherwise) in LOSING {
            // Both are about git alone.
            if text.starts_with("rm") && around.contains("GIT_") {
                continue;
            }
            let text = around.replace("CMD", text);
            assert!(decide(&text, &Machine::new(Answer::Kept)) >= otherwise, "{text}");
        }
    }
    // A name that is fetched a moment before is not the one on the disk.
    assert_eq!(decide("git fetch && git reset --hard origin/main", &Machine::new(Answer::Kept)), Deny);
    // Ignore rules may be others there.
    assert_eq!(decide("git reset --hard topic && git clean -fd", &Machine::new(Answer::Kept)), Deny);
    for text in [
        "git -c core.worktree=/x reset --hard",
        "git --git-dir=/x/.git reset --hard",
        "git --work-tree=.. clean -fd",
    ] {
        assert_eq!(decide(text, &Machine::new(Answer::Kept)), Deny, "{text}");
    }
    // Another language may do more than is seen; another machine has another disk.
    for text in
        ["python3 -c \"import shutil; shutil.rmtree('src')\"", "rm -rf \"$X\"", "find src -type f -delete"]
    {
        assert!(decide(text, &Machine::new(Answer::Kept)) >= Ask, "{text}");
    }
    let moved = Machine { variable: Some("GIT_INDEX_FILE"), ..Machine::new(Answer::Kept) };
    assert_eq!(decide("git reset --hard", &moved), Deny);
    // The whole project goes with what git has of it.
    assert_eq!(decide("rm -rf .", &Machine::new(Answer::Kept)), Deny);
    assert_eq!(decide("rm -rf .git", &Machine::new(Answer::Kept)), Deny);
}

/// Removing the output of a build takes nothing from git, and puts nothing in the place of anything.
#[test]
fn ordinary_removals_may_come_before() {
    for text in
        ["rm -rf node_modules src", "rm -rf build && rm -rf src", "rm -rf node_modules; git checkout -- ."]
    {
        assert_eq!(decide(text, &Machine::new(Answer::Kept)), Silent, "{text}");
        assert!(decide(text, &Machine::new(Answer::Lost("changes".to_owned()))) >= Ask, "{text}");
    }
    for text in [
        "rm -rf .git src",
        "rm -rf docs/.git && rm -rf src",
        "rm -rf $X src",
        "mv /tmp/a src/b; rm -rf build src",
    ] {
        assert!(decide(text, &Machine::new(Answer::Kept)) >= Ask, "{text}");
    }
}

/// A mirror removes what the other directory does not have.
#[test]
fn what_a_mirror_removes() {
    assert_eq!(decide("rsync -a --delete build/ docs/", &Machine::new(Answer::Kept)), Silent);
    assert_eq!(
        decide("rsync -a --delete build/ docs/", &Machine::new(Answer::Lost("changes".to_owned()))),
        Ask
    );
    assert_eq!(decide("make; rsync -a --delete build/ docs/", &Machine::new(Answer::Kept)), Ask);
}

/// A machine with a disk, of which git knows nothing.
struct Disk;

impl World for Disk {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        let known = ["/", "/home", "/home/dev", "/home/dev/proj", "/home/dev/proj/src", "/home/dev/papers"];
        known.contains(&path).then_some(FileKind::Directory)
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

#[test]
fn what_the_call_made_is_its_own() {
    let on = |text: &str, machine: &dyn World| {
        let project = Some("/home/dev/proj".to_owned());
        judge(text, &CallContext { cwd: project.clone(), project, ..CallContext::default() }, machine)
            .decision
    };
    for text in [
        "mkdir t && cd t && git init -q && cd .. && rm -rf t",
        "mkdir -p t/a && touch t/a/x && rm -r t",
        "git clone -q https://git.example/x t && make -C t; rm -rf t",
        "mkdir ~/made && cd ~/made && npm i zod; cd - && rm -rf ~/made",
        "bash -c 'mkdir t; rm -rf t'",
        "make-project t --quiet && rm -rf t",
        "cp -r src t && npm test; rm -rf t",
    ] {
        assert_eq!(on(text, &Disk), Silent, "{text}");
        // Without a disk it may have been there before.
        assert!(on(text, &checkrein_guard::EmptyWorld::new("/home/dev")) >= Ask, "{text}");
    }
    for text in [
        "mkdir -p src && rm -rf src",
        "mkdir t && mv src t && rm -rf t",
        "mkdir t && git stash pop && rm -rf t",
        "ln -s ~/papers t; rm -rf t/",
        "mkdir t; sudo mount --bind ~/papers t; rm -rf t",
        "mkdir t; rm -rf ~/papers",
        "mkdir t && rm -rf \"t$X\"",
        "echo t && rm -rf ~/t",
    ] {
        assert!(on(text, &Disk) >= Ask, "{text}");
    }
}

/// One file of another commit: asked about only if the disk says that it has changes.
#[test]
fn one_file_of_another_commit() {
    for text in [
        "git checkout topic -- src/a.c",
        "git restore --source=topic~2 src/a.c",
        "git restore -s v1 -- src/a.c",
    ] {
        assert_eq!(decide(text, &Machine::new(Answer::Lost("changes".to_owned()))), Ask, "{text}");
        assert_eq!(decide(text, &Machine::new(Answer::Kept)), Silent, "{text}");
        assert_eq!(decide(text, &Machine::new(Answer::Unknown(String::new()))), Silent, "{text}");
    }
}

/// Git is asked the right question, and none at all where nothing is objected to.
#[test]
fn questions() {
    let asked = |text: &str| {
        let machine = Machine::new(Answer::Kept);
        decide(text, &machine);
        machine.asked.into_inner()
    };
    for text in [
        "git status",
        "git reset --soft HEAD~1",
        "rm -rf node_modules",
        "rm src/a.c",
        "git clean -nd",
        "git push",
        "ls -la",
        "git restore --staged src",
        "git checkout topic",
        "git checkout -b new",
        "cargo test",
        "git -C /tmp/x reset --hard",
    ] {
        assert_eq!(asked(text), [], "{text}");
    }
    let whole = Question {
        directory: "/home/dev/proj".into(),
        paths: Vec::new(),
        tracked: true,
        removes: false,
        others: Others::Stay,
        head: Head::Stays,
    };
    let at = |path: &str, question: &Question| Question { paths: vec![path.into()], ..question.clone() };
    assert_eq!(asked("git reset --hard"), std::slice::from_ref(&whole));
    let moves = Question { head: Head::Moves("origin/main".to_owned()), ..whole.clone() };
    assert_eq!(asked("git reset --hard origin/main"), [moves]);
    let leaves = Question { head: Head::Leaves("topic".to_owned()), ..whole.clone() };
    assert_eq!(asked("git checkout -f topic"), [leaves]);
    assert_eq!(asked("git restore src"), [at("/home/dev/proj/src", &whole)]);
    let cleans = Question { tracked: false, removes: false, others: Others::Untracked, ..whole.clone() };
    assert_eq!(
        asked("cd src && git clean -fd"),
        [Question { directory: "/home/dev/proj/src".into(), ..at("/home/dev/proj/src", &cleans) }]
    );
    let all = Question { removes: true, others: Others::All, ..whole.clone() };
    assert_eq!(asked("rm -rf src"), [at("/home/dev/proj/src", &all)]);
    let goes = Question { directory: "/home/dev/wt".into(), others: Others::All, head: Head::Goes, ..whole };
    assert_eq!(asked("git worktree remove -f ../wt"), [goes]);
}
