//! Every way to change a file of ours, or a directory above it.

use super::{Machine, everything};

/// Changes of a file of ours, and of its directory.
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
fn every_way_to_change_a_file_of_ours_at_any_path() {
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
