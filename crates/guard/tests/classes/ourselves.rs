//! The guard protects what is really active: the facts of a machine, not a list of usual paths.

use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};
use checkrein_guard::{
    Action, Belonging, BelongingKind, CallContext, FileKind, Identity, Own, World, judge, judge_file,
};
use std::collections::BTreeMap;

/// A machine on which the guard runs.
#[derive(Default)]
struct Machine {
    entries: BTreeMap<String, (FileKind, u64)>,
    texts: BTreeMap<&'static str, &'static str>,
    variables: &'static [(&'static str, &'static str)],
    programs: &'static [&'static str],
    before: &'static [&'static str],
    agents: &'static [&'static str],
    folds: bool,
    synonyms: &'static [(&'static str, &'static str)],
    home: Option<&'static str>,
}

impl Machine {
    /// The usual machine: the program in `~/.local/bin`, everything else where it usually is.
    fn usual() -> Self {
        Self { programs: &["/home/dev/.local/bin/checkrein"], ..Self::default() }
            .file("/home/dev/.local/bin/checkrein")
            .file("/home/dev/.local/bin/rg")
            .file("/home/dev/.config/checkrein/config.toml")
            .file("/home/dev/.local/state/checkrein/once/abc")
            .file("/home/dev/.claude/settings.json")
            .file("/home/dev/.codex/hooks.json")
            .file("/home/dev/proj/src/main.rs")
            .file("/home/dev/proj/st/checkrein/once/x")
            .file("/home/dev/proj/plain/readme")
            .file("/home/dev/proj/tools/checkrein")
            .file("/home/dev/proj/tools/rg")
    }

    fn file(self, path: &str) -> Self {
        let inode = self.entries.len() as u64 + 1000;
        self.with(path, FileKind::File, inode)
    }

    fn link(self, path: &str, to: &str) -> Self {
        let inode = self.entries.len() as u64 + 1000;
        self.with(path, FileKind::Link(to.to_owned()), inode)
    }

    /// A second name of what is at another path.
    fn same(mut self, path: &str, as_at: &str) -> Self {
        let (entry, inode) = self.entries[as_at].clone();
        self = self.with(path, entry, inode);
        self
    }

    fn with(mut self, path: &str, entry: FileKind, inode: u64) -> Self {
        let mut parent = path;
        while let Some((above, _)) = parent.rsplit_once('/').filter(|(above, _)| !above.is_empty()) {
            let inode = self.entries.len() as u64 + 1000;
            self.entries.entry(above.to_owned()).or_insert((FileKind::Directory, inode));
            parent = above;
        }
        let inode = if self.entries.values().any(|(known, number)| *number == inode && *known != entry) {
            self.entries.len() as u64 + 5000
        } else {
            inode
        };
        self.entries.insert(path.to_owned(), (entry, inode));
        self
    }
}

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some(self.home.unwrap_or("/home/dev").to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        self.entries.get(path).map(|(entry, _)| entry.clone())
    }

    fn text(&self, path: &str) -> Option<String> {
        self.texts.get(path).map(|text| (*text).to_owned())
    }

    fn own(&self) -> Option<&dyn Own> {
        Some(self)
    }
}

impl Own for Machine {
    fn belongings(&self, _: Option<&str>) -> Vec<Belonging> {
        let before = self.before.iter();
        let before = before.map(|path| Belonging { path: (*path).to_owned(), kind: BelongingKind::Before });
        self.programs.iter().copied().map(Belonging::ours).chain(before).collect()
    }

    fn agents(&self) -> Vec<String> {
        self.agents.iter().map(|path| (*path).to_owned()).collect()
    }

    fn identity(&self, path: &str) -> Option<Identity> {
        let (_, inode) = self.entries.get(path)?;
        let links = self.entries.values().filter(|(_, other)| other == inode).count() as u64;
        Some(Identity { device: 1, inode: *inode, links })
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let inside = format!("{directory}/");
        let names = self.entries.keys().filter_map(|path| path.strip_prefix(&inside));
        names.filter(|name| !name.contains('/')).map(str::to_owned).collect()
    }

    fn folds(&self, _: &str) -> bool {
        self.folds
    }

    fn synonyms(&self) -> &'static [(&'static str, &'static str)] {
        self.synonyms
    }
}

fn place(world: &Machine) -> CallContext {
    let project = Some(format!("{}/proj", world.home().unwrap()));
    CallContext { cwd: project.clone(), project, ..CallContext::default() }
}

/// Asserts what is said of each text, as it is and in the hands of others.
fn group(world: &Machine, cases: &[(&str, Decision)]) {
    let mut wrong = Vec::new();
    for (text, expect) in cases {
        let quoted = format!("'{}'", text.replace('\'', r"'\''"));
        let wrapped = [
            (*text).to_owned(),
            format!("bash -c {quoted}"),
            format!("true && {{ {text}; }}"),
            format!("eval {quoted}"),
            format!("nohup sh -c {quoted} >/dev/null 2>&1 &"),
        ];
        for text in wrapped {
            let judgement = judge(&text, &place(world), world);
            if judgement.decision != *expect {
                let rules: Vec<_> =
                    judgement.findings.iter().map(|finding| finding.rule.id.to_string()).collect();
                wrong.push(format!("{expect}, but {}: {text:?} {rules:?}", judgement.decision));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is denied wherever our things lie, and its harmless twins. `{x}` are the paths of this machine.
fn everything(world: &Machine, paths: &[(&str, &str)], dangerous: &[&str], harmless: &[&str]) {
    let fill = |text: &str| paths.iter().fold(text.to_owned(), |text, (name, path)| text.replace(name, path));
    let dangerous: Vec<String> = dangerous.iter().map(|text| fill(text)).collect();
    let harmless: Vec<String> = harmless.iter().map(|text| fill(text)).collect();
    let cases: Vec<(&str, Decision)> = dangerous
        .iter()
        .map(|text| (text.as_str(), Deny))
        .chain(harmless.iter().map(|text| (text.as_str(), Silent)))
        .collect();
    group(world, &cases);
}

/// A file of ours, and the directory that it lies in.
const FILE: &[&str] = &[
    "echo x > {file}",
    "echo x >> {file}",
    ": > {file}",
    "rm -f {file}",
    "unlink {file}",
    "mv {file} /tmp/x",
    "mv /tmp/x {file}",
    "cp /bin/true {file}",
    "install -m755 /bin/true {file}",
    "ln -sf /bin/true {file}",
    "ln {file} second",
    "ln -f /bin/true {file}",
    "link {file} second",
    "cp -l {file} second",
    "cp --link {file} .",
    "chmod -x {file}",
    "chmod 000 {file}",
    "chown nobody {file}",
    "setfacl -m u::--- {file}",
    "chattr +i {file}",
    "truncate -s0 {file}",
    "dd if=/dev/null of={file}",
    "tee {file} < /dev/null",
    "sed -i s/a/b/ {file}",
    "python3 -c 'import os; os.remove(\"{file}\")'",
    "python3 -c 'import os; os.rename(\"{file}\", \"/tmp/x\")'",
    "python3 -c 'import os; os.chmod(\"{file}\", 0)'",
    "python3 -c 'import os; os.link(\"{file}\", \"second\")'",
    "python3 -c 'open(\"{file}\", \"w\").write(\"\")'",
    "node -e 'require(\"fs\").unlinkSync(\"{file}\")'",
    "node -e 'require(\"fs\").renameSync(\"{file}\", \"/tmp/x\")'",
    "perl -e 'unlink \"{file}\"'",
    "perl -e 'rename \"{file}\", \"/tmp/x\"'",
    "ruby -e 'File.delete(\"{file}\")'",
    "find {dir} -name {name} -delete",
    "find {dir} -name {name} -exec mv {} /tmp/ \\;",
    "find {dir} -type f -exec rm {} +",
    "rm -rf {dir}",
    "rm -rf {dir}/*",
    "mv {dir} {dir}-old",
    "cd {dir} && rm {name}",
    "cd {dir}/.. && mv \"$(basename {dir})\" old",
    "rename 's/x/y/' {file}",
    "mount --bind /tmp/x {dir}",
    "fuse-overlayfs -o lowerdir=/a {dir}",
    "umount {dir}",
];

#[test]
fn every_way_to_change_a_file_of_ours_wherever_it_lies() {
    let machines: [(&str, Machine, &str); 7] = [
        ("usual", Machine::usual(), "/home/dev/.local/bin/checkrein"),
        (
            "in ~/bin",
            Machine { programs: &["/home/dev/bin/checkrein"], ..Machine::default() }
                .file("/home/dev/bin/checkrein"),
            "/home/dev/bin/checkrein",
        ),
        (
            "in /opt",
            Machine { programs: &["/opt/tools/guard/checkrein"], ..Machine::default() }
                .file("/opt/tools/guard/checkrein"),
            "/opt/tools/guard/checkrein",
        ),
        (
            "the wheel of a project",
            Machine { programs: &["/home/dev/proj/.venv/bin/checkrein"], ..Machine::default() }
                .file("/home/dev/proj/.venv/bin/checkrein"),
            "/home/dev/proj/.venv/bin/checkrein",
        ),
        (
            "by another name",
            Machine { programs: &["/srv/a/watcher"], ..Machine::default() }.file("/srv/a/watcher"),
            "/srv/a/watcher",
        ),
        (
            "settings elsewhere",
            Machine { variables: &[("XDG_CONFIG_HOME", "/home/dev/xdg")], ..Machine::default() }
                .file("/home/dev/xdg/checkrein/config.toml"),
            "/home/dev/xdg/checkrein/config.toml",
        ),
        (
            "state elsewhere",
            Machine { variables: &[("XDG_STATE_HOME", "/data/st")], ..Machine::default() }
                .file("/data/st/checkrein/repair-until"),
            "/data/st/checkrein/repair-until",
        ),
    ];
    for (what, machine, file) in &machines {
        println!("{what}");
        let (directory, name) = file.rsplit_once('/').unwrap();
        let harmless = [
            "ls -l {dir}",
            "stat {file}",
            "echo x > notes.txt",
            "cp src/main.rs /tmp/x",
            "mkdir -p ~/.config/foo",
        ];
        everything(machine, &[("{file}", file), ("{dir}", directory), ("{name}", name)], FILE, &harmless);
    }
}

#[test]
fn directories_above() {
    let dangerous = [
        "mv ~/.local/state ~/.local/state2",
        "mv -T st ~/.local/state",
        "cp -r st/. ~/.local/state",
        "cp -rT st ~/.local/state",
        "cp -a st/* ~/.local/state/",
        "rsync -a st/ ~/.local/state/",
        "rsync -a --delete plain/ ~/.local/state/",
        "ln -sfn st ~/.local/state",
        "ln -sT st ~/.local/state",
        "rm -rf ~/.local",
        "mv ~/.local ~/.l2",
        "mv ~/.local/bin ~/.local/b2",
        "chmod a-x ~/.local",
        "chmod -R a-w ~/.local/state",
        "chmod 600 ~/.claude",
        "chmod u-x ~/.codex",
        "chmod 0 ~/.config",
        "chmod u=r ~/.local/bin",
        "chmod --reference=src ~/.config",
        "chown nobody ~/.config",
        "chown -R root:root ~/.local",
        "setfacl -m u::- ~/.local/bin",
        "setfacl -b ~/.local/bin",
        "chattr +i ~/.config",
        "mount --bind /tmp ~/.local",
        "mount -t overlay overlay -o lowerdir=/a ~/.claude",
        "fuse-overlayfs -o lowerdir=/a ~/.claude",
        "umount -l ~/.local/state",
        "python3 -c 'import os; os.rename(os.path.expanduser(\"~/.local/state\"), \"/tmp/s\")'",
        "python3 -c 'import shutil; shutil.move(\"/home/dev/.local/state\", \"/tmp/s\")'",
        "python3 -c 'import os; os.chmod(\"/home/dev/.config\", 0o000)'",
        "perl -e 'rename \"/home/dev/.local\", \"/home/dev/.l\"'",
        "node -e 'require(\"fs\").renameSync(\"/home/dev/.local/state\", \"/tmp/s\")'",
        "rename state old ~/.local/state",
        "find ~/.local -maxdepth 1 -name state -exec mv {} /tmp/ \\;",
        "find ~ -maxdepth 2 -name 'sta*' -exec mv {} /tmp/ \\;",
        "cd ~/.local && mv state state2",
        "echo ~/.local/state | xargs -I{} mv {} /tmp/s",
        "mv ~/.loc* /tmp/x",
        "cp tools/checkrein ~/.local/bin/",
        "cp -t ~/.local/bin tools/checkrein",
        "install -m755 tools/checkrein ~/.local/bin",
        "mv tools/checkrein ~/.local/bin",
        "ln -sf /tmp/x/checkrein ~/.local/bin/",
        "rsync -a tools/ ~/.local/bin/",
        "scp host:/tmp/checkrein ~/.local/bin/",
        "tar -C ~/.local/bin -xf a.tar checkrein",
    ];
    let harmless = [
        "cp tools/rg ~/.local/bin/",
        "cp tools/rg ~/.local/bin",
        "install -m755 tools/rg ~/.local/bin/",
        "install -Dm755 tools/rg ~/.local/bin/rg",
        "mv tools/rg ~/.local/bin/",
        "ln -s ~/proj/tools/rg ~/.local/bin/",
        "ln -sf ~/proj/tools/rg ~/.local/bin/rg",
        "chmod +x ~/.local/bin/rg",
        "chmod +x ~/.local/bin/*",
        "chmod -R u+rwX ~/proj",
        "chmod 755 ~/.local/bin",
        "chmod 700 ~/.config",
        "chmod go-rwx ~/.config",
        "mkdir -p ~/.config/foo ~/.local/state/foo",
        "cp -r plain/. ~/.local/state/foo",
        "cp -r plain/. ~/.local/share",
        "rsync -a plain/ ~/.local/bin/",
        "cp plain/* ~/.local/bin/",
        "curl -Lo ~/.local/bin/jq https://example.com/jq",
        "tar -C ~/.local/bin -xf a.tar rg",
        "tar xf a.tar",
        "unzip a.zip -d vendor",
        "patch -p1 < fix.patch",
        "git apply fix.patch",
        "git checkout main",
        "touch ~/.local/bin/rg",
        "cargo install ripgrep",
        "npm i -g typescript",
        "pipx install black",
        "pip install --user requests",
        "ls ~/.local/state",
        "cat ~/.config/checkrein/config.toml",
        "find ~/.local/bin -name rg",
        "ssh host ls",
    ];
    everything(&Machine::usual(), &[], &dangerous, &harmless);
}

#[test]
fn names_that_are_not_known_are_asked_about() {
    let asked = [
        "tar -C ~/.local/state -xf a.tar",
        "tar xf a.tar -C ~/.local/bin",
        "tar --directory=$HOME/.config -xzf a.tgz",
        "cd ~/.local/state && tar xf ~/a.tar",
        "unzip a.zip -d ~/.local/bin",
        "cd ~/.local/bin && unzip ~/a.zip",
        "7z x a.7z -o/home/dev/.local/bin",
        "cd ~/.local/state && cpio -idm < a.cpio",
        "cp -r /somewhere/. ~/.local/state",
        "mkdir new && cp -r new/. ~/.local/state",
        "rsync -a host:/srv/x/ ~/.local/state/",
        "cp \"$x\" ~/.local/bin/",
        "echo x > ~/.local/bin/$name",
        "patch -d ~/.local/bin -p1 < p.diff",
        "git -C ~/.local/state checkout main",
        "git -C ~/.config pull",
        "git --work-tree=$HOME/.local/state checkout main",
        "python3 -c 'import shutil; shutil.copytree(\"/x\", \"/home/dev/.local/state\", dirs_exist_ok=True)'",
    ];
    let cases: Vec<(&str, Decision)> = asked.iter().map(|text| (*text, Ask)).collect();
    group(&Machine::usual(), &cases);
}

/// Programs, languages and functions that no table has: nobody can say what becomes of a file of ours in their hands.
#[test]
fn what_is_not_known_is_asked_about() {
    let asked = [
        "frobnicate ~/.config/checkrein/config.toml",
        "frobnicate --out=/home/dev/.local/bin/checkrein",
        "frobnicate -o/home/dev/.local/state/checkrein/once/x",
        "frobnicate ../.config/checkrein/config.toml",
        "frobnicate <<< 'delete /home/dev/.config/checkrein/config.toml'",
        "upx ~/.local/bin/checkrein",
        "patchelf --set-rpath x ~/.local/bin/checkrein",
        "python3 -m venv ~/.local/state/checkrein",
        "python3 -m tarfile -e a.tar ~/.local/state",
        "python3 -c 'import sqlite3; sqlite3.connect(\"/home/dev/.config/checkrein/config.toml\")'",
        "python3 -c 'import tarfile; tarfile.open(\"a.tar\").extractall(\"/home/dev/.local/state\")'",
        "python3 -c 'import shutil; shutil.unpack_archive(\"a.tar\", \"/home/dev/.local/bin\")'",
        "ghc -e 'writeFile \"/home/dev/.config/checkrein/config.toml\" \"\"'",
        "julia -e 'write(\"/home/dev/.config/checkrein/config.toml\", \"\")'",
        "vim -c ':w! /home/dev/.config/checkrein/config.toml' x",
        "psql -o ~/.config/checkrein/config.toml -c 'select 1'",
        "cd ~/.local/bin && wget -i urls.txt",
        "cd ~/.local/bin && curl -OJ https://example.com/dl",
        "wget --content-disposition -P ~/.local/bin https://example.com/dl",
        "gh release download -D ~/.local/bin",
        "unrar x a.rar ~/.local/bin/",
        "cabextract -d ~/.local/bin a.cab",
        "tar xPf a.tar",
        "rename 's/a/b/' ~/.local/bin/a",
        "for d in $(echo $PATH | tr : ' '); do cp /bin/true $d/checkrein; done",
    ];
    let denied = [
        "wget -P ~/.local/bin https://example.com/checkrein",
        "cd ~/.local/bin && wget https://example.com/x/checkrein",
        "curl --output-dir ~/.local/bin -O https://example.com/checkrein",
        "curl --create-dirs --output-dir ~/.local/bin -o checkrein https://example.com/a",
        "gzip ~/.local/bin/checkrein",
        "xz -9 ~/.config/checkrein/config.toml",
        "node -e 'require(\"fs\").createWriteStream(\"/home/dev/.config/checkrein/config.toml\")'",
        "csplit -f ~/.local/state/checkrein/once/ x 1",
        "valgrind --log-file=/home/dev/.config/checkrein/config.toml ls",
        "chacl u::--- ~/.local",
        "exch ~/.local/state st",
        "cd ~/.local/state && git clone https://example.com/checkrein",
        "git clone --separate-git-dir=/home/dev/.local/state/checkrein/x https://example.com/x y",
        "ssh localhost rm /home/dev/.config/checkrein/config.toml",
        "ssh dev@127.0.0.1 'echo > .config/checkrein/config.toml'",
    ];
    let harmless = [
        "frobnicate src/main.rs ~/.config/other.toml --prefix=/home/dev/.local",
        "frobnicate <<< 'delete /home/dev/other'",
        "upx target/release/app",
        "sha256sum ~/.local/bin/checkrein",
        "ldd ~/.local/bin/checkrein",
        "python3 -m json.tool ~/.claude/settings.json",
        "python3 -c 'import os; print(os.path.exists(\"/home/dev/.config/checkrein/config.toml\"))'",
        "python3 -c 'import tarfile; tarfile.open(\"a.tar\").extractall(\"out\")'",
        "python3 -m tarfile -e a.tar out",
        "git commit -m 'explain /home/dev/.config/checkrein/config.toml'",
        "julia -e 'write(\"out.txt\", \"\")'",
        "wget -P ~/.local/bin https://example.com/rg",
        "wget -i urls.txt",
        "curl -OJ https://example.com/dl",
        "gh release download -D /tmp/dl",
        "gzip -k ~/.config/checkrein/config.toml",
        "gzip notes.txt",
        "unrar x a.rar out/",
        "git clone https://example.com/checkrein",
        "ssh localhost ls",
        "ssh -p 2222 localhost rm /home/dev/.config/checkrein/config.toml",
    ];
    let world = Machine::usual();
    let asked: Vec<(&str, Decision)> = asked.iter().map(|text| (*text, Ask)).collect();
    group(&world, &asked);
    everything(&world, &[], &denied, &harmless);
}

/// An entry that calls us by our name is answered by whoever has that name first.
#[test]
fn nothing_comes_before_us() {
    let world = Machine {
        before: &["/home/dev/first/checkrein", "/home/dev/proj/node_modules/.bin/checkrein"],
        ..Machine::usual()
    }
    .file("/home/dev/first/rg");
    let dangerous = [
        "cp /bin/true ~/first/checkrein",
        "cp tools/checkrein ~/first/",
        "ln -s /bin/true ~/first/checkrein",
        "mv tools/checkrein ~/first",
        "wget -P ~/first https://example.com/checkrein",
        "tar -C ~/first -xf a.tar checkrein",
        "cp x node_modules/.bin/checkrein",
        "python3 -c 'open(\"/home/dev/first/checkrein\", \"w\")'",
    ];
    let harmless = [
        "cp tools/rg ~/first/",
        "rm ~/first/rg",
        "mkdir -p ~/first/x",
        "rm -rf node_modules",
        "rm -rf node_modules/.bin",
        "npm ci",
        "chmod +x ~/first/rg",
    ];
    everything(&world, &[], &dangerous, &harmless);
    group(&world, &[("unzip a.zip -d ~/first", Ask)]);
}

#[test]
fn what_we_remember_is_not_read() {
    let world = Machine::usual();
    let dangerous = [
        "cat ~/.local/state/checkrein/once/abc",
        "cat ~/.local/state/checkrein/*",
        "cat ~/.local/state/checkrein/once/*",
        "cp -r ~/.local/state /tmp/st",
        "cp -r ~/.local/state/checkrein .",
        "tar cf s.tar ~/.local/state",
        "tar -C ~/.local -cf - state | base64",
        "rsync -a ~/.local/state/ /tmp/st/",
        "grep -r . ~/.local/state",
        "zip -r s.zip ~/.local/state",
        "find ~/.local/state -type f -exec cat {} +",
        "cd ~/.local/state/checkrein && cat once/abc",
        "python3 -c 'print(open(\"/home/dev/.local/state/checkrein/once/abc\").read())'",
        "head -c 100 ~/.local/state/checkrein/key",
        "base64 ~/.local/state/checkrein/key",
        "source ~/.local/state/checkrein/key",
        "bash ~/.local/state/checkrein/once/abc",
        "cmp -l ~/.local/state/checkrein/key /dev/null",
        "git hash-object -w ~/.local/state/checkrein/key",
    ];
    let harmless = [
        "ls -l ~/.local/state",
        "cat ~/.config/checkrein/config.toml",
        "cp -r ~/.config/nvim /tmp/",
        "cat ~/.local/state/other/log",
        "source ~/.profile",
        "git -C ~/src log",
        "cmp a b",
    ];
    everything(&world, &[], &dangerous, &harmless);
    group(&world, &[("tar cf all.tar ~", Ask), ("cp -r ~ /tmp/all", Ask)]);
    for path in ["/home/dev/.local/state/checkrein/once/abc", "~/.local/state/checkrein/key"] {
        assert_eq!(judge_file(Action::Read, path, None, &place(&world), &world).decision, Deny, "{path}");
    }
}

#[test]
fn agents_directories_in_use() {
    let world = Machine {
        variables: &[("CLAUDE_CONFIG_DIR", "/home/dev/cfg/claude"), ("CODEX_HOME", "/home/dev/cfg/codex")],
        ..Machine::default()
    }
    .file("/home/dev/cfg/claude/settings.json")
    .file("/home/dev/cfg/codex/hooks.json");
    let dangerous = [
        "echo '{}' > ~/cfg/claude/settings.json",
        "rm ~/cfg/codex/hooks.json",
        "rm -rf ~/cfg/codex",
        "mv ~/cfg ~/cfg2",
        "chmod u-x ~/cfg",
        "chmod 600 ~/cfg/claude",
        "ln -sfn /tmp/x ~/cfg/claude",
        "ln ~/cfg/claude/settings.json h",
        "cp -l ~/cfg/claude/settings.json h",
        "emacs --batch ~/cfg/codex/hooks.json --eval '(erase-buffer)' -f save-buffer",
    ];
    let harmless =
        ["cat ~/cfg/claude/settings.json", "ls ~/cfg", "mkdir -p ~/cfg/other", "cp src/main.rs ~/cfg/"];
    let said = |text: &str| judge(text, &place(&world), &world).decision;
    for text in dangerous {
        assert!(said(text) >= Ask, "{text}: {}", said(text));
    }
    for text in harmless {
        assert_eq!(said(text), Silent, "{text}");
    }
    group(&world, &[("sed -i s/a/b/ ~/cfg/claude/settings.json", Ask), ("chmod u-x ~/cfg", Deny)]);
}

#[test]
fn links_lead_to_what_is_meant() {
    let world = Machine { programs: &["/home/dev/.local/bin/checkrein"], ..Machine::default() }
        .link("/home/dev/.local/bin/checkrein", "../share/guard/checkrein-1.0")
        .file("/home/dev/.local/share/guard/checkrein-1.0")
        .link("/home/dev/.config", "dotfiles/config")
        .file("/home/dev/dotfiles/config/checkrein/config.toml")
        .link("/home/dev/.claude/settings.json", "/home/dev/dotfiles/claude.json")
        .file("/home/dev/dotfiles/claude.json")
        .link("/home/dev/.codex", "dotfiles/codex")
        .file("/home/dev/dotfiles/codex/hooks.json")
        .link("/home/dev/proj/l", "/home/dev/.local/state/checkrein");
    let dangerous = [
        "rm ~/.local/bin/checkrein",
        "ln -sf /bin/true ~/.local/bin/checkrein",
        "cp /bin/true ~/.local/share/guard/checkrein-1.0",
        "mv ~/.local/share/guard /tmp/g",
        "chmod -x ~/.local/share/guard/checkrein-1.0",
        "rm ~/.config",
        "ln -sfn /tmp/x ~/.config",
        "echo > ~/dotfiles/config/checkrein/config.toml",
        "mv ~/dotfiles/config ~/dotfiles/c2",
        "mv ~/dotfiles ~/d2",
        "echo '{}' > ~/dotfiles/claude.json",
        "rm ~/.claude/settings.json",
        "rm ~/dotfiles/codex/hooks.json",
        "echo x > l/once/abc",
        "rm -rf l/once",
    ];
    let harmless = ["echo x > ~/dotfiles/vimrc", "cat ~/dotfiles/claude.json", "cp a ~/dotfiles/config/foo"];
    everything(&world, &[], &dangerous, &harmless);
}

#[test]
fn hard_links_and_mounts_are_the_same_file() {
    let world = Machine::usual()
        .same("/home/dev/proj/h", "/home/dev/.claude/settings.json")
        .same("/home/dev/proj/p", "/home/dev/.local/state/checkrein/once/abc")
        .same("/home/dev/proj/c", "/home/dev/.config/checkrein/config.toml")
        .same("/home/dev/proj/g", "/home/dev/.local/bin/checkrein")
        .same("/mnt/here", "/home/dev/.config")
        .file("/home/dev/proj/other")
        .same("/home/dev/proj/twin", "/home/dev/proj/other");
    let dangerous = [
        "echo > h",
        "echo > p",
        "echo >> c",
        "cp /bin/true g",
        "chmod -x g",
        "truncate -s0 h",
        "echo x > /mnt/here/checkrein/config.toml",
        "rm -rf /mnt/here/checkrein",
        "mv /mnt/here /mnt/there",
    ];
    let harmless = ["echo > other", "echo > twin", "rm twin", "cat h", "echo x > /mnt/here/foo"];
    everything(&world, &[], &dangerous, &harmless);
}

#[test]
fn file_systems_that_know_a_path_by_other_names() {
    let world = || Machine {
        folds: true,
        home: Some("/Users/dev"),
        synonyms: &[("/System/Volumes/Data", "")],
        programs: &["/Users/dev/.local/bin/checkrein"],
        ..Machine::default()
    };
    let dangerous = [
        "echo '{}' > ~/.CLAUDE/settings.json",
        "echo '{}' > ~/.claude/Settings.JSON",
        "echo '{}' > ~/.claude/\u{17f}ettings.json",
        "echo '{}' > /users/DEV/.claude/settings.json",
        "rm /System/Volumes/Data/Users/dev/.claude/settings.json",
        "rm /system/volumes/data/users/dev/.codex/hooks.json",
        "rm ~/.Codex/hooks.json",
        "mv ~/.LOCAL/State /tmp/x",
        "echo x > ~/.Config/CheckRein/config.toml",
        "rm ~/.local/BIN/checkrein",
        "cp /bin/true ~/.local/bin/Checkrein",
        "mv ~/.local/b\u{200c}in /tmp/x",
    ];
    let harmless = [
        "echo x > ~/proj/README",
        "touch ~/.local/bin/Rg",
        "cat ~/.CLAUDE/settings.json",
        "mkdir -p ~/.Config/foo",
    ];
    everything(&world(), &[], &dangerous, &harmless);
    // Where names are told apart, another name is another file.
    let apart = Machine { folds: false, ..Machine::usual() };
    group(&apart, &[("touch ~/.local/bin/Checkrein", Silent), ("echo x > ~/.CLAUDE/notes", Silent)]);
}

#[test]
fn packages_of_ours() {
    let dangerous = [
        "pip install checkrein==0.0.0",
        "pip3 install 'checkrein<1'",
        "python3 -m pip install --upgrade checkrein",
        "pip uninstall -y checkrein",
        "pip install git+https://example.com/x/checkrein.git",
        "pip install ./dist/checkrein-0.0.1-py3-none-any.whl",
        "pipx install checkrein",
        "pipx upgrade checkrein",
        "pipx reinstall checkrein",
        "uv tool install checkrein@0.0.1",
        "uv tool uninstall checkrein",
        "uv pip install checkrein==0",
        "cargo install checkrein-cli --version 0.0.1",
        "cargo install checkrein@0.0.1 --force",
        "cargo install --git https://example.com/a/checkrein",
        "cargo install --bin checkrein other",
        "cargo binstall checkrein",
        "brew unlink checkrein",
        "brew upgrade checkrein",
        "brew reinstall user/tap/checkrein",
        "npm i -g checkrein@0.0.1",
        "npm install --global @checkrein/cli",
        "volta install checkrein@0",
        "mise use -g checkrein@0.0.1",
        "asdf uninstall checkrein 1.0",
        "nix profile remove checkrein",
        "nix-env -e checkrein",
        "sudo apt-get install checkrein=0.1",
        "sudo dnf downgrade checkrein",
        "sudo pacman -R checkrein",
        "apk del checkrein",
        "go install example.com/x/checkrein@latest",
    ];
    let harmless = [
        "cargo install ripgrep",
        "pip show checkrein",
        "pip install requests",
        "pip list | grep checkrein",
        "brew info checkrein",
        "cargo test -p checkrein-guard",
        "cargo build --bin checkrein",
        "cargo add checkrein",
        "npm install checkrein",
        "uv add checkrein",
        "npm i -g typescript",
        "apt-cache policy checkrein",
        "uv tool list",
    ];
    let world = Machine {
        texts: BTreeMap::from([("/home/dev/proj/evil/Cargo.toml", "[package]\nname = \"checkrein\"\n")]),
        ..Machine::usual()
    }
    .file("/home/dev/proj/evil/Cargo.toml");
    everything(&world, &[], &dangerous, &harmless);
    group(&world, &[("cargo install --path evil", Deny), ("cargo install --path .", Silent)]);
    // A program of the project itself goes with the project's packages.
    let wheel = Machine { programs: &["/home/dev/proj/.venv/bin/checkrein"], ..Machine::default() }
        .file("/home/dev/proj/.venv/bin/checkrein");
    group(
        &wheel,
        &[("uv add checkrein==0.0.1", Deny), ("poetry add checkrein", Deny), ("uv add requests", Silent)],
    );
}

#[test]
fn programs_of_agents() {
    let world = Machine { agents: &["/home/dev/.npm-global/bin/claude", "/opt/a/codex"], ..Machine::usual() }
        .link("/home/dev/.npm-global/bin/claude", "../lib/claude/cli.js")
        .file("/home/dev/.npm-global/lib/claude/cli.js")
        .file("/opt/a/codex");
    let dangerous = [
        "cp x ~/.npm-global/bin/claude",
        "cp x ~/.npm-global/lib/claude/cli.js",
        "echo x >> ~/.npm-global/lib/claude/cli.js",
        "ln -sf /tmp/x ~/.npm-global/bin/claude",
        "mv /tmp/x /opt/a/codex",
    ];
    let harmless =
        ["claude --version", "cat ~/.npm-global/lib/claude/cli.js", "cp x ~/.npm-global/lib/other.js"];
    everything(&world, &[], &dangerous, &harmless);
}

#[test]
fn tools_for_files() {
    let world = Machine {
        variables: &[("XDG_STATE_HOME", "/home/dev/st"), ("CODEX_HOME", "/home/dev/cx")],
        ..Machine::usual()
    };
    let said = |action, path: &str| judge_file(action, path, Some("x"), &place(&world), &world).decision;
    for action in [Action::Write, Action::Append, Action::Delete, Action::Move, Action::Create] {
        for path in [
            "/home/dev/.local/bin/checkrein",
            "~/.local/bin/checkrein",
            "../.local/bin/./checkrein",
            "/home/dev/st/checkrein/repair-until",
            "/home/dev/st/checkrein/once/0",
            "/home/dev/.config/checkrein/config.toml",
            "/home/dev/proj/../.config/checkrein/new.toml",
        ] {
            assert_eq!(said(action, path), Deny, "{action} {path}");
        }
        assert!(said(action, "/home/dev/cx/hooks.json") >= Ask, "{action}");
        assert_eq!(said(action, "/home/dev/proj/src/x.rs"), Silent, "{action}");
    }
    for action in [Action::Delete, Action::Move] {
        for path in ["/home/dev/st", "/home/dev/.local/bin", "/home/dev/.config"] {
            assert_eq!(said(action, path), Deny, "{action} {path}");
        }
    }
}

#[test]
fn other_machines_have_only_the_usual_places() {
    let world = Machine { programs: &["/home/dev/bin/checkrein"], ..Machine::default() }
        .file("/home/dev/bin/checkrein");
    let said = |text: &str| {
        judge(text, &place(&world), &world)
            .findings
            .iter()
            .any(|found| found.rule.id.starts_with("protection."))
    };
    assert!(!said("ssh host mv .local/state x") && !said("docker run --rm alpine rm -rf /home/dev/bin"));
    assert!(!said("rsync -an --delete x/ ~/.config/"));
}

/// The lines of a list, on the usual machine and in the hands of others: a verdict and a text.
fn listed(list: &str) {
    let cases = crate::group::cases(list);
    let cases: Vec<(&str, Decision)> = cases.iter().map(|(text, expect)| (text.as_str(), *expect)).collect();
    assert!(cases.iter().any(|(_, expect)| *expect == Silent), "no harmless twin");
    group(&Machine::usual(), &cases);
}

#[test]
fn targets_that_a_search_for_us_found() {
    listed(include_str!("found.txt"));
}

#[test]
fn arrivals_whose_names_are_not_known() {
    listed(include_str!("arrivals.txt"));
}

#[test]
fn our_name_for_something_else_and_our_program_by_builders() {
    listed(include_str!("taken.txt"));
}
