//! Files that a call runs from the disk: what is in them counts when they are run.

use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};
use checkrein_guard::{CallContext, FileKind, Judgement, World, judge};

/// A machine with these files in the project.
struct Machine(&'static [(&'static str, &'static str)]);

impl Machine {
    fn find(&self, path: &str) -> Option<&'static str> {
        self.0
            .iter()
            .find(|(known, _)| path.strip_prefix("/home/dev/proj/") == Some(known))
            .map(|(_, text)| *text)
    }
}

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        self.find(path).map(|_| FileKind::File)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.find(path).map(str::to_owned)
    }
}

fn judged(text: &str, machine: &Machine) -> Judgement {
    let project = Some("/home/dev/proj".to_owned());
    judge(text, &CallContext { cwd: project.clone(), project, ..CallContext::default() }, machine)
}

fn check(machine: &Machine, cases: &[(&str, Decision)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expect)| {
            let said = judged(text, machine);
            let why = said.findings.first().map(|finding| finding.rule.reason.to_string());
            (said.decision != *expect).then(|| format!("{expect}, but {}: {text:?} {why:?}", said.decision))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const HARMFUL: Machine = Machine(&[
    ("reset.sh", "#!/bin/sh\nset -e\necho resetting\ngit reset --hard\n"),
    ("wipe.sh", "#!/usr/bin/env bash\nset -euo pipefail\nwipe() {\n  rm -rf \"$HOME\"\n}\nwipe\n"),
    ("given.sh", "rm -rf \"$1\"\n"),
    ("outer.sh", "#!/bin/bash\ncd \"$(dirname \"$0\")\"\n./reset.sh\n"),
    ("bin/tool", "#!/usr/bin/env python3\nimport shutil, os\nshutil.rmtree(os.path.expanduser('~'))\n"),
    ("app/wipe.py", "import os\n\ndef main():\n    os.system('git push --force origin main')\n\nmain()\n"),
    (
        "scripts/wipe.js",
        "const fs = require('fs');\nfs.rmSync('/home/dev', {recursive: true, force: true});\n",
    ),
    (
        "package.json",
        "{\n  \"name\": \"shop\",\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"reset\": \"git clean -fdx && git reset --hard\",\n    \"all\": \"npm run reset\",\n    \"wipe\": \"node scripts/wipe.js\",\n    \"prescrub\": \"rm -f log\",\n    \"scrub\": \"echo deleting && rm -rf\"\n  }\n}\n",
    ),
    (
        "Makefile",
        "DIR ?= build\n\nall: prepare\n\tcc -o app app.c\n\nprepare:\n\tmkdir -p $(DIR)\n\nclean:\n\trm -rf $(DIR)\n\nreset: clean\n\t@git reset --hard\n",
    ),
    (
        "justfile",
        "dir := \"build\"\n\nbuild:\n    cargo build\n\nwipe what=\"x\":\n    echo {{what}}\n    rm -rf ~/\n",
    ),
    ("vars.sh", "export MODE=test\ngit push --force origin main\n"),
]);

/// Each of these holds something that would be denied by itself.
#[test]
fn a_denial_inside_is_asked_about() {
    check(
        &HARMFUL,
        &[
            ("./reset.sh", Ask),
            ("bash reset.sh", Ask),
            ("sh ./reset.sh --now", Ask),
            ("cd /home/dev/proj && bash reset.sh 2>&1 | tail -5", Ask),
            ("sudo -u dev ./wipe.sh", Ask),
            ("FOO=1 timeout 60 ./wipe.sh", Ask),
            ("source vars.sh", Ask),
            (". ./vars.sh && make", Ask),
            ("./given.sh ~", Ask),
            ("bash given.sh /home/dev", Ask),
            ("./outer.sh", Ask),
            ("./bin/tool", Ask),
            ("python app/wipe.py", Ask),
            ("python3 ./app/wipe.py --yes", Ask),
            ("node scripts/wipe.js", Ask),
            ("npm run reset", Ask),
            ("npm run all", Ask),
            ("npm run wipe", Ask),
            ("npm run scrub -- ~", Ask),
            ("npm run scrub -- -v /home/dev", Ask),
            ("npm run scrub /home/dev", Ask),
            ("yarn scrub ~", Ask),
            ("D=~; pnpm run scrub $D", Ask),
            ("yarn reset", Ask),
            ("pnpm run reset", Ask),
            ("make reset", Ask),
            ("make clean DIR=/home/dev", Ask),
            ("make -f Makefile reset", Ask),
            ("just wipe", Ask),
            ("git add . && ./reset.sh", Ask),
        ],
    );
}

/// Files whose harmful part does not run, or runs elsewhere.
#[test]
fn what_does_not_run_does_not_count() {
    check(
        &HARMFUL,
        &[
            ("cat reset.sh", Silent),
            ("bash -n reset.sh", Silent),
            ("chmod +x reset.sh", Silent),
            ("grep -n reset Makefile", Silent),
            ("npm run build", Silent),
            ("npm run build -- ~", Silent),
            ("npm run scrub -- dist", Silent),
            ("npm run scrub --silent", Silent),
            ("npm test", Silent),
            ("npm ci", Silent),
            ("make", Silent),
            ("make clean", Silent),
            ("make -n reset", Silent),
            ("just build", Silent),
            ("./given.sh build", Silent),
            ("./given.sh", Silent),
            ("docker exec web ./reset.sh", Silent),
            ("./none.sh", Silent),
            ("python none.py", Silent),
            ("git add reset.sh && git commit -m 'rm -rf ~'", Silent),
            // What is denied by itself stays denied.
            ("./reset.sh && rm -rf ~", Deny),
        ],
    );
}

#[test]
fn the_question_names_file_and_line() {
    for (text, place) in [
        ("./reset.sh", "`reset.sh`, line 4,"),
        ("./outer.sh", "`reset.sh`, line 4,"),
        ("./wipe.sh", "`wipe.sh`, line 6,"),
        ("npm run reset", "`package.json`, line 5,"),
        ("make reset", "`Makefile`, line 13,"),
        ("just wipe", "`justfile`, line 8,"),
        ("python app/wipe.py", "`app/wipe.py`, line 4,"),
        ("./bin/tool", "`bin/tool`, line 3,"),
    ] {
        let said = judged(text, &HARMFUL);
        let reason = said.findings.first().map(|finding| finding.rule.reason.to_string()).unwrap_or_default();
        assert!(reason.starts_with(place), "{text}: {reason}");
    }
}

#[test]
fn what_was_not_read_is_kept() {
    let said = judged("./none.sh; ./reset.sh", &HARMFUL);
    let read = |name: &str| {
        said.scripts.iter().find(|file| file.path.ends_with(name)).map(|file| file.unread.is_none())
    };
    assert_eq!(read("none.sh"), Some(false));
    assert_eq!(read("reset.sh"), Some(true));
    assert!(judged("ls", &HARMFUL).scripts.is_empty());
}

/// Scripts as projects have them. Written and labelled before the answers were looked at.
const ORDINARY: Machine = Machine(&[
    (
        "build.sh",
        "#!/usr/bin/env bash\nset -euo pipefail\nBUILD_DIR=\"${BUILD_DIR:-build}\"\nrm -rf \"$BUILD_DIR\"\nmkdir -p \"$BUILD_DIR\"\ncmake -S . -B \"$BUILD_DIR\" && cmake --build \"$BUILD_DIR\" -j\"$(nproc)\"\n",
    ),
    (
        "deploy.sh",
        "#!/bin/bash\nset -e\ncd \"$(dirname \"$0\")\"\nENV=${1:-staging}\nif [ \"$ENV\" = production ]; then\n  read -p 'Sure? ' answer\n  [ \"$answer\" = yes ] || exit 1\nfi\nnpm ci\nnpm run build\nrsync -az dist/ deploy@example.org:/srv/shop/\nssh deploy@example.org 'systemctl --user restart shop'\n",
    ),
    (
        "test.sh",
        "#!/bin/sh\nset -eu\ntmp=$(mktemp -d)\ntrap 'rm -rf \"$tmp\"' EXIT\ncp -r fixtures \"$tmp\"\npython -m pytest -q \"$@\"\n",
    ),
    (
        "clean.sh",
        "#!/bin/sh\nfind . -name '*.pyc' -delete\nfind . -name __pycache__ -type d -exec rm -rf {} +\nrm -rf dist build *.egg-info .pytest_cache\n",
    ),
    (
        "entrypoint.sh",
        "#!/bin/sh\nset -e\nrm -f tmp/pids/server.pid\nif [ \"$1\" = migrate ]; then\n  bundle exec rails db:migrate\nfi\nexec \"$@\"\n",
    ),
    (
        "release.sh",
        "#!/usr/bin/env bash\nset -euo pipefail\nversion=\"$1\"\ngit diff --quiet || { echo dirty; exit 1; }\nsed -i \"s/^version = .*/version = \\\"$version\\\"/\" Cargo.toml\ngit commit -am \"Release $version\"\ngit tag -a \"v$version\" -m \"v$version\"\ngit push --follow-tags\n",
    ),
    (
        "setup.sh",
        "#!/usr/bin/env bash\nset -e\nSCRIPT_DIR=$(cd -- \"$(dirname -- \"${BASH_SOURCE[0]}\")\" && pwd)\npython3 -m venv \"$SCRIPT_DIR/.venv\"\n. \"$SCRIPT_DIR/.venv/bin/activate\"\npip install -r \"$SCRIPT_DIR/requirements.txt\"\n[ -f .env ] || cp .env.example .env\n",
    ),
    (
        "scripts/backup.sh",
        "#!/bin/sh\nset -eu\nout=${1:?target}\npg_dump \"$DATABASE_URL\" | gzip > \"$out/backup-$(date +%F).sql.gz\"\nfind \"$out\" -name 'backup-*.sql.gz' -mtime +14 -delete\n",
    ),
    (
        "scripts/lint",
        "#!/usr/bin/env bash\nset -e\nlog() { printf '%s\\n' \"$*\" >&2; }\nlog linting\nfor file in $(git ls-files '*.sh'); do\n  shellcheck \"$file\"\ndone\neslint --fix src\n",
    ),
    (
        "tools/gen.py",
        "#!/usr/bin/env python3\nimport argparse, pathlib, shutil, subprocess\n\nROOT = pathlib.Path(__file__).resolve().parent.parent\nOUT = ROOT / 'build'\n\ndef main():\n    parser = argparse.ArgumentParser()\n    parser.add_argument('--clean', action='store_true')\n    args = parser.parse_args()\n    if args.clean and OUT.exists():\n        shutil.rmtree(OUT)\n    OUT.mkdir(exist_ok=True)\n    subprocess.run(['cargo', 'build'], cwd=ROOT, check=True)\n\nif __name__ == '__main__':\n    main()\n",
    ),
    (
        "manage.py",
        "#!/usr/bin/env python\nimport os, sys\n\ndef main():\n    os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n    from django.core.management import execute_from_command_line\n    execute_from_command_line(sys.argv)\n\nif __name__ == '__main__':\n    main()\n",
    ),
    (
        "scripts/clean.mjs",
        "import { rm } from 'node:fs/promises';\nimport path from 'node:path';\nfor (const name of ['dist', '.next', 'coverage']) {\n  await rm(path.join(process.cwd(), name), { recursive: true, force: true });\n}\n",
    ),
    (
        "package.json",
        "{\"name\": \"shop\", \"scripts\": {\"prebuild\": \"rimraf dist\", \"build\": \"tsc -p .\", \"test\": \"jest --runInBand\", \"clean\": \"rm -rf dist node_modules .cache\", \"dev\": \"vite\", \"prepare\": \"husky\", \"postinstall\": \"patch-package\", \"db:reset\": \"dropdb --if-exists shop_test && createdb shop_test\", \"lint\": \"eslint .\", \"release\": \"npm run build && npm publish\", \"start\": \"node dist/server.js\"}}",
    ),
    (
        "Makefile",
        "PREFIX ?= /usr/local\nBUILD := build\nSRC := $(wildcard src/*.c)\n\n.PHONY: all clean distclean install test docker\n\nall: $(BUILD)/app\n\n$(BUILD)/%.o: src/%.c\n\t@mkdir -p $(@D)\n\t$(CC) $(CFLAGS) -c $< -o $@\n\n$(BUILD)/app: $(SRC:src/%.c=$(BUILD)/%.o)\n\t$(CC) $^ -o $@\n\nclean:\n\trm -rf $(BUILD)\n\ndistclean: clean\n\trm -f config.log config.status\n\trm -rf autom4te.cache\n\ntest: all\n\t./$(BUILD)/app --self-test\n\ninstall: all\n\tinstall -Dm755 $(BUILD)/app $(DESTDIR)$(PREFIX)/bin/app\n\ndocker:\n\tdocker build -t shop .\n\tdocker rm -f shop || true\n\tdocker run -d --name shop shop\n",
    ),
    (
        "justfile",
        "set dotenv-load\nbuild_dir := \"target\"\n\ndefault: build test\n\nbuild *args:\n    cargo build {{args}}\n\ntest:\n    cargo nextest run\n\nclean:\n    rm -rf {{build_dir}} dist\n\nfmt:\n    cargo fmt --all\n",
    ),
    (
        ".venv/bin/activate",
        "deactivate () {\n    if [ -n \"${_OLD_VIRTUAL_PATH:-}\" ] ; then\n        PATH=\"${_OLD_VIRTUAL_PATH:-}\"\n        export PATH\n        unset _OLD_VIRTUAL_PATH\n    fi\n    unset -f deactivate\n}\nVIRTUAL_ENV=/home/dev/proj/.venv\nexport VIRTUAL_ENV\n_OLD_VIRTUAL_PATH=\"$PATH\"\nPATH=\"$VIRTUAL_ENV/bin:$PATH\"\nexport PATH\n",
    ),
    (
        "gradlew",
        "#!/bin/sh\napp_path=$0\nwhile [ -h \"$app_path\" ]; do\n  app_path=$(readlink \"$app_path\")\ndone\nAPP_HOME=$( cd \"${app_path%\"${app_path##*/}\"}./\" && pwd -P ) || exit\nexec java -classpath \"$APP_HOME/gradle/wrapper/gradle-wrapper.jar\" org.gradle.wrapper.GradleWrapperMain \"$@\"\n",
    ),
]);

#[test]
fn ordinary_scripts_are_silent() {
    check(
        &ORDINARY,
        &[
            ("./build.sh", Silent),
            ("BUILD_DIR=out ./build.sh", Silent),
            ("bash build.sh 2>&1 | tail -20", Silent),
            ("./deploy.sh staging", Silent),
            ("./test.sh -k cart", Silent),
            ("sh clean.sh", Silent),
            ("./entrypoint.sh migrate", Silent),
            ("./release.sh 1.2.3", Silent),
            ("./setup.sh && source .venv/bin/activate && pytest", Silent),
            (". .venv/bin/activate", Silent),
            ("./scripts/backup.sh ~/backups", Silent),
            ("./scripts/lint", Silent),
            ("python tools/gen.py --clean", Silent),
            ("./manage.py migrate", Silent),
            ("python manage.py runserver", Silent),
            ("node scripts/clean.mjs", Silent),
            ("npm run build", Silent),
            ("npm run clean", Silent),
            ("npm test", Silent),
            ("npm start", Silent),
            ("npm install", Silent),
            ("yarn build", Silent),
            ("pnpm dev", Silent),
            ("bun run lint", Silent),
            ("make", Silent),
            ("make clean", Silent),
            ("make distclean", Silent),
            ("make test CFLAGS=-O2", Silent),
            ("make docker", Silent),
            ("just", Silent),
            ("just clean", Silent),
            ("just build --release", Silent),
            ("./gradlew test", Silent),
            ("find . -name '*.sh' | head && ./test.sh", Silent),
        ],
    );
}

/// The work tree that a call is made in is a project, at any path.
#[test]
fn the_work_tree_of_a_call_is_a_project() {
    struct Trees;
    impl World for Trees {
        fn home(&self) -> Option<String> {
            Some("/home/dev".to_owned())
        }

        fn variable(&self, _: &str) -> Option<String> {
            None
        }

        fn entry(&self, path: &str) -> Option<FileKind> {
            let tops = [
                "/home/dev/.claude/worktrees/a",
                "/home/dev/.codex/worktrees/1/shop",
                "/home/dev/.cursor/worktrees/x",
                "/srv/wt",
                "/home/dev/.ssh",
                "/home/dev/.claude",
                "/home/dev",
            ];
            tops.iter().any(|top| path.strip_prefix(top) == Some("/.git")).then_some(FileKind::File)
        }

        fn text(&self, _: &str) -> Option<String> {
            None
        }
    }
    let said = |text: &str, cwd: &str| {
        let place = CallContext {
            cwd: Some(cwd.to_owned()),
            project: Some("/home/dev/shop".to_owned()),
            ..CallContext::default()
        };
        judge(text, &place, &Trees).decision
    };
    for cwd in [
        "/home/dev/.claude/worktrees/a",
        "/home/dev/.codex/worktrees/1/shop/web",
        "/home/dev/.cursor/worktrees/x",
        "/srv/wt",
    ] {
        assert_eq!(said("rm -rf node_modules", cwd), Silent, "{cwd}");
        assert_eq!(said("rm -rf dist && mkdir dist", cwd), Silent, "{cwd}");
        assert_eq!(said("rm -rf src", cwd), Ask, "{cwd}");
        assert_eq!(said("rm -rf /home/dev/shop/dist", cwd), Silent, "{cwd}");
        // Named files come first.
        assert!(said("cat .env", cwd) >= Ask, "{cwd}");
        assert!(said("rm -rf ~/.ssh ~/Documents", cwd) == Deny, "{cwd}");
    }
    assert_eq!(said("rm -rf .", "/srv/wt"), Deny);
    // No place to work in, and no repository.
    for cwd in ["/home/dev/.ssh", "/home/dev/.claude", "/home/dev/Documents", "/home/dev"] {
        assert_eq!(said("rm -rf notes", cwd).max(Ask), said("rm -rf notes", cwd), "{cwd}");
    }
    assert_eq!(said("rm -rf keys", "/home/dev/.ssh"), Deny);
}
