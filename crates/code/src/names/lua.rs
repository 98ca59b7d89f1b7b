//! Lua.

use super::{
    Call::{self, *},
    Deep::Never,
    Encoding::Base64,
    Table,
    With::{self, Arguments, Receiver},
};

pub(super) const TABLE: Table = Table {
    functions: FUNCTIONS,
    methods: METHODS,
    environment: &[],
    joins: &[".."],
    dots: &[".", ":"],
    commands: false,
};

const FUNCTIONS: &[(&str, Call)] = &[
    ("os.execute", Shell),
    ("io.popen", Shell),
    ("os.remove", Delete(Never)),
    ("lfs.rmdir", Delete(Never)),
    ("vim.fn.system", Shell),
    ("os.rename", Move),
    ("io.open", Open),
    ("io.lines", Read),
    ("io.output", Write),
    ("io.input", Read),
    ("lfs.dir", Names),
    ("lfs.link", Link),
    ("lfs.chdir", Chdir),
    ("socket.http.request", Post),
    ("http.request", Post),
    ("socket.connect", Connect),
    ("socket.tcp", Socket),
    ("load", Evaluate),
    ("debug.debug", Console),
    ("loadstring", Evaluate),
    ("dofile", Evaluate),
    ("loadfile", Evaluate),
    ("require", Import),
    ("print", Print),
    ("io.write", Print),
    ("tostring", Same),
    ("assert", Same),
    ("ipairs", Enumerate),
    ("pairs", Enumerate),
    ("string.char", Chr),
    ("string.reverse", Reverse),
    ("string.format", Format),
    ("table.concat", JoinList),
    ("os.getenv", Getenv),
    ("mime.unb64", Decode(Base64)),
];

const METHODS: &[(&str, With, Call)] = &[
    ("connect", Arguments, Connect),
    ("send", Receiver, Send),
    ("write", Receiver, Put),
    ("reverse", Receiver, Reverse),
    ("rep", Receiver, Nothing),
    ("read", Receiver, Same),
];
