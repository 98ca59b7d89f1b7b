//! W, what runs another command: wrappers, shells, interpreters, and what they find in the environment.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Deny};
use checkrein_guard::{CallContext, EmptyWorld, judge_argv};

#[test]
fn w1_wrappers() {
    group(&[
        ("nice -n 10 ionice -c3 rm -rf /usr", Deny),
        ("setsid nohup stdbuf -oL rm -rf /usr", Deny),
        ("timeout -s KILL 5 rm -rf /usr", Deny),
        ("doas rm -rf /usr", Deny),
        ("sudo -u root -- rm -rf /usr", Deny),
        ("chroot / rm -rf /usr", Deny),
        ("flock /tmp/l rm -rf /usr", Deny),
        ("watch -n 5 'rm -rf /usr'", Deny),
        ("systemd-run --user rm -rf /usr", Deny),
        ("script -qc 'rm -rf /usr' /dev/null", Deny),
        ("strace -f -o log.txt rm -rf /usr", Deny),
        ("unshare -m rm -rf /usr", Deny),
        ("timeout 60 cargo test", Silent),
        ("nice make -j4", Silent),
        ("time ls", Silent),
    ]);
}

#[test]
fn w2_env_splits_a_string() {
    group(&[
        ("env -S 'rm -rf /usr'", Deny),
        ("env -S'A=1 rm -rf' /usr", Deny),
        ("env --split-string='rm -rf /usr'", Deny),
        ("/usr/bin/env -i -S 'rm -rf /usr'", Deny),
        ("env -S 'ls -la'", Silent),
        // Its own escapes, and options that are cut short or in one word.
        (r"env -S 'rm\_-rf\_/usr'", Deny),
        (r"env -vS'rm\_-rf\_/usr'", Deny),
        (r#"env -S 'sh -c "rm\_-rf\_/usr"'"#, Deny),
        (r"env -S 'rm -rf /usr\c and more'", Deny),
        (r#"env -S "sh -c 'true; rm -rf /usr'""#, Deny),
        (r"env -S 'rm -rf ${HOME}'", Deny),
        ("env --spl 'rm -rf /usr'", Deny),
        ("env --s='rm -rf /usr'", Deny),
        ("env -iC/ rm -rf usr", Deny),
        ("env --chd=/ rm -rf usr", Deny),
        ("env --un X rm -rf /usr", Deny),
        (r"nice env -iS 'A=b\_rm -rf' /usr", Deny),
        (r"env -S 'ls\_-la'", Silent),
        (r"env -S 'ls -la\c rm -rf /usr'", Silent),
        (r"env -S 'ls # rm -rf /usr'", Silent),
        ("env --un X ls", Silent),
        ("env -iuX A=b ls", Silent),
        ("env A=1 cargo build", Silent),
    ]);
}

#[test]
fn w3_combined_flags_of_shells() {
    group(&[
        ("bash -lc 'rm -rf /usr'", Deny),
        ("sh -xc 'rm -rf /usr'", Deny),
        ("bash -euxo pipefail -c 'rm -rf /usr'", Deny),
        ("bash --norc -c 'rm -rf /usr'", Deny),
        ("zsh -fc 'rm -rf /usr'", Deny),
        ("bash -c 'rm -rf \"$1\"' _ /usr", Deny),
        ("bash -c \"$(printf 'rm -rf /usr')\"", Deny),
        ("bash -lc 'cargo test'", Silent),
        ("sh -c 'echo \"$1\"' _ 'rm -rf /usr'", Silent),
    ]);
}

#[test]
fn w4_shells_in_shells() {
    group(&[
        ("bash -c \"sh -c 'rm -rf /usr'\"", Deny),
        ("bash -c 'bash -c \"bash -c \\\"rm -rf /usr\\\"\"'", Deny),
        ("eval eval eval rm -rf /usr", Deny),
        ("sudo sh -c 'su -c \"rm -rf /usr\"'", Deny),
        ("bash -c \"sh -c 'ls'\"", Silent),
    ]);
}

#[test]
fn w5_one_liners_of_interpreters() {
    group(&[
        ("python3 -c 'import shutil; shutil.rmtree(\"/usr\")'", Deny),
        ("python3 -c 'import os; os.system(\"rm -rf /usr\")'", Deny),
        ("perl -e 'system(\"rm -rf /usr\")'", Deny),
        ("ruby -e 'require \"fileutils\"; FileUtils.rm_rf(\"/usr\")'", Deny),
        ("node -e 'require(\"fs\").rmSync(\"/usr\", {recursive: true})'", Deny),
        ("php -r 'exec(\"rm -rf /usr\");'", Deny),
        ("awk 'BEGIN { system(\"rm -rf /usr\") }'", Deny),
        ("python3 <<< 'import shutil; shutil.rmtree(\"/usr\")'", Deny),
        ("python3 -c 'print(1)'", Silent),
        ("node -e 'console.log(\"rm -rf /usr\")'", Silent),
        ("awk '{ print $1 }' names.txt", Silent),
    ]);
}

#[test]
fn w6_encoded_text_for_a_shell() {
    group(&[
        ("echo cm0gLXJmIC91c3I= | base64 -d | sh", Deny),
        ("bash -c \"$(echo cm0gLXJmIC91c3I= | base64 --decode)\"", Deny),
        ("eval \"$(printf '\\x72\\x6d -rf /usr')\"", Deny),
        ("printf '%b' '\\162\\155 -rf /usr' | sh", Deny),
        ("echo 'rsu/ fr- mr' | rev | sh", Deny),
        ("echo 'sn -sg /vts' | tr b-za-a a-z | bash", Deny),
        ("base64 -d < payload.txt | bash", Deny),
        ("xxd -r -p <<< 726d202d7266202f757372 | sh", Deny),
        ("echo aGVsbG8= | base64 -d", Silent),
        ("base64 logo.png > logo.txt", Silent),
        ("echo 'echo hello' | sh", Silent),
    ]);
}

#[test]
fn w7_written_scripts_that_are_run() {
    group(&[
        ("echo 'rm -rf /usr' > x.sh; bash x.sh", Deny),
        ("printf 'rm -rf /usr\\n' > x.sh && chmod +x x.sh && ./x.sh", Deny),
        ("cat > /tmp/x <<'E'\nrm -rf /usr\nE\nsh /tmp/x", Deny),
        ("cp /bin/rm ./ls; ./ls -rf /usr", Deny),
        ("ln -s /bin/rm x; ./x -rf /usr", Deny),
        ("echo 'echo hi' > x.sh; bash x.sh", Silent),
        ("cat > notes.md <<'E'\nrm -rf /usr\nE", Silent),
    ]);
}

#[test]
fn w14_names_by_path_and_escape() {
    group(&[
        ("/bin/rm -rf /usr", Deny),
        ("/usr/bin/../bin/rm -rf /usr", Deny),
        ("\\rm -rf /usr", Deny),
        ("command -p rm -rf /usr", Deny),
        ("$(which rm) -rf /usr", Deny),
        ("/bin/bash -c 'rm -rf /usr'", Deny),
        ("/bin/ls -la", Silent),
        ("command -v rm", Silent),
        ("which rm", Silent),
    ]);
}

#[test]
fn w15_the_program_inside_counts() {
    let judged = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let project = Some("/home/dev/proj".to_owned());
        judge_argv(
            &words,
            &CallContext { cwd: project.clone(), project, ..CallContext::default() },
            &EmptyWorld::new("/home/dev"),
        )
        .decision
    };
    assert_eq!(judged(&["timeout", "5", "rm", "-rf", "/usr"]), Deny);
    assert_eq!(judged(&["bash", "-c", "rm -rf /usr"]), Deny);
    assert_eq!(judged(&["timeout", "5", "cargo", "test"]), Silent);
    // An argument vector is not a text: nothing in it is a separator.
    assert_eq!(judged(&["echo", "x; rm -rf /usr"]), Silent);
    assert_eq!(judged(&["echo", "x", ";", "rm", "-rf", "/usr"]), Silent);
    assert_eq!(judged(&["rm", "-rf", "$HOME"]), judged(&["rm", "-rf", "./$HOME"]));
}

#[test]
fn w16_the_environment_is_poisoned_for_later() {
    group(&[
        ("alias ls='rm -rf /usr'; shopt -s expand_aliases\nls", Deny),
        ("ls() { rm -rf /usr; }; ls", Deny),
        ("export PATH=/tmp/evil:$PATH; ls", Deny),
        ("export LD_PRELOAD=/tmp/evil.so; ls", Deny),
        ("trap 'rm -rf /usr' EXIT; ls", Deny),
        ("PROMPT_COMMAND='rm -rf /usr' bash -i", Deny),
        ("export PATH=\"$PWD/node_modules/.bin:$PATH\"; ls", Silent),
        ("trap 'rm -f out.tmp' EXIT; ls", Silent),
        ("alias ll='ls -l'; ll", Silent),
    ]);
}

#[test]
fn w17_variables_that_shells_start_with() {
    group(&[
        ("BASH_ENV=/tmp/evil bash -c ls", Deny),
        ("ENV=/tmp/evil sh -i -c ls", Deny),
        ("LD_PRELOAD=/tmp/x.so ls", Deny),
        ("LANG=C sort names.txt", Silent),
        ("HOME=./fake-home cargo test", Silent),
    ]);
}
