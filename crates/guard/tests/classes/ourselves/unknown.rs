//! Targets that may be ours, and are only known at run time.

use super::{Machine, everything, group};
use checkrein_core::Decision::{self, Ask};

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

/// Programs, languages and functions that no table has: what they do to a file of ours is unknown.
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

/// An entry that calls us by our name runs the first program with that name.
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
