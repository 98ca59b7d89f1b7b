//! Git as an interpreter: tables of commands and what is decided about them.

use checkrein_core::Decision;
use checkrein_guard::{CallContext, EmptyWorld, FileKind, Judgement, World, judge, rules};
use std::collections::BTreeMap;

fn place() -> CallContext {
    CallContext {
        cwd: Some("/home/ann/shop".to_owned()),
        project: Some("/home/ann/shop".to_owned()),
        ..CallContext::default()
    }
}

fn judged(text: &str) -> Judgement {
    judge(text, &place(), &EmptyWorld::new("/home/ann"))
}

/// The decision of the rules about git alone: other packs have their own tests.
fn decision(judgement: &Judgement) -> Decision {
    let own = judgement.findings.iter().filter(|finding| finding.rule.id.starts_with("git."));
    own.map(|finding| finding.rule.decision).max().unwrap_or(Decision::Abstain)
}

fn all(expected: Decision, table: &[&str]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|text| (text, judged(text)))
        .filter(|(_, judgement)| decision(judgement) != expected)
        .map(|(text, judgement)| format!("{text}\n    {:?} {:#?}", decision(&judgement), shown(&judgement)))
        .collect();
    assert!(wrong.is_empty(), "expected {expected:?}:\n{}", wrong.join("\n"));
}

fn shown(judgement: &Judgement) -> Vec<String> {
    judgement.effects.iter().map(ToString::to_string).collect()
}

#[test]
fn every_rule_keeps_its_examples() {
    let own = rules().iter().filter(|rule| rule.id.starts_with("git."));
    let mut wrong = Vec::new();
    for rule in own {
        assert!(rule.matches.len() > 1 && rule.not_matches.len() > 1, "{}: too few examples", rule.id);
        for text in rule.matches.iter() {
            let judgement = judged(text);
            if !judgement.findings.iter().any(|finding| finding.rule.id == rule.id) {
                wrong.push(format!("{} is not about `{text}`: {:?}", rule.id, shown(&judgement)));
            }
            if decision(&judgement) != rule.decision {
                wrong.push(format!("{}: another rule decides on `{text}`: {:?}", rule.id, shown(&judgement)));
            }
        }
        let proposed = rule.suggestion.split('`').skip(1).step_by(2);
        for text in rule.not_matches.iter().map(AsRef::as_ref).chain(proposed) {
            let judgement = judged(text);
            if judgement.decision != Decision::Abstain {
                wrong.push(format!("{}: `{text}` is not free: {:?}", rule.id, shown(&judgement)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn work_that_is_thrown_away() {
    all(
        Decision::Deny,
        &[
            "git reset --hard",
            "git reset HEAD~3 --hard",
            "git reset --har @~2",
            "git reset -q --hard -- ",
            "git checkout .",
            "git checkout ./",
            "git checkout -f topic",
            "git checkout --forc topic",
            "git checkout -qf",
            "git checkout HEAD -- .",
            "git checkout topic -- src/ tests/",
            "git checkout -- '*.c'",
            "git checkout -- *.c",
            "git checkout -- ':!keep.txt'",
            "git checkout HEAD~2 src/",
            "git restore .",
            "git restore -SW src",
            "git restore --source=HEAD~4 --staged --worktree -- :/",
            "git restore --so HEAD~4 lib/",
            "git switch -f topic",
            "git switch topic --disc",
            "git clean -df",
            "git clean -d --for",
            "git clean -ffdx",
            "git clean -nf --no-dry-run",
            "git -c clean.requireForce=false clean -d",
            "git checkout-index --force --all",
            "git read-tree --reset -u HEAD~1",
            "git rm -rf src",
            "git rm -r -f .",
            "git worktree remove --force ../shop-topic",
            "git submodule deinit --force libs/a",
            "git stash clear",
            "git stash -u && git stash drop",
        ],
    );
    all(
        Decision::Ask,
        &[
            "git reset --merge",
            "git checkout -- lib/a.rs",
            "git checkout lib/a.rs",
            "git checkout HEAD -- lib/a.rs",
            "git checkout topic -- a.rs b.rs",
            "git checkout --theirs .",
            "git restore a.rs",
            "git restore \"$file\"",
            "git rm -f a.rs",
            "git rm -r .",
            "git clean -fdX",
            "git clean -id",
            "git stash drop --quiet",
            "git submodule update --init --force",
            "git checkout --pathspec-from-file=list",
        ],
    );
}

#[test]
fn what_is_usual_is_free() {
    all(
        Decision::Abstain,
        &[
            "git status -sb",
            "git add -A && git commit -m 'git reset --hard' && git push",
            "git commit -am '--no-verify'",
            "git commit -m--no-verify",
            "git commit -F - <<'E'\ngit push --force\nE",
            "git commit --amend --no-edit",
            "git commit --fixup=HEAD --no-gpg-sign",
            "git log --grep='push --force' -S'reset --hard' --oneline",
            "git log -n 3 -- '*.rs'",
            "git grep -n 'clean -fdx' -- docs",
            "git diff --stat main...topic",
            "git show HEAD:src/main.rs",
            "git log --oneline -- .env",
            "git diff --stat .env",
            "git tag -a v2 -m 'branch -D all'",
            "git notes add -m 'stash clear'",
            "git fetch --all --prune --force",
            "git pull --rebase --autostash",
            "git merge --no-ff topic",
            "git merge --abort",
            "git rebase -i --autosquash main",
            "git rebase --abort",
            "git am --abort",
            "git cherry-pick -n topic~1",
            "git revert -n HEAD",
            "git checkout topic",
            "git checkout v1.4.0",
            "git checkout release/2.x",
            "git checkout -B topic origin/topic",
            "git checkout -p",
            "git checkout --ours lib/a.rs",
            "git checkout -- dist/",
            "git switch -c topic",
            "git switch -",
            "git restore --staged .",
            "git restore -p",
            "git reset",
            "git reset HEAD~1",
            "git reset --keep HEAD~1",
            "git reset -- --hard",
            "git stash",
            "git stash push -m 'drop' -- clear",
            "git stash pop",
            "git stash && git pull && git stash pop",
            "git push -u origin topic",
            "git push --force-with-lease=topic origin topic",
            "git push --force --dry-run",
            "git push origin HEAD:refs/for/main",
            "git clean -nfd",
            "git clean -fd build/",
            "git gc --prune=2.weeks.ago",
            "git branch --list -a",
            "git branch -m old new",
            "git branch -dr origin/topic",
            "git remote remove fork",
            "git worktree add ../shop-topic topic",
            "git worktree remove ../shop-topic",
            "git submodule update --init --depth 1",
            "git submodule foreach git status",
            "git submodule foreach --recursive 'npm test'",
            "git bisect run npm test",
            "git rebase -x 'cargo test' main",
            "git config --global user.email ann@example.org",
            "git config --global alias.st status",
            "git config --global core.editor 'code --wait'",
            "git config --global core.pager delta",
            "git config --global credential.helper store",
            "git config --unset core.fsmonitor",
            "git config --get core.fsmonitor",
            "git config core.fsmonitor true",
            "git config core.hooksPath .husky",
            "git -c core.pager='less -FRX' log",
            "git -c core.editor=true commit --amend",
            "git -c sequence.editor='sed -i 1d' rebase -i main",
            "git -c credential.helper='!f() { echo username=x; echo \"password=$TOKEN\"; }; f' fetch",
            "git -c core.sshCommand='ssh -i ~/.ssh/deploy' fetch",
            "git clone --depth 1 https://git.example.org/a/b.git",
            "git clone -c core.autocrlf=input https://git.example.org/a/b.git",
            "git init -b main",
            "git apply --stat --check a.patch",
            "git reset --help --hard",
            "git help reset",
            "git clean -h",
            "git --no-pager diff",
            "git -C /tmp/scratch reset --hard && git -C /tmp/scratch clean -fdx && git -C /tmp/scratch branch -D x",
            "cd /tmp/work && git checkout -f main && git stash clear",
            "git lfs pull",
            "git unheard-of --force",
        ],
    );
}

#[test]
fn what_others_have_is_kept() {
    all(
        Decision::Deny,
        &[
            "git push -f",
            "git push -uf origin topic",
            "git push origin topic --for",
            "git push --force-with-lease -f origin topic",
            "git push origin +topic",
            "git push origin HEAD:main +a:b",
            "git push --force-with-lease origin +main",
            "git push --mirror",
            "git push origin --prune 'refs/heads/*'",
            "git push origin :main",
            "git push --delete origin main",
            "git push origin -d refs/heads/release/2",
            "git -c remote.origin.push=+HEAD:main push",
            "git -c remote.origin.mirror=true push",
            "git filter-branch --force --index-filter 'git rm --cached big.bin' HEAD",
            "git filter-repo --invert-paths --path big.bin",
            "git reflog expire --expire=now --all",
            "git reflog expire --expire-unreachable 0 --all",
            "git update-ref -d HEAD",
            "git config gc.reflogExpire now",
            "ssh build.example.org 'cd app && git push -f'",
        ],
    );
    all(
        Decision::Ask,
        &[
            "git push origin :topic",
            "git push --delete origin topic",
            "git push origin --delete \"$branch\"",
            "git push --force-with-lease origin main",
            "git branch -D topic other",
            "git branch -df topic",
            "git branch --delete --forc topic",
            "git branch -f main HEAD~3",
            "git branch --merged | xargs git branch -D",
            "git tag -d v1",
            "git update-ref -d refs/heads/topic",
            "git reflog delete HEAD@{2}",
            "git gc --prune=now --aggressive",
            "git prune",
            "git commit -n -m x",
            "git commit -anm x",
            "git commit --no-verif -m x",
            "git push --no-verify origin topic",
            "git merge --no-verify topic",
            "git rebase --no-verify main",
            "git -c core.hooksPath= commit -m x",
            "git config core.hooksPath /dev/null",
        ],
    );
}

#[test]
fn settings_that_run_something() {
    all(
        Decision::Deny,
        &[
            "git -c core.fsmonitor=./x status",
            "git -c CORE.SSHCommand='./x -y' fetch",
            "git -c core.pager='sh -c x' log",
            "git -c diff.external=./x diff",
            "git -c diff.img.textconv=./x diff",
            "git -c gpg.ssh.program=./x commit -S",
            "git -c credential.helper='!./x' fetch",
            "git -c credential.https://git.example.org.helper=/tmp/x fetch",
            "git -c core.hooksPath=/tmp/hooks commit -m x",
            "git -c include.path=/tmp/more status",
            "git -c submodule.a.update='!./x' submodule update",
            "git -c 'url.ext::sh -c x.insteadOf=https://a' fetch",
            "git --config-env=core.pager=X log",
            "git --exec-path=/tmp/bin status",
            "git config core.sshCommand ./x",
            "git config --global filter.a.smudge './x %f'",
            "git config set merge.a.driver './x %A'",
            "git config --add uploadpack.packObjectsHook ./x",
            "git config -f ~/.gitconfig core.askPass ./x",
            "git clone --config core.fsmonitor=./x https://git.example.org/a.git",
            "git clone -u ./x git.example.org:a.git",
            "git clone 'ext::./x %S' a",
            "git clone --template=/tmp/t https://git.example.org/a.git",
            "git remote add x 'ext::./x'",
            "git ls-remote --upload-pack='./x' origin",
            "git fetch --upl ./x origin",
            "git push --receive-pack=./x origin topic",
            "git archive --remote=origin --exec=./x HEAD",
            "git grep -O./x word",
            "git grep --open-files-in-pager='./x' word",
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./x git status",
            "export GIT_CONFIG_VALUE_0=./x GIT_CONFIG_KEY_0=core.pager; git log",
        ],
    );
    all(
        Decision::Ask,
        &[
            "git -c core.editor=./x commit",
            "git config alias.t '!./x'",
            "git config --global include.path ~/more",
            "git -c \"$setting\" status",
            "git difftool -x ./x",
        ],
    );
}

#[test]
fn every_spelling_is_the_same_command() {
    all(
        Decision::Deny,
        &[
            "g=git; $g clean -fd",
            "git re'se't --ha\"r\"d",
            "for mode in --soft --hard; do git reset $mode; done",
            "m=hard; git reset --$m",
            "git reset --$mode",
            "flags='reset --hard'; git $flags",
            "git \"$command\" --hard",
            "git -C \"$(git rev-parse --show-toplevel)\" clean -fd",
            "cd \"$(git rev-parse --show-toplevel)\" && git checkout .",
            "git --git-dir=.git --work-tree=. checkout -f",
            "git --git-dir .git --work-tree . reset --hard",
            "git -p --no-replace-objects -c color.ui=never reset --hard",
            "/usr/bin/git reset --hard",
            "git.exe reset --hard",
            "env -i git reset --hard",
            "sh -c 'git reset --hard'",
            "find . -name .git -execdir git reset --hard \\;",
            "echo topic | xargs git checkout -f",
            "git submodule foreach 'git reset --hard'",
            "git submodule foreach --recursive git clean -fdx",
            "git bisect run git reset --hard",
            "git bisect run sh -c 'git clean -fdx'",
            "git rebase -x 'git push -f' main",
            "git rebase --exec='git push -f' main",
            "git for-each-repo --config=maintenance.repo reset --hard",
            "git filter-branch --tree-filter 'git clean -fd' HEAD",
            "git -c core.editor='git reset --hard' commit",
            "git --work-tree=$HOME checkout -f",
            "git --git-dir=/home/ann/shop/.git -C /tmp/x stash clear",
        ],
    );
}

#[test]
fn aliases_are_what_they_stand_for() {
    all(
        Decision::Deny,
        &[
            "git -c alias.x='reset --hard' x HEAD~1",
            "git -c alias.x=reset x --hard",
            "git -c alias.x='!git reset --hard' x",
            "git -c alias.x='!f() { git push \"$@\"; }; f' x --force",
            "git -c alias.a='b HEAD~1' -c alias.b='reset --hard' a",
            "git -c alias.x.command='reset --hard' x",
            "git -c Alias.X='c\"lea\"n -f\\d' X",
            "git config alias.x 'reset --hard'; git x",
            "git config --global alias.x '!git push'; git x -f",
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='reset --hard' git x",
        ],
    );
    let looped = judged("git -c alias.a=b -c alias.b=a a");
    assert!(looped.effects.is_empty(), "{:?}", shown(&looped));
    // A loop ends, and git never looks at an alias with the name of a command.
    all(
        Decision::Abstain,
        &[
            "git -c alias.a=b -c alias.b=a a",
            "git -c alias.status='reset --hard' status",
            "git -c alias.st='status -s' st",
        ],
    );
}

/// A machine with a few files.
struct Disk(BTreeMap<&'static str, String>);

impl World for Disk {
    fn home(&self) -> Option<String> {
        Some("/home/ann".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        let directory = format!("{path}/");
        match self.0.contains_key(path) {
            true => Some(FileKind::File),
            false => self.0.keys().any(|file| file.starts_with(&directory)).then_some(FileKind::Directory),
        }
    }

    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }
}

fn on(disk: &[(&'static str, &str)], cwd: &str, text: &str) -> Judgement {
    let disk = Disk(disk.iter().map(|(path, text)| (*path, (*text).to_owned())).collect());
    judge(text, &CallContext { cwd: Some(cwd.to_owned()), ..place() }, &disk)
}

#[test]
fn aliases_of_the_repository_are_read() {
    let config = "[core]\n\tbare = false\n[alias]\n\twipe = reset --hard\n\tGone = \"!git clean -fdx\"\n\tst = status\n";
    let disk =
        [("/home/ann/shop/.git/config", config), ("/home/ann/.gitconfig", "[alias] undo = checkout .")];
    for text in ["git wipe", "git wipe HEAD~1", "git gone", "git undo"] {
        for cwd in ["/home/ann/shop", "/home/ann/shop/src/deep"] {
            assert_eq!(decision(&on(&disk, cwd, text)), Decision::Deny, "{text} in {cwd}");
        }
    }
    assert_eq!(decision(&on(&disk, "/home/ann/other", "git -C .. -C shop wipe")), Decision::Deny);
    assert_eq!(decision(&on(&disk, "/home/ann/other", "git --git-dir=../shop/.git wipe")), Decision::Deny);
    assert_eq!(on(&disk, "/home/ann/shop", "git st").decision, Decision::Abstain);
    assert_eq!(on(&disk, "/home/ann/other", "git wipe").decision, Decision::Abstain);
    let written = "git st; printf '[alias]\\n x = reset --hard\\n' >> .git/config; git x";
    assert_eq!(decision(&on(&disk, "/home/ann/shop", written)), Decision::Deny);
    let linked = [
        ("/home/ann/shop/.git/config", config),
        ("/home/ann/tree/.git", "gitdir: /home/ann/shop/.git/worktrees/tree\n"),
        ("/home/ann/third/.git/config", "[include]\n path = ../more\n"),
        ("/home/ann/third/.git/../more", config),
    ];
    assert_eq!(decision(&on(&linked, "/home/ann/tree", "git wipe")), Decision::Deny);
    assert_eq!(decision(&on(&linked, "/home/ann/third", "git wipe")), Decision::Deny);
}

#[test]
fn a_repository_that_runs_something_is_judged_by_it() {
    let hostile = [("/home/ann/shop/.git/config", "[core]\n fsmonitor = git push --force\n")];
    assert_eq!(decision(&on(&hostile, "/home/ann/shop", "git status -s")), Decision::Deny);
    let ordinary = [(
        "/home/ann/shop/.git/config",
        "[core]\n editor = vim\n[filter \"lfs\"]\n clean = git-lfs clean -- %f\n[alias]\n x = reset --hard\n",
    )];
    assert_eq!(on(&ordinary, "/home/ann/shop", "git status -s").decision, Decision::Abstain);
}

#[test]
fn hostile_files_end() {
    let mut chain = "[alias]\n".to_owned();
    for number in 0..2000 {
        chain.push_str(&format!("a{number} = a{}\n", number + 1));
    }
    let endless = format!("[include]\npath = config\n{}", "[a \"".repeat(9000));
    for config in [chain.as_str(), endless.as_str(), "[\n]=\\\n\\", "[alias]\nx = !git x\n", "gitdir:"] {
        let disk = [("/home/ann/shop/.git/config", config)];
        on(&disk, "/home/ann/shop", "git a0; git x; git status");
        let file = [("/home/ann/shop/.git", config)];
        on(&file, "/home/ann/shop", "git a0");
    }
}

#[test]
fn a_disk_says_what_is_a_directory() {
    let disk = [("/home/ann/shop/Sources/a.c", ""), ("/home/ann/shop/run", "")];
    assert_eq!(decision(&on(&disk, "/home/ann/shop", "git checkout -- Sources")), Decision::Deny);
    assert_eq!(decision(&on(&disk, "/home/ann/shop", "git checkout Sources")), Decision::Deny);
    assert_eq!(decision(&on(&disk, "/home/ann/shop", "git checkout -- run")), Decision::Ask);
    assert_eq!(decision(&on(&disk, "/home/ann/shop", "git checkout topic")), Decision::Abstain);
}

#[test]
fn texts_that_git_runs_are_followed() {
    let commands = [
        "git -c alias.x='!shred notes' x",
        "git -c core.sshCommand='shred notes' fetch",
        "git -c core.editor='shred notes' commit",
        "git config core.pager 'shred notes'",
        "git clone 'ext::shred notes' a",
        "git rebase -x 'shred notes' main",
        "git bisect run shred notes",
        "git submodule foreach 'shred notes'",
        "git difftool -y --extcmd='shred notes'",
        "git grep -O'shred notes' word",
        "git archive --exec='shred notes' --remote=x HEAD",
        "git filter-branch --msg-filter 'shred notes' HEAD",
        "git send-email --sendmail-cmd='shred notes' a.patch",
        "git daemon --access-hook='shred notes'",
        "GIT_CONFIG_KEY_1=core.askPass GIT_CONFIG_VALUE_1='shred notes' git fetch",
    ];
    for text in commands {
        let ran = judged(text).ran;
        assert!(ran.iter().any(|ran| ran.words == ["shred", "notes"]), "{text}: {ran:?}");
    }
    for text in
        ["git commit -m '!shred notes'", "git log --grep 'shred notes'", "git tag -m 'shred notes' v1"]
    {
        assert!(
            judged(text).ran.iter().all(|ran| ran.words.first().is_some_and(|name| name == "git")),
            "{text}"
        );
    }
}

#[test]
fn files_that_git_reads_and_writes() {
    let table: &[(&str, &str)] = &[
        ("git diff --output=/etc/motd", "write /etc/motd (system)"),
        ("git log -p --output /etc/motd", "write /etc/motd (system)"),
        ("git archive -o /etc/a.tar HEAD", "write /etc/a.tar (system)"),
        ("git bundle create /etc/a.bundle --all", "write /etc/a.bundle (system)"),
        ("git format-patch -o /etc/out HEAD~2", "create /etc/out (system)"),
        ("git diff --no-index /dev/null ~/.netrc", "read /home/ann/.netrc (personal, secret)"),
        ("git show HEAD:.env", "read /home/ann/shop/.env (project, secret)"),
        ("git diff -- .env", "read /home/ann/shop/.env (project, secret)"),
        ("git log -p .env", "read /home/ann/shop/.env (project, secret)"),
        ("git grep KEY -- .env", "read /home/ann/shop/.env (project, secret)"),
        ("git commit -F ~/.netrc", "read /home/ann/.netrc (personal, secret)"),
        ("git config -f /etc/c user.name x", "append /etc/c (system)"),
        ("git rm .husky/pre-commit", "delete /home/ann/shop/.husky/pre-commit (project, git-hooks)"),
        ("git mv a .husky/pre-push", "write /home/ann/shop/.husky/pre-push (project, git-hooks)"),
        (
            "git apply <<'E'\n--- a/x\n+++ b/.husky/pre-push\nE",
            "append /home/ann/shop/.husky/pre-push (project, git-hooks)",
        ),
        ("git apply --directory=/etc x.patch", "append /etc (system)"),
        ("git clone git@git.example.org:a.git", "connect git.example.org"),
        ("git push https://git.example.org/a topic", "send git.example.org"),
        ("git -c http.sslVerify=false fetch", "unprotect http.sslVerify"),
        ("echo url=https://a | git credential fill", "reveal git credential +secret"),
        ("git ls-files | xargs rm", "delete /home/ann/shop/* (project-root) +sweeping +piped"),
    ];
    for (text, expected) in table {
        let shown = shown(&judged(text));
        assert!(shown.iter().any(|effect| effect == expected), "{text}: {shown:#?}");
    }
}
