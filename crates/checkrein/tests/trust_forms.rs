//! Trust, with real programs: however a hook names a file of the project, what runs is what was trusted.
//!
//! Each form is run once as it is, so that the table says nothing about commands that do not work here. Then the hook is
//! trusted, the file is changed, and the hook is asked. It may run the copy that was trusted, it may be skipped because
//! something changed, or it may have been shown as not covered; it may never run the changed file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{
    Config, Environment, Event, EventName, Layer, LayeredConfig, Map, Payload, Setup, ToolCall, trust::Store,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A form: the program that it needs, the files that it comes with, and the command. `@` in a file becomes a shell text that
/// leaves a mark, `%` the path of that mark, `~~` what is written there.
struct Form {
    needs: &'static str,
    files: &'static [(&'static str, &'static str)],
    command: &'static str,
}

const SH: &[(&str, &str)] = &[("g.sh", "#!/bin/sh\n@\n")];
const PY: &[(&str, &str)] = &[("g.py", "open('%','w').write('~~')\n")];
const RE: &[(&str, &str)] = &[("re.py", "open('%','w').write('~~')\n")];
const JAVA: &[(&str, &str)] = &[(
    "G.java",
    "class G { public static void main(String[] a) throws Exception { java.io.FileWriter w = new \
     java.io.FileWriter(\"%\"); w.write(\"~~\"); w.close(); } }\n",
)];
const JS: &[(&str, &str)] = &[("g.js", "require('fs').writeFileSync('%','~~')\n")];
const PM: &[(&str, &str)] = &[("g.pm", "open(F,'>','%');print F '~~';close F;1;\n")];
const AWK: &[(&str, &str)] = &[("g.awk", "BEGIN { print \"~~\" > \"%\" }\n")];
const MK: &[(&str, &str)] = &[("Makefile", "all:\n\t@\n"), ("g.mk", "all:\n\t@\n")];

const fn form(
    needs: &'static str,
    files: &'static [(&'static str, &'static str)],
    command: &'static str,
) -> Form {
    Form { needs, files, command }
}

const FORMS: &[Form] = &[
    // Named plainly.
    form("sh", SH, "./g.sh"),
    form("sh", SH, "sh g.sh"),
    form("sh", SH, "sh ./g.sh x"),
    form("sh", SH, "sh < g.sh"),
    form("sh", SH, ". ./g.sh"),
    form("bash", SH, "bash -c 'source ./g.sh'"),
    form("sh", SH, "exec ./g.sh"),
    form("sh", SH, "command ./g.sh"),
    form("sh", SH, "\"$HOOK_CONFIG_DIR\"/g.sh"),
    form("sh", SH, "\"${CLAUDE_PROJECT_DIR}/g.sh\""),
    form("sh", SH, "./sub/../g.sh || ./g.sh"),
    // Wrapped.
    form("env", SH, "env ./g.sh"),
    form("env", SH, "env -S './g.sh x'"),
    form("env", SH, "env -S'sh g.sh'"),
    form("env", SH, "env --split-string='sh ./g.sh'"),
    form("env", SH, "env -i sh g.sh"),
    form("timeout", SH, "timeout 5 ./g.sh"),
    form("timeout", SH, "timeout 5 sh -c './g.sh'"),
    form("nice", SH, "nice -n 1 ./g.sh"),
    form("nohup", SH, "nohup ./g.sh"),
    form("setsid", SH, "setsid -w ./g.sh"),
    form("xargs", SH, "echo x | xargs ./g.sh"),
    form("xargs", SH, "echo g.sh | xargs sh"),
    form("xargs", SH, "echo g.sh | xargs -I{} sh {}"),
    form("xargs", SH, "echo x | xargs -I% sh g.sh"),
    form("find", SH, "find . -name .checkrein.toml -exec ./g.sh {} \\;"),
    form("find", SH, "find . -name g.sh -exec sh {} \\;"),
    form("find", SH, "find . -name 'g.s*' -exec {} \\;"),
    form("find", SH, "find . -name g.sh -execdir sh '{}' +"),
    form("sh", SH, "sh -c 'sh g.sh'"),
    form("sh", SH, "sh -c \"sh -c './g.sh'\""),
    form("sh", SH, "eval './g.sh'"),
    form("sh", SH, "x=./g.sh; $x"),
    form("sh", SH, "x=g; sh $x.sh"),
    form("sh", SH, "set -- ./g.sh; \"$@\""),
    form("sh", SH, "f() { ./g.sh; }; f"),
    form("sh", SH, "if true; then ./g.sh; fi"),
    form("sh", SH, "echo \"$(./g.sh)\""),
    form("sh", SH, "echo `sh g.sh`"),
    form("sh", SH, "(sh g.sh) | cat"),
    form("sh", SH, "trap ./g.sh EXIT"),
    form("sh", SH, "cat g.sh | sh"),
    form("sh", SH, "sh -s < g.sh"),
    form("bash", SH, "bash -c 'bash <(cat g.sh)'"),
    form("bash", SH, "bash --rcfile g.sh -ic true"),
    form("bash", SH, "bash --init-file ./g.sh -ic true"),
    form("bash", SH, "BASH_ENV=./g.sh bash -c true"),
    form("bash", SH, "env BASH_ENV=g.sh bash -c true"),
    form("sh", SH, "ENV=./g.sh sh -ic true"),
    form("sh", SH, "cd . && ./g.sh"),
    form("sh", SH, "for f in g.sh; do sh $f; done"),
    form("sh", SH, "for f in ./*.sh; do $f; done"),
    // First lines.
    form("sh", &[("t.sh", "#!./interp\ntrue\n"), ("interp", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", &[("t.sh", "#!/usr/bin/env -S ./interp\ntrue\n"), ("interp", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", &[("t.sh", "#!/usr/bin/env -S sh interp\ntrue\n"), ("interp", "#!/bin/sh\n@\n")], "./t.sh"),
    form(
        "perl",
        &[("t.pl", "#!/usr/bin/perl -I.\nuse g;\n"), ("g.pm", "open(F,'>','%');print F '~~';close F;1;\n")],
        "./t.pl",
    ),
    // Searched for.
    form("sh", &[("bin/ls", "#!/bin/sh\n@\n")], "PATH=./bin:$PATH ls"),
    form("sh", &[("bin/ls", "#!/bin/sh\n@\n")], "PATH=bin:/bin:/usr/bin; ls"),
    form("env", &[("bin/ls", "#!/bin/sh\n@\n")], "env PATH=bin:/bin ls"),
    form("sh", &[("bin/ls", "#!/bin/sh\n@\n")], "export PATH=$PWD/bin:$PATH; ls"),
    // Interpreters.
    form("awk", AWK, "awk -f g.awk"),
    form("awk", AWK, "awk -fg.awk"),
    form("awk", SH, "awk 'BEGIN { system(\"sh g.sh\") }'"),
    form("awk", SH, "awk 'BEGIN { \"./g.sh\" | getline }'"),
    form("sed", SH, "echo x | sed 's/x/.\\/g.sh/e'"),
    form("sed", &[("g.sed", "w %\n")], "echo ~~ | sed -fg.sed"),
    form("perl", PM, "perl -I. -Mg -e 1"),
    form("perl", PM, "perl -I . -e 'use g;'"),
    form("perl", PM, "perl -e 'require \"./g.pm\"'"),
    form("perl", PM, "perl -e 'do \"./g.pm\"'"),
    form("perl", PM, "PERL5LIB=. perl -Mg -e 1"),
    form("perl", PM, "perl -Mlib=. -Mg -e 1"),
    form("perl", SH, "perl -e 'system(\"./g.sh\")'"),
    form("python3", PY, "python3 g.py"),
    form("python3", PY, "python3 -c 'import g'"),
    form("python3", PY, "python3 -c 'import os, g'"),
    form("python3", PY, "python3 -c '__import__(\"g\")'"),
    form("python3", PY, "python3 -c 'exec(open(\"g.py\").read())'"),
    form("python3", PY, "python3 -m g"),
    form("python3", PY, "python3 -mg"),
    form("python3", PY, "python3 -Bm g"),
    form("python3", PY, "python3 - <<'EOF'\nimport g\nEOF"),
    form("python3", PY, "echo 'import g' | python3"),
    form("python3", PY, "PYTHONPATH=. python3 -c 'import g'"),
    form("python3", PY, "python3 -c 'import runpy; runpy.run_path(\"g.py\")'"),
    form("python3", SH, "python3 -c 'import os; os.system(\"./g.sh\")'"),
    form("python3", &[("p/__main__.py", "open('%','w').write('~~')\n")], "python3 p"),
    form("python3", &[("p/__init__.py", ""), ("p/g.py", "open('%','w').write('~~')\n")], "python3 -m p.g"),
    form("node", JS, "node g.js"),
    form("node", JS, "node g"),
    form("node", JS, "node ./g"),
    form("node", JS, "node -r ./g -e 1"),
    form("node", JS, "node --require=./g.js -e 1"),
    form("node", JS, "node --require ./g -e 1"),
    form("node", JS, "node -e 'require(\"./g\")'"),
    form("node", JS, "NODE_OPTIONS='--require ./g.js' node -e 1"),
    form("node", &[("d/index.js", "require('fs').writeFileSync('%','~~')\n")], "node d"),
    form(
        "node",
        &[("d/package.json", "{\"main\":\"m.js\"}"), ("d/m.js", "require('fs').writeFileSync('%','~~')\n")],
        "node ./d",
    ),
    form("tclsh", &[("g.tcl", "exec sh -c {@}\n")], "tclsh g.tcl"),
    form("tclsh", &[("g.tcl", "exec sh -c {@}\n")], "echo 'source g.tcl' | tclsh"),
    form("ruby", &[("g.rb", "File.write('%','~~')\n")], "ruby -r./g -e 1"),
    form("php", &[("g.php", "<?php file_put_contents('%','~~');")], "php -r 'include \"g.php\";'"),
    form("lua", &[("g.lua", "io.open('%','w'):write('~~')\n")], "lua -e 'require \"g\"'"),
    // Tools that run something.
    form("make", MK, "make"),
    form("make", MK, "make -C ."),
    form("make", MK, "make -f g.mk"),
    form("make", MK, "make -fg.mk"),
    form("make", MK, "make --makefile=g.mk"),
    form("make", MK, "MAKEFILES=g.mk make -f /dev/null all"),
    form("make", MK, "env make -s"),
    form(
        "npm",
        &[("package.json", "{\"scripts\":{\"test\":\"sh g.sh\"}}"), ("g.sh", "#!/bin/sh\n@\n")],
        "npm test",
    ),
    form("run-parts", &[("parts/g", "#!/bin/sh\n@\n")], "run-parts parts"),
    form("git", SH, "git -c alias.x='!./g.sh' x"),
    form("git", SH, "git -c alias.x=!'sh g.sh' x"),
    form("git", SH, "git -c core.sshCommand=./g.sh ls-remote ssh://x.invalid/y"),
    form("git", SH, "GIT_SSH_COMMAND=./g.sh git ls-remote ssh://x.invalid/y"),
    form("git", SH, "GIT_SSH=./g.sh git ls-remote ssh://x.invalid/y"),
    form("git", SH, "env GIT_SSH_COMMAND='sh g.sh' git ls-remote ssh://x.invalid/y"),
    form("git", &[("x/git-y", "#!/bin/sh\n@\n")], "git --exec-path=x y"),
    form(
        "git",
        &[("conf", "[alias]\n\tx = \"!sh g.sh\"\n"), ("g.sh", "#!/bin/sh\n@\n")],
        "git -c include.path=$PWD/conf x",
    ),
    form("tar", SH, "tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec=./g.sh g.sh"),
    form("tar", SH, "tar -cf /dev/null --checkpoint=1 --checkpoint-action='exec=sh g.sh' ."),
    form("tar", SH, "tar -I./g.sh -cf x.tar g.sh"),
    form("tar", SH, "tar --use-compress-program='sh g.sh' -cf x.tar .checkrein.toml"),
    form("tar", SH, "TAR_OPTIONS='--checkpoint=1 --checkpoint-action=exec=./g.sh' tar -cf /dev/null ."),
    form("ssh", SH, "ssh -o ProxyCommand=./g.sh x.invalid"),
    form("ssh", SH, "ssh -oProxyCommand='sh g.sh' x.invalid"),
    form(
        "ssh",
        &[("conf", "Host *\n  ProxyCommand sh g.sh\n"), ("g.sh", "#!/bin/sh\n@\n")],
        "ssh -Fconf x.invalid",
    ),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es -S g.vim"),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es -c 'source g.vim'"),
    form("sqlite3", &[("g.sql", ".once %\nselect '~~';\n")], "sqlite3 :memory: '.read g.sql'"),
    form("sqlite3", &[("g.sql", ".once %\nselect '~~';\n")], "sqlite3 -init g.sql :memory: ''"),
    form("gdb", &[("g.gdb", "shell @\n")], "gdb -batch -x g.gdb"),
    form("gdb", &[("g.gdb", "shell @\n")], "gdb -batch -ex 'source g.gdb'"),
    form("ls", &[("g.sh", "#!/bin/sh\n@\n")], "alias x=./g.sh\nx"),
    // Modules that a module of the machine imports.
    form("python3", RE, "python3 -c 'import json'"),
    form("python3", RE, "python3 -c 'from json import loads'"),
    form("python3", RE, "python3 -Bc 'import json'"),
    form("python3", RE, "python3 - <<'EOF'\nimport json\nEOF"),
    form("python3", RE, "python3 -m json.tool < /dev/null"),
    form("python3", RE, "timeout 5 env LC_ALL=C python3 -m json.tool < /dev/null"),
    form("python3", RE, "sh -c 'python3 -c \"import json\"'"),
    form("python3", PY, "python3 -m timeit -n1 -r1 'import g'"),
    form("python3", PY, "python3 -m timeit -n1 -r1 -s 'import g' 1"),
    form("python3", PY, "python3 -m pdb -c c -c q g.py"),
    form("python3", PY, "python3 -m cProfile g.py"),
    form("python3", PY, "python3 -m unittest g"),
    form("python3", &[("test_g.py", "open('%','w').write('~~')\n")], "python3 -m unittest"),
    form("python3", PY, "python3 -m runpy g"),
    form("python3", PY, "python3 -BSc 'import g'"),
    form("python3", PY, "python3 < g.py"),
    form("python3", PY, "python3 -u -B g.py"),
    form("python3", PY, "python3 -X dev g.py"),
    form("python3", PY, "python3 -W ignore g.py"),
    form("bash", PY, "bash -c 'python3 <(cat g.py)'"),
    form("python3", PY, "python3 -c 'import importlib as i; i.import_module(\"g\")'"),
    form(
        "python3",
        &[("t.py", "#!/usr/bin/env -S python3 -m g\n"), ("g.py", "open('%','w').write('~~')\n")],
        "./t.py",
    ),
    form(
        "python3",
        &[("t.py", "#!/usr/bin/env -S python3 -mg\n"), ("g.py", "open('%','w').write('~~')\n")],
        "./t.py",
    ),
    form(
        "python3",
        &[("t.py", "#!/usr/bin/python3 -mg\n"), ("g.py", "open('%','w').write('~~')\n")],
        "./t.py",
    ),
    form(
        "python3",
        &[("t.py", "#!/usr/bin/python3 -cimport g\n"), ("g.py", "open('%','w').write('~~')\n")],
        "./t.py",
    ),
    // Words that `env` takes apart.
    form("env", &[("t.sh", "#!/usr/bin/env -S sh\\_g.sh\n"), ("g.sh", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", &[("t.sh", "#!/usr/bin/env -S sh g.s''h\n"), ("g.sh", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", &[("t.sh", "#!/usr/bin/env -vS sh g.sh\n"), ("g.sh", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", &[("t.sh", "#!/usr/bin/env -S sh -c './g.sh'\n"), ("g.sh", "#!/bin/sh\n@\n")], "./t.sh"),
    form(
        "env",
        &[("t.sh", "#!/usr/bin/env -S --chdir=sub sh h.sh\n"), ("sub/h.sh", "#!/bin/sh\n@\n")],
        "./t.sh",
    ),
    form("env", &[("t.sh", "#!/usr/bin/env -S -C sub sh h.sh\n"), ("sub/h.sh", "#!/bin/sh\n@\n")], "./t.sh"),
    form("env", SH, "env -S 'sh\\_g.sh'"),
    form("env", SH, "env -S 'sh g.s\"\"h'"),
    form("env", SH, "env -iS 'sh g.sh'"),
    form("env", SH, "env -vS'sh g.sh'"),
    form("env", SH, "env -S 'sh -c \"sh g.sh\"'"),
    form("env", &[("sub/h.sh", "#!/bin/sh\n@\n")], "env -C sub ./h.sh"),
    form("env", &[("sub/h.sh", "#!/bin/sh\n@\n")], "env --chdir=sub sh h.sh"),
    form("env", &[("sub/h.sh", "#!/bin/sh\n@\n")], "env -Csub sh h.sh"),
    // Other ways to name it.
    form("sh", SH, "sh -c \"$(cat g.sh)\""),
    form("bash", SH, "bash -c 'eval \"$(<g.sh)\"'"),
    form("sh", SH, "sh \"$PWD/g.sh\""),
    form("bash", SH, "bash -c 'sh ~+/g.sh'"),
    form("bash", SH, "bash -c 'sh ./g.{sh,x}'"),
    form("sh", SH, "sh g.s[h]"),
    form("sh", SH, "sh /proc/self/cwd/g.sh"),
    form("sh", SH, "sh /dev/fd/3 3< g.sh"),
    form("sh", SH, "exec 3< g.sh; sh <&3"),
    form("sh", SH, "exec < g.sh; sh"),
    form("sh", SH, "{ sh; } < g.sh"),
    form("sh", SH, "(sh -s x) < g.sh"),
    form("sh", SH, "while read -r l; do eval \"$l\"; done < g.sh"),
    form("sh", SH, "sh -- g.sh"),
    form("sh", SH, "sh +e g.sh"),
    form("bash", SH, "bash -O extglob g.sh"),
    form("bash", SH, "bash -eo pipefail g.sh"),
    form("bash", SH, "bash --norc g.sh"),
    form("bash", SH, "bash -i --rcfile g.sh -c true"),
    form("sh", SH, "sh -c 'exec \"$0\"' ./g.sh"),
    form("sh", SH, "sh -c '. \"$1\"' x ./g.sh"),
    form("sh", SH, "sh -c 'sh \"$@\"' x g.sh"),
    form("bash", SH, "bash -c 'builtin source ./g.sh'"),
    form("bash", SH, "bash -c 'exec -a x ./g.sh'"),
    form("bash", SH, "bash -c 'mapfile -t l < g.sh; eval \"${l[1]}\"'"),
    form("bash", SH, "bash -c 'enable -f ./g.sh x; . ./g.sh'"),
    form("sh", SH, "cp g.sh sub/h.sh; sh sub/h.sh"),
    form("sh", SH, "ln -sf ../g.sh sub/h.sh; sh sub/h.sh"),
    form("sh", SH, "cat g.sh > sub/h.sh; sh sub/h.sh"),
    form("sh", SH, "tee sub/h.sh < g.sh > /dev/null; sh sub/h.sh"),
    form("stdbuf", SH, "stdbuf -o0 ./g.sh"),
    form("prlimit", SH, "prlimit -- ./g.sh"),
    form("setpriv", SH, "setpriv --no-new-privs sh g.sh"),
    form("unshare", SH, "unshare -r ./g.sh || ./g.sh"),
    form("flock", SH, "flock /tmp ./g.sh"),
    form("flock", SH, "flock /tmp -c './g.sh'"),
    form("script", SH, "script -qc './g.sh' /dev/null"),
    form("script", SH, "script -q -c 'sh g.sh' /dev/null"),
    form("strace", SH, "strace -o /dev/null ./g.sh"),
    form("xargs", &[("list", "g.sh\n"), ("g.sh", "#!/bin/sh\n@\n")], "xargs -a list sh"),
    form("xargs", SH, "xargs -a g.sh -d '\\n' -n1 sh -c"),
    form("xargs", SH, "xargs sh -c < g.sh"),
    form("xargs", SH, "xargs -0 sh -c < g.sh"),
    form("parallel", SH, "parallel < g.sh"),
    // Other programs.
    form("sqlite3", SH, "sqlite3 :memory: '.shell sh g.sh'"),
    form("sqlite3", SH, "sqlite3 :memory: '.system ./g.sh'"),
    form("sqlite3", &[("g.sql", ".once %\nselect '~~';\n")], "sqlite3 :memory: < g.sql"),
    form("sqlite3", &[("g.sql", ".once %\nselect '~~';\n")], "cat g.sql | sqlite3 :memory:"),
    form("ed", &[("g.ed", "!@\nq\n")], "ed -s < g.ed"),
    form("ed", &[("g.ed", "!@\nq\n")], "cat g.ed | ed -s"),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es -u g.vim"),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es --cmd 'so g.vim'"),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es '+so g.vim'"),
    form("vim", &[("g.vim", "call writefile(['~~'],'%')\nqa!\n")], "vim -es < g.vim"),
    form("vim", SH, "vim -es '+!sh g.sh' +qa!"),
    form("gdb", SH, "gdb -batch -ex 'shell ./g.sh'"),
    form("gdb", SH, "gdb -batch -ex '!sh g.sh'"),
    form("gdb", &[("g.gdb", "shell @\n")], "gdb -batch --command=g.gdb"),
    form("gdb", &[("g.gdb", "shell @\n")], "gdb -q < g.gdb"),
    form("zip", SH, "zip -q x.zip g.sh -T -TT 'sh g.sh'"),
    form("scp", SH, "scp -S ./g.sh g.sh x.invalid:b"),
    form("ssh", SH, "ssh -o KnownHostsCommand=./g.sh -o ProxyCommand='sh g.sh' x.invalid"),
    form("git", SH, "git -c core.fsmonitor=./g.sh -C . status"),
    form("git", SH, "git init -q r; git -C r -c core.fsmonitor=../g.sh status"),
    form("git", SH, "git -c core.pager='sh g.sh' -p --version"),
    form("git", SH, "git -c core.editor=./g.sh config -f x.conf -e"),
    form("git", SH, "GIT_EDITOR=./g.sh git config -f x.conf -e"),
    form("git", SH, "git -c sequence.editor=./g.sh -c alias.x='!sh g.sh' x"),
    form("git", SH, "git -c credential.helper='!./g.sh' credential fill < /dev/null"),
    form("tar", SH, "tar -cf - g.sh | tar -xf - --to-command=./g.sh"),
    form("tar", SH, "tar -cf /dev/null -F./g.sh -ML1 g.sh"),
    form("sed", SH, "echo x | sed -n '1e ./g.sh'"),
    form("sed", SH, "echo x | sed '1e sh g.sh'"),
    form("sed", &[("g.sed", "w %\n")], "echo ~~ | sed --file=g.sed"),
    form("sed", &[("g.sed", "w %\n")], "echo ~~ | sed -nfg.sed"),
    form("awk", AWK, "awk --file=g.awk"),
    form("gawk", AWK, "gawk -i g.awk 1"),
    form("gawk", AWK, "gawk '@include \"g.awk\"'"),
    form("perl", PM, "perl -wI. -Mg -e1"),
    form("perl", PM, "perl '-Mlib q(.)' -Mg -e1"),
    form("perl", PM, "perl -e 'use lib \".\"; use g;'"),
    form("perl", PM, "perl -e 'BEGIN { push @INC, \".\" } use g;'"),
    form("perl", PM, "perl < g.pm"),
    form("perl", PM, "perl -x g.pm || perl g.pm"),
    form("perl", SH, "perl -e 'exec qw(sh g.sh)'"),
    form("perl", SH, "perl -e 'print `sh g.sh`'"),
    form(
        "node",
        &[("node_modules/x/index.js", "require('fs').writeFileSync('%','~~')\n")],
        "node -e 'require(\"x\")'",
    ),
    form(
        "node",
        &[("node_modules/x/index.js", "require('fs').writeFileSync('%','~~')\n")],
        "node -p 'require(\"x\")'",
    ),
    form("node", &[("node_modules/x/index.js", "require('fs').writeFileSync('%','~~')\n")], "node -r x -e 1"),
    form(
        "node",
        &[("node_modules/x/index.js", "require('fs').writeFileSync('%','~~')\n")],
        "node -e 'import(\"x\")'",
    ),
    form(
        "node",
        &[("node_modules/@x/y/index.js", "require('fs').writeFileSync('%','~~')\n")],
        "node -e 'require(\"@x/y\")'",
    ),
    form("node", JS, "node --input-type=module -e 'import \"./g.js\"'"),
    form("node", JS, "node --import ./g.js -e 1"),
    form("node", JS, "node --import=./g.js -e 1"),
    form("node", JS, "node -e 'import(\"./g.js\")'"),
    form("node", JS, "node < g.js"),
    form("node", JS, "node --test g.js"),
    form("node", &[("g.test.js", "require('fs').writeFileSync('%','~~')\n")], "node --test"),
    form(
        "node",
        &[("package.json", "{\"scripts\":{\"x\":\"sh g.sh\"}}"), ("g.sh", "#!/bin/sh\n@\n")],
        "node --run x",
    ),
    form("node", SH, "node -e 'require(\"child_process\").execSync(\"sh g.sh\")'"),
    form("java", JAVA, "java G.java"),
    form("java", JAVA, "java --source 11 G.java"),
    form("java", JAVA, "javac -d . G.java && java -cp . G"),
    form(
        "jshell",
        &[("g.jsh", "new java.io.FileWriter(\"%\"){{write(\"~~\");close();}};\n/exit\n")],
        "jshell -s g.jsh",
    ),
    form("make", MK, "make -f - < g.mk"),
    form("make", SH, "make -f /dev/null --eval='all:;@sh g.sh'"),
    form("make", SH, "make -f /dev/null --eval='$(shell ./g.sh)' x"),
    form("make", MK, "make -f /dev/null -f g.mk"),
    form("make", MK, "make -Bsf g.mk"),
    form("make", &[("sub/Makefile", "all:\n\t@\n")], "make -C sub"),
    form("make", &[("sub/g.mk", "all:\n\t@\n")], "make -C sub -f g.mk"),
    form("gcc", SH, "gcc -wrapper ./g.sh -x c -c -o /dev/null /dev/null"),
    form("gcc", &[("bin/as", "#!/bin/sh\n@\n")], "gcc -B./bin/ -x c -c -o /dev/null /dev/null"),
    form("gcc", &[("bin/as", "#!/bin/sh\n@\n")], "gcc -Bbin/ -x c -c -o /dev/null /dev/null"),
    form("tclsh", &[("g.tcl", "exec sh -c {@}\n")], "tclsh < g.tcl"),
    form("bash", SH, "env 'BASH_FUNC_ls%%=() { sh g.sh; }' bash -c ls"),
];

/// Commands that name nothing of the project, or only read it: trust covers them, and they keep running.
const HARMLESS: &[&str] = &[
    "cat g.sh; sh -c 'echo x'",
    "grep -c x g.sh; true",
    "python3 -I -c 'import json, sys; print(1)'",
    "python3 -c 'import sys; print(sys.argv)'",
    "PYTHONUNBUFFERED=1 python3 -Pm json.tool < /dev/null; true",
    "cat /proc/meminfo; true",
    "python3 -c 'print(2 + 3)'",
    "perl -ne 'print if /x/' g.sh",
    "awk '{ print $1 }' g.sh",
    "sed -n 's/a/b/p' g.sh",
    "sh -c 'exit 0'",
    "jq -r .tool_input.command | grep -q x; true",
    "git status --short; true",
    "git rev-parse HEAD; true",
    "LC_ALL=C sort g.sh",
    "tar -tf /dev/null; true",
    "find . -name '*.md'",
    "find src -type f -exec wc -l {} +",
    "env LC_ALL=C sort g.sh",
    "make --version; true",
    "ruff check src; true",
    "node -e 'process.exit(0)'",
];

struct Project {
    directory: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)], command: &str, letter: &str) -> Self {
        Self::in_cwd("config", files, command, letter)
    }

    fn in_cwd(cwd: &str, files: &[(&str, &str)], command: &str, letter: &str) -> Self {
        let project = Self { directory: tempfile::tempdir().unwrap(), state: tempfile::tempdir().unwrap() };
        fs::create_dir(project.path("sub")).unwrap();
        fs::create_dir(project.path(".git")).unwrap();
        project.write(files, letter);
        let command = command.replace("~~", letter);
        let config = format!(
            "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncwd = \"{cwd}\"\ntimeout = 15\ncommand = {}\n",
            serde_json::Value::from(command)
        );
        fs::write(project.path(".checkrein.toml"), config).unwrap();
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn mark(&self) -> PathBuf {
        self.state.path().join("mark")
    }

    fn write(&self, files: &[(&str, &str)], letter: &str) {
        let mark = self.mark().display().to_string();
        let leaves = format!("echo {letter} > {mark}");
        for (name, text) in files {
            let path = self.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = text.replace('@', &leaves).replace('%', &mark).replace("~~", letter);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn stack(&self) -> LayeredConfig {
        let config = Config::load_as(Layer::Project, &self.path(".checkrein.toml")).unwrap();
        LayeredConfig::new(vec![config], Some(Store::new(self.state.path())))
    }

    fn environment(&self) -> Vec<(String, String)> {
        vec![
            ("PATH".into(), "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin".into()),
            ("HOME".into(), self.state.path().display().to_string()),
        ]
    }

    /// Runs the hook as it is, without trust.
    fn run_untrusted(&self, command: &str, letter: &str) -> Option<String> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command.replace("~~", letter)).current_dir(self.directory.path()).env_clear();
        shell.envs(self.environment()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        for name in ["HOOK_CONFIG_DIR", "CLAUDE_PROJECT_DIR"] {
            shell.env(name, self.directory.path());
        }
        shell.status().unwrap();
        self.marked()
    }

    fn marked(&self) -> Option<String> {
        let mark = fs::read_to_string(self.mark()).ok();
        let _ = fs::remove_file(self.mark());
        mark.map(|mark| mark.trim().to_owned())
    }

    fn run(&self) -> Option<String> {
        self.run_from(".")
    }

    /// Asks the hook while the agent is in this directory.
    fn run_from(&self, cwd: &str) -> Option<String> {
        let environment = self.environment().into_iter().map(|(name, value)| (name.into(), value.into()));
        let setup = Setup::new(Environment::new(environment));
        let stack = self.stack();
        let (dispatcher, _) = stack.dispatcher(Some(EventName::PreToolUse), &setup);
        let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) });
        payload.session.cwd = Some(self.path(cwd).display().to_string());
        dispatcher.decide(payload);
        self.marked()
    }
}

fn is_here(program: &str) -> bool {
    ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"]
        .iter()
        .any(|directory| Path::new(directory).join(program).exists())
}

#[test]
fn no_form_runs_what_was_changed_after_it_was_trusted() {
    let (mut seen, mut skipped, mut failures) = (0, Vec::new(), Vec::new());
    for form in FORMS {
        let project = Project::new(form.files, form.command, "A");
        if !is_here(form.needs) {
            skipped.push(format!("{} is not here: {}", form.needs, form.command));
            continue;
        }
        if project.run_untrusted(form.command, "A").as_deref() != Some("A") {
            skipped.push(format!("does not run here: {}", form.command));
            continue;
        }
        seen += 1;
        let content = project.stack().rows(None).remove(0).content().unwrap();
        if !content.uncovered.is_empty() {
            continue;
        }
        Store::new(project.state.path()).trust(&content).unwrap();
        if project.run().is_some_and(|mark| mark != "A") {
            failures.push(format!("trusted, and something else ran: {}", form.command));
        }
        project.write(form.files, "BB");
        if project.run().as_deref() == Some("BB") {
            failures.push(format!("ran what was changed: {}", form.command));
        }
    }
    eprintln!("{seen} of {} forms, each with real programs; left out:\n{}", FORMS.len(), skipped.join("\n"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(seen >= 80, "{seen}");
}

/// A file that appears after the hook was trusted is not run either.
#[test]
fn no_form_runs_what_appeared_after_it_was_trusted() {
    let mut failures = Vec::new();
    for form in FORMS.iter().filter(|form| is_here(form.needs)) {
        let project = Project::new(&[], form.command, "A");
        let Ok(content) = project.stack().rows(None).remove(0).content() else { continue };
        if !content.uncovered.is_empty() {
            continue;
        }
        Store::new(project.state.path()).trust(&content).unwrap();
        project.write(form.files, "BB");
        if project.run().as_deref() == Some("BB") {
            failures.push(form.command);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// In any directory of the agent, nothing is run that was not reviewed.
#[test]
fn no_form_runs_what_is_in_the_agents_directory() {
    let (mut failures, mut covered) = (Vec::new(), 0);
    for form in FORMS.iter().filter(|form| is_here(form.needs)) {
        for at_root in [&[][..], form.files] {
            let project = Project::in_cwd("session", at_root, form.command, "A");
            let Ok(content) = project.stack().rows(None).remove(0).content() else { continue };
            if !content.uncovered.is_empty() {
                continue;
            }
            covered += 1;
            Store::new(project.state.path()).trust(&content).unwrap();
            let below: Vec<(String, &str)> =
                form.files.iter().map(|(name, text)| (format!("sub/{name}"), *text)).collect();
            let below: Vec<(&str, &str)> = below.iter().map(|(name, text)| (name.as_str(), *text)).collect();
            project.write(&below, "BB");
            if project.run_from("sub").as_deref() == Some("BB") {
                failures.push(form.command);
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(covered >= 60, "{covered}");
}

#[test]
fn harmless_commands_are_covered() {
    for command in HARMLESS {
        let project = Project::new(SH, command, "A");
        let content = project.stack().rows(None).remove(0).content().unwrap();
        assert_eq!(content.uncovered, [], "{command}");
    }
}
