//! Values in longer programs: through classes, fields, generators, maps, options, and functions that call functions.

use crate::table::check;
use checkrein_code::Language;

#[test]
fn functions_that_call_functions() {
    check(
        Language::Python,
        &[
            (
                "import shutil\ndef c(p):\n    shutil.rmtree(p)\ndef b(p):\n    c(p)\ndef a():\n    b('/srv/x')\na()",
                &["delete -r /srv/x"],
            ),
            (
                "import subprocess\ndef base():\n    return ['git']\ndef run(*args):\n    subprocess.run(base() + list(args))\nrun('gc')",
                &["run git | gc"],
            ),
            (
                "import os\ndef paths():\n    for n in ('a', 'b'):\n        yield '/srv/' + n\nfor p in paths():\n    os.remove(p)",
                &["delete /srv/a", "delete /srv/b"],
            ),
            // What is only printed is nothing.
            ("def c(p):\n    print(p)\ndef b(p):\n    c(p)\nb('/srv/x')", &[]),
        ],
    );
}

#[test]
fn fields_of_objects() {
    check(
        Language::Python,
        &[
            (
                "import shutil\nclass C:\n    def __init__(self, root):\n        self.root = root\n    def run(self):\n        shutil.rmtree(self.root)\nC('/srv/x').run()",
                &["delete -r /srv/x"],
            ),
            (
                "import shutil\nclass A:\n    def __init__(self, root):\n        self.root = root\nclass B(A):\n    def run(self):\n        shutil.rmtree(self.root)\nB('/srv/x').run()",
                &["delete -r /srv/x"],
            ),
            (
                "import shutil\n@dataclass\nclass S:\n    root: str = '/srv/x'\ndef main(s):\n    shutil.rmtree(s.root)\nmain(S())",
                &["delete -r /srv/x"],
            ),
            // A variable of the same name is not a field.
            (
                "import shutil\nclass C:\n    def run(self, root):\n        shutil.rmtree(self.other)\nroot = '/srv/x'\nC().run(root)",
                &["delete -r «?»"],
            ),
        ],
    );
    check(
        Language::JavaScript,
        &[
            (
                "const fs = require('fs');\nclass C {\n  constructor(root) { this.root = root; }\n  run(): void {\n    fs.rmSync(this.root, { recursive: true });\n  }\n}\nnew C('/srv/x').run();",
                &["delete -r /srv/x"],
            ),
            (
                "import { rmSync } from 'fs';\nclass C {\n  private root: string = '/srv/x';\n  run() { rmSync(this.root, { recursive: true }); }\n}",
                &["delete -r /srv/x"],
            ),
            (
                "const { rmSync } = require('fs');\nfunction f({ root, keep } = {}) { rmSync(root); }\nf({ root: '/srv/x', keep: [] });",
                &["delete /srv/x"],
            ),
            (
                "const { rmSync } = require('fs');\nconst base: Options = { root: '/srv/x' };\nconst f = (o: Options): void => { const { root } = { ...base, ...o }; rmSync(root); };\nf({});",
                &["delete /srv/x"],
            ),
        ],
    );
    check(
        Language::Ruby,
        &[(
            "class T\n  attr_reader :command\n  def initialize(command)\n    @command = command\n  end\n  def perform\n    system(command)\n  end\nend\nT.new('ls -l').perform",
            &["shell ls -l"],
        )],
    );
    check(
        Language::Php,
        &[(
            "class C { private string $dir; function __construct(string $d) { $this->dir = $d; } function run() { unlink($this->dir); } }\n(new C('/srv/x'))->run();",
            &["delete /srv/x"],
        )],
    );
    check(
        Language::Go,
        &[(
            "type cleaner struct {\n\troot string\n}\nfunc (c cleaner) run() error {\n\treturn os.RemoveAll(c.root)\n}\nfunc main() {\n\tc := cleaner{root: \"/srv/x\"}\n\tc.run()\n}",
            &["delete -r /srv/x"],
        )],
    );
}

#[test]
fn maps_and_options() {
    check(
        Language::Python,
        &[
            (
                "import shutil\nT = {'a': '/srv/a', 'b': '/srv/b'}\nfor k, p in T.items():\n    shutil.rmtree(p)",
                &["delete -r /srv/a", "delete -r /srv/b"],
            ),
            (
                "import shutil\ndef rm(p): shutil.rmtree(p)\nH = {'rm': rm}\nH.get('rm')('/srv/x')",
                &["delete -r /srv/x"],
            ),
            (
                "import argparse, shutil\np = argparse.ArgumentParser()\np.add_argument('--base-dir', default='/srv/x')\na = p.parse_args()\nshutil.rmtree(a.base_dir)",
                &["delete -r /srv/x"],
            ),
            (
                "import json, shutil\nc = json.loads('{\"paths\": [\"/srv/x\"]}')\nfor p in c['paths']:\n    shutil.rmtree(p)",
                &["delete -r /srv/x"],
            ),
            ("import os, shutil\nshutil.rmtree(os.environ.get('ROOT', '/srv/x'))", &["delete -r /srv/x"]),
            (
                "import subprocess, shlex\nfor n in ('a', 'b'):\n    subprocess.run(shlex.split('ls {}'.format(n)))",
                &["run ls | a", "run ls | b"],
            ),
            (
                "for t in ('a', 'b'):\n    cursor.execute(f'DROP TABLE {t}')",
                &["query DROP TABLE a", "query DROP TABLE b"],
            ),
            ("client.drop_database('app')", &["query DROP DATABASE app"]),
        ],
    );
    check(
        Language::JavaScript,
        &[
            (
                "const { spawn } = require('child_process');\nfor (const s of [{ cmd: 'ls', args: ['-l'] }]) { spawn(s.cmd, s.args); }",
                &["run ls | -l"],
            ),
            (
                "const fs = require('fs');\nfor (const [k, p] of Object.entries({ a: '/srv/a' })) { fs.unlinkSync(p); }",
                &["delete /srv/a"],
            ),
        ],
    );
}

#[test]
fn records_and_maps() {
    check(
        Language::Python,
        &[
            (
                "from collections import namedtuple\nimport shutil\nJob = namedtuple('Job', 'root keep')\nshutil.rmtree(Job('/srv/x', 1).root)",
                &["delete -r /srv/x"],
            ),
            (
                "import shutil\nfrom types import SimpleNamespace\ns = SimpleNamespace(root='/srv/x')\nshutil.rmtree(s.root)",
                &["delete -r /srv/x"],
            ),
            (
                "import shutil\nclass C: pass\nc = C()\nsetattr(c, 'root', '/srv/x')\nshutil.rmtree(c.root)",
                &["delete -r /srv/x"],
            ),
            (
                "import functools, shutil\nwipe = functools.partial(shutil.rmtree, ignore_errors=True)\nwipe('/srv/x')",
                &["delete -r /srv/x"],
            ),
            ("import os\nlist(map(os.remove, ['/srv/x']))", &["delete /srv/x"]),
            // What is only made of each is nothing.
            ("import os\nprint(list(map(os.path.basename, ['/srv/x'])))", &[]),
        ],
    );
    check(
        Language::JavaScript,
        &[
            (
                "const fs = require('fs');\nconst m = new Map([['a', '/srv/x']]);\nfs.rmSync(m.get('a'), {recursive: true});",
                &["delete -r /srv/x"],
            ),
            (
                "const fs = require('fs');\nconst m = new Map();\nm.set('a', '/srv/x');\nfs.rmSync(m.get('a'), {recursive: true});",
                &["delete -r /srv/x"],
            ),
            ("const m = new Map(); m.set('a', '/srv/x'); m.delete('a');", &[]),
        ],
    );
}

#[test]
fn libraries_of_providers_and_requests_that_delete() {
    check(
        Language::Python,
        &[
            ("import boto3\nboto3.client('eks').delete_cluster(name='orders')", &["destroy all of orders"]),
            ("import boto3\nboto3.client('s3').delete_bucket(Bucket='orders')", &["destroy orders"]),
            (
                "import requests\nrequests.delete('https://api.example.com/v1/x')",
                &["run curl | -X | DELETE | https://api.example.com/v1/x"],
            ),
            // A server of this machine, and a method of the text itself.
            (
                "import boto3\nboto3.client('s3', endpoint_url='http://localhost:4566').delete_bucket(Bucket='a')",
                &[],
            ),
            ("class R:\n    def delete_cluster(self, k):\n        pass\nR().delete_cluster('a')", &[]),
        ],
    );
}
