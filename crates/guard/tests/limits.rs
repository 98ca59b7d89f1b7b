//! No reader gives up quietly.
//!
//! Every reader has limits: a depth, a count, a length. For each language a core is nested or padded, up to its limits and past
//! them. A dangerous core is asked about or denied at every size: either it is read, or the text is *too much*. A harmless core
//! stays silent as long as the text is of an ordinary size, so that a limit is no suppress to stop everything.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use std::collections::BTreeMap;
use support::{in_project, quoted};

/// Puts a core into a text, so many times.
type Around = fn(core: &str, count: usize) -> String;

struct Reader {
    name: &'static str,
    /// A whole command of a text of the language.
    run: fn(&str) -> String,
    dangerous: &'static str,
    harmless: &'static str,
    around: &'static [(&'static str, Around)],
    /// Up to this count a harmless core is silent.
    ordinary: usize,
}

/// Around every limit that a reader has, and a few beyond all of them.
const COUNTS: &[usize] = &[
    0, 1, 2, 5, 6, 7, 8, 12, 23, 24, 25, 32, 33, 47, 48, 49, 64, 65, 80, 81, 128, 129, 256, 257, 512, 513,
    1024, 1025,
];

/// Text inside text doubles its quotes: longer ones are refused as a whole, which is tested elsewhere.
const LONGEST: usize = 60_000;

fn wrapped(before: &str, core: &str, after: &str, count: usize) -> String {
    format!("{}{core}{}", before.repeat(count), after.repeat(count))
}

fn nested(core: &str, count: usize, around: impl Fn(&str) -> String) -> String {
    let mut text = core.to_owned();
    for _ in 0..count {
        text = around(&text);
        if text.len() > 2 * LONGEST {
            break;
        }
    }
    text
}

/// Returns the text in the quotes of C and the like.
fn escaped(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// In single quotes, with a backslash.
fn single(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// In single quotes that are doubled: SQL, PowerShell.
fn doubled(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

const SHELL: Reader = Reader {
    name: "shell",
    run: str::to_owned,
    dangerous: "rm -rf ~",
    harmless: "ls -l",
    ordinary: 8,
    around: &[
        ("subshells", |core, count| wrapped("( ", core, " )", count)),
        ("groups", |core, count| wrapped("{ ", core, "; }", count)),
        ("substitutions", |core, count| wrapped("echo \"$(", core, ")\"", count)),
        ("conditions", |core, count| wrapped("if true; then ", core, "; fi", count)),
        ("loops", |core, count| wrapped("for x in 1; do ", core, "; done", count)),
        ("cases", |core, count| wrapped("case x in x) ", core, ";; esac", count)),
        ("fallbacks", |core, count| format!("echo {}", wrapped("${x:-", &format!("$({core})"), "}", count))),
        ("wrappers", |core, count| format!("{}{core}", "nice ".repeat(count))),
        ("evaluations", |core, count| format!("{}{core}", "eval ".repeat(count))),
        ("shells", |core, count| nested(core, count, |text| format!("bash -c {}", quoted(text)))),
        ("functions", |core, count| {
            let calls = many(count, |at| format!("f{}() {{ f{at}; }};", at + 1));
            format!("f0() {{ {core}; }};{calls}f{count}")
        }),
        ("aliases", |core, count| {
            let others = many(count, |at| format!("alias a{}=a{at}\n", at + 1));
            format!("alias a0='{core}'\n{others}a{count}")
        }),
        ("variables", |core, count| {
            let others = many(count, |at| format!("v{}=$v{at};", at + 1));
            format!("v0='{core}';{others}eval \"$v{count}\"")
        }),
        ("scripts", |core, count| {
            let others = many(count, |at| format!("echo 'sh s{at}.sh' > s{}.sh;", at + 1));
            format!("echo '{core}' > s0.sh;{others}sh s{count}.sh")
        }),
        ("commands before", |core, count| format!("{}{core}", ":;".repeat(count))),
        ("words of an array", |core, count| {
            let words = many(count, |at| format!("x{at} "));
            format!("a=({words}'{core}'); eval \"${{a[{count}]}}\"")
        }),
        ("words of an array, all", |core, count| {
            let words = many(count, |at| format!("'ls {at}' "));
            format!("a=({words}'{core}'); for x in \"${{a[@]}}\"; do eval \"$x\"; done")
        }),
        ("words that are added", |core, count| {
            let words = many(count, |at| format!("a+=('ls {at}');"));
            format!("a=();{words}a+=('{core}'); eval \"${{a[{count}]}}\"")
        }),
        ("arguments", |core, count| {
            let words = many(count, |at| format!("x{at} "));
            format!("set -- {words}'{core}'; eval \"${{{}}}\"", count + 1)
        }),
        ("values of a variable", |core, count| {
            let others = many(count, |at| format!("elif b; then x='ls {at}'; "));
            format!("if a; then x=ls; {others}else x='{core}'; fi; eval \"$x\"")
        }),
        ("words of a loop", |core, count| {
            let words = many(count, |at| format!("y{at} "));
            format!("for x in {words}'{core}'; do eval \"$x\"; done")
        }),
        ("lines of a document", |core, count| format!("sh <<E\n{}{core}\nE", ":\n".repeat(count))),
        ("prompts before", |core, count| {
            format!("x=a;{}y='$({core})'; echo ${{y@P}}", "echo ${x@P};".repeat(count))
        }),
    ],
};

const PYTHON: Reader = Reader {
    name: "Python",
    run: |text| format!("python3 -c {}", quoted(text)),
    dangerous: "__import__(\"os\").system(\"rm -rf ~\")",
    harmless: "__import__(\"os\").system(\"ls\")",
    ordinary: 5,
    around: &[
        ("brackets", |core, count| wrapped("(", core, ")", count)),
        ("lists", |core, count| wrapped("[", core, "]", count)),
        ("fields", |core, count| wrapped("{1:", core, "}", count)),
        ("calls", |core, count| wrapped("f(", core, ")", count)),
        ("functions", |core, count| wrapped("(lambda: ", core, ")()", count)),
        ("texts", |core, count| nested(core, count, |text| format!("exec({})", escaped(text)))),
        ("a text in lists", |core, count| {
            let (open, close) = ("[".repeat(count), "]".repeat(count));
            format!("x={open}{}{close}\nexec(x{})", escaped(core), "[0]".repeat(count))
        }),
        ("a command in lists", |core, count| {
            let command = core.split('"').nth(3).unwrap();
            let (open, close) = ("[".repeat(count), "]".repeat(count));
            format!("import os\nx={open}\"{command}\"{close}\nos.system(x{})", "[0]".repeat(count))
        }),
        ("a command in fields", |core, count| {
            let command = core.split('"').nth(3).unwrap();
            let (open, close) = ("{\"a\":".repeat(count), "}".repeat(count));
            format!("import os\nx={open}\"{command}\"{close}\nos.system(x{})", "[\"a\"]".repeat(count))
        }),
        ("elements that are added", |core, count| {
            let command = core.split('"').nth(3).unwrap();
            let others = many(count, |at| format!("x.append(\"ls {at}\")\n"));
            format!("import os\nx=[]\n{others}x.append(\"{command}\")\nos.system(x[-1])")
        }),
        ("words that are split", |core, count| {
            let command = core.split('"').nth(3).unwrap().replace(' ', "_");
            format!(
                "import os\nx=\"{}{command}\".split(\",\")\nos.system(x[-1].replace(\"_\",\" \"))",
                "a,".repeat(count)
            )
        }),
        ("arguments", |core, count| {
            let command = core.split('"').nth(3).unwrap();
            let names = many(count, |at| format!("a{at},"));
            format!("import os\ndef f({names}c): os.system(c)\nf({}\"{command}\")", "1,".repeat(count))
        }),
        ("acts before", |core, count| format!("{}{core}", "open(\"a\",\"w\")\n".repeat(count.min(400)))),
    ],
};

macro_rules! alike {
    ($name:literal, $run:expr, $dangerous:literal, $harmless:literal, $evaluates:expr) => {
        Reader {
            name: $name,
            run: $run,
            dangerous: $dangerous,
            harmless: $harmless,
            ordinary: 5,
            around: &[
                ("brackets", |core, count| wrapped("(", core, ")", count)),
                ("calls", |core, count| wrapped("f(", core, ")", count)),
                ("texts", |core, count| nested(core, count, $evaluates)),
            ],
        }
    };
}

const JAVASCRIPT: Reader = alike!(
    "JavaScript",
    |text| format!("node -e {}", quoted(text)),
    "require(\"child_process\").execSync(\"rm -rf ~\")",
    "require(\"child_process\").execSync(\"ls\")",
    |text| format!("eval({})", escaped(text))
);
const RUBY: Reader = alike!(
    "Ruby",
    |text| format!("ruby -e {}", quoted(text)),
    "system(\"rm -rf ~\")",
    "system(\"ls\")",
    |text| format!("eval({})", single(text))
);
const PERL: Reader = alike!(
    "Perl",
    |text| format!("perl -e {}", quoted(text)),
    "system(\"rm -rf ~\")",
    "system(\"ls\")",
    |text| format!("eval({})", single(text))
);
const PHP: Reader = alike!(
    "PHP",
    |text| format!("php -r {}", quoted(&format!("{text};"))),
    "system(\"rm -rf ~\")",
    "system(\"ls\")",
    |text| format!("eval({})", single(&format!("{text};")))
);
const LUA: Reader = alike!(
    "Lua",
    |text| format!("lua -e {}", quoted(&format!("x={text}"))),
    "os.execute(\"rm -rf ~\")",
    "os.execute(\"ls\")",
    |text| format!("load({})()", escaped(&format!("return {text}")))
);
const GO: Reader = Reader {
    name: "Go",
    run: |text| format!("cat > m.go <<'E'\npackage main\nfunc main() {{ {text} }}\nE\ngo run m.go"),
    dangerous: "exec.Command(\"rm\", \"-rf\", \"/etc\").Run()",
    harmless: "exec.Command(\"ls\", \"-l\").Run()",
    ordinary: 8,
    around: &[
        ("brackets", |core, count| wrapped("x := (", core, ")", count)),
        ("calls", |core, count| wrapped("f(", core, ")", count)),
        ("blocks", |core, count| wrapped("{ ", core, " }", count)),
        ("conditions", |core, count| wrapped("if a { ", core, " }", count)),
        ("functions", |core, count| wrapped("func() { ", core, " }()", count)),
    ],
};

const POWERSHELL: Reader = Reader {
    name: "PowerShell",
    run: |text| format!("pwsh -Command {}", quoted(text)),
    dangerous: "Remove-Item -Recurse -Force ~",
    harmless: "Get-ChildItem",
    ordinary: 5,
    around: &[
        ("brackets", |core, count| wrapped("(", core, ")", count)),
        ("substitutions", |core, count| wrapped("$(", core, ")", count)),
        ("lists", |core, count| wrapped("@(", core, ")", count)),
        ("blocks", |core, count| wrapped("& {", core, "}", count)),
        ("conditions", |core, count| wrapped("if (1) {", core, "}", count)),
        ("texts in quotes", |core, count| wrapped("\"$(", core, ")\"", count)),
        ("evaluations", |core, count| nested(core, count, |text| format!("iex {}", doubled(text)))),
        ("programs", |core, count| nested(core, count, |text| format!("pwsh -Command {}", doubled(text)))),
        ("pipelines", |core, count| wrapped("1 | % {", core, "}", count)),
        ("tables", |core, count| wrapped("@{a=", core, "}", count)),
        ("tables with blanks", |core, count| wrapped("@{ a = ", core, " }", count)),
        ("assignments", |core, count| format!("{}{core}", "$x = ".repeat(count))),
        ("assignments to members", |core, count| format!("{}{core}", "$x.y = ".repeat(count))),
        ("attempts", |core, count| wrapped("try {", core, "} catch {}", count)),
        ("casts", |core, count| wrapped("[string](", core, ")", count)),
        ("choices", |core, count| wrapped("switch(1){1{", core, "}}", count)),
        ("arguments", |core, count| wrapped("f (", core, ")", count)),
        ("arguments of methods", |core, count| wrapped("$x.f((", core, "))", count)),
        ("statements before", |core, count| format!("{}{core}", "$x=1;".repeat(count))),
    ],
};

const AWK: Reader = Reader {
    name: "awk",
    run: |text| format!("awk {}", quoted(text)),
    dangerous: "rm -rf ~",
    harmless: "ls",
    ordinary: 8,
    around: &[
        ("brackets", |core, count| {
            format!("BEGIN {{ x = {} }}", wrapped("(", &format!("system(\"{core}\")"), ")", count))
        }),
        ("blocks", |core, count| {
            format!("BEGIN {{ {} }}", wrapped("{", &format!("system(\"{core}\")"), "}", count))
        }),
        ("texts side by side", |core, count| {
            format!("BEGIN {{ system(\"{core}\"{}) }}", " \"\"".repeat(count))
        }),
        ("texts before a pipe", |core, count| {
            format!("BEGIN {{ print \"{core}\"{} | \"sh\" }}", " \"\"".repeat(count))
        }),
        ("variables", |core, count| {
            let others = many(count, |at| format!("v{}=v{at};", at + 1));
            format!("BEGIN {{ v0=\"{core}\";{others}system(v{count}) }}")
        }),
        ("values", |core, count| {
            let others = many(count, |at| format!("x=\"ls {at}\";"));
            format!("BEGIN {{ {others}x=\"{core}\";system(x) }}")
        }),
        ("elements", |core, count| {
            let others = many(count, |at| format!("x[{at}]=\"ls {at}\";"));
            format!("BEGIN {{ {others}x[{count}]=\"{core}\";system(x[{count}]) }}")
        }),
        ("parameters", |core, count| {
            let names = many(count, |at| format!("p{at},"));
            format!("function f({names}c) {{ system(c) }} BEGIN {{ f({}\"{core}\") }}", "1,".repeat(count))
        }),
    ],
};

const SED: Reader = Reader {
    name: "sed",
    run: |text| format!("sed {} x", quoted(text)),
    dangerous: "1e rm -rf ~",
    harmless: "1e ls",
    ordinary: 64,
    around: &[
        ("blocks", |core, count| wrapped("{", core, "\n}", count)),
        ("commands before", |core, count| format!("{}{core}", "p;".repeat(count))),
    ],
};

const CMD: Reader = Reader {
    name: "cmd.exe",
    run: |text| format!("cmd.exe /c {}", quoted(text)),
    dangerous: r"rd /s /q C:\Users\dev",
    harmless: "dir",
    ordinary: 64,
    around: &[
        ("brackets", |core, count| wrapped("(", core, ")", count)),
        ("calls", |core, count| format!("{}{core}", "call ".repeat(count))),
        ("starts", |core, count| format!("{}{core}", "start ".repeat(count))),
        ("shells", |core, count| format!("{}{core}", "cmd /c ".repeat(count))),
        ("conditions", |core, count| format!("{}{core}", "if 1==1 ".repeat(count))),
        ("loops", |core, count| format!("{}{core}", "for %i in (1) do ".repeat(count))),
        ("signs", |core, count| format!("{}{core}", "@".repeat(count))),
        ("commands before", |core, count| format!("{}{core}", "echo a & ".repeat(count))),
    ],
};

const POSTGRES: Reader = Reader {
    name: "Postgres",
    run: |text| format!("psql -c {}", quoted(text)),
    dangerous: "DROP DATABASE shop",
    harmless: "SELECT 1",
    ordinary: 2,
    around: &[
        ("blocks", |core, count| {
            (0..count).fold(core.to_owned(), |text, at| format!("DO $q{at}$ BEGIN {text}; END $q{at}$"))
        }),
        ("texts in blocks", |core, count| {
            nested(core, count, |text| {
                format!("DO {}", doubled(&format!("BEGIN EXECUTE {}; END", doubled(text))))
            })
        }),
        ("tables", |core, count| {
            let core = if core.starts_with("DROP") { "DELETE FROM t RETURNING *" } else { core };
            wrapped("WITH x AS (", core, ") SELECT 1", count)
        }),
        ("prepared", |core, count| format!("{}{core}", "PREPARE p AS ".repeat(count))),
        ("conditions", |core, count| {
            if core.starts_with("DROP") {
                format!("DELETE FROM t WHERE {}", wrapped("(", "1=1", ")", count))
            } else {
                format!("SELECT 1 WHERE {}", wrapped("(", "1=1", ")", count))
            }
        }),
        ("conditions with others", |core, count| {
            let condition = wrapped("(1=1 AND ", "2=2", ")", count);
            if core.starts_with("DROP") {
                format!("DELETE FROM t WHERE {condition}")
            } else {
                format!("SELECT 1 WHERE {condition}")
            }
        }),
        ("statements before", |core, count| format!("{}{core}", "SELECT 1;".repeat(count))),
    ],
};

const MYSQL: Reader = Reader {
    name: "MySQL",
    run: |text| format!("mysql -e {}", quoted(text)),
    dangerous: "DROP DATABASE shop",
    harmless: "SELECT 1",
    ordinary: 4,
    around: &[
        ("comments that are run", |core, count| wrapped("/*! ", core, " */", count)),
        ("prepared", |core, count| {
            nested(core, count, |text| format!("PREPARE s FROM {}; EXECUTE s", doubled(text)))
        }),
    ],
};

const SQL_SERVER: Reader = Reader {
    name: "SQL Server",
    run: |text| format!("sqlcmd -Q {}", quoted(text)),
    dangerous: "DROP DATABASE shop",
    harmless: "SELECT 1",
    ordinary: 5,
    around: &[
        ("texts", |core, count| nested(core, count, |text| format!("EXEC({})", doubled(text)))),
        ("blocks", |core, count| wrapped("BEGIN ", core, " END", count)),
    ],
};

const MONGO: Reader = Reader {
    name: "MongoDB",
    run: |text| format!("mongosh prod --eval {}", quoted(text)),
    dangerous: "db.dropDatabase()",
    harmless: "db.orders.find()",
    ordinary: 5,
    around: &[
        ("brackets", |core, count| wrapped("(", core, ")", count)),
        ("functions", |core, count| wrapped("(()=>{", core, "})()", count)),
        ("texts", |core, count| nested(core, count, |text| format!("eval({})", escaped(text)))),
    ],
};

const APPLESCRIPT: Reader = Reader {
    name: "AppleScript",
    run: |text| format!("osascript -e {}", quoted(text)),
    dangerous: "do shell script \"rm -rf ~\"",
    harmless: "do shell script \"ls\"",
    ordinary: 5,
    around: &[
        ("brackets", |core, count| format!("set x to {}", wrapped("(", core, ")", count))),
        ("scripts", |core, count| nested(core, count, |text| format!("run script {}", escaped(text)))),
        ("texts side by side", |core, count| format!("{core}{}", " & \"\"".repeat(count))),
    ],
};

const MAKE: Reader = Reader {
    name: "make",
    run: |text| format!("make -f - <<'E'\n{text}\nE"),
    dangerous: "rm -rf ~",
    harmless: "ls",
    ordinary: 7,
    around: &[
        ("functions", |core, count| {
            format!("x := {}\nall:\n\techo", wrapped("$(or ", &format!("$(shell {core})"), ")", count))
        }),
        ("variables", |core, count| {
            let others = many(count, |at| format!("v{} = $(v{at})\n", at + 1));
            format!("v0 = {core}\n{others}all:\n\t$(v{count})")
        }),
        ("lines before", |core, count| format!("all:\n{}\t{core}", "\techo a\n".repeat(count))),
        ("lines of a variable", |core, count| {
            format!("x = echo\n{}x += ; {core}\nall:\n\t$(x)", "x += aaaaaaaaaaaaaaaaaaaa\n".repeat(count))
        }),
    ],
};

/// Languages that are not read as such: their strings are.
const R: Reader = Reader {
    name: "R",
    run: |text| format!("Rscript -e {}", quoted(text)),
    dangerous: "system(\"rm -rf ~\")",
    harmless: "system(\"ls -l\")",
    ordinary: 64,
    around: &[
        ("strings before", |core, count| format!("{}{core}", "print(\"a b\");".repeat(count))),
        ("lines before", |core, count| format!("{}{core}", "x <- 1\n".repeat(count))),
    ],
};

const READERS: &[Reader] = &[
    SHELL,
    PYTHON,
    JAVASCRIPT,
    RUBY,
    PERL,
    PHP,
    LUA,
    GO,
    POWERSHELL,
    AWK,
    SED,
    CMD,
    POSTGRES,
    MYSQL,
    SQL_SERVER,
    MONGO,
    APPLESCRIPT,
    MAKE,
    R,
];

/// Judges each text of a reader in all sizes.
fn sizes(reader: &Reader, core: &str, mut each: impl FnMut(&str, usize, Decision)) {
    for (way, around) in reader.around {
        for count in COUNTS {
            let text = (reader.run)(&around(core, *count));
            if text.len() > LONGEST {
                break;
            }
            each(way, *count, in_project(&text).decision);
        }
    }
}

#[test]
fn what_is_dangerous_is_never_silent() {
    let mut wrong: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for reader in READERS {
        sizes(reader, reader.dangerous, |way, count, got| {
            if got < Decision::Ask {
                wrong.entry(format!("{}, {way}", reader.name)).or_default().push(count);
            }
        });
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_is_harmless_and_of_an_ordinary_size_is_silent() {
    let mut wrong: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for reader in READERS {
        sizes(reader, reader.harmless, |way, count, got| {
            if count <= reader.ordinary && got != Decision::Abstain {
                wrong.entry(format!("{}, {way}", reader.name)).or_default().push(count);
            }
        });
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
