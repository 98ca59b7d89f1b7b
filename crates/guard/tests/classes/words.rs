//! S, the syntax of the shell: a word that is written so that it does not look like what it is.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};

#[test]
fn s1_quotes_join_a_word() {
    group(&[
        ("r''m -r\"\"f /opt/data/../../usr", Deny),
        ("\"r\"'m' -rf '/'usr", Deny),
        // A quoted slash makes the tilde a directory of that name.
        ("rm -r'f' ~\"/\"", Ask),
        ("'rm' '-rf' '/usr/share'", Deny),
        ("\"\"rm\"\" -rf \"/\"", Deny),
        ("ec''ho rm -rf /usr", Silent),
        ("r''m ./notes.old", Silent),
        ("echo 'r'\"m -rf /usr\"", Silent),
    ]);
}

#[test]
fn s2_ifs_and_glued_flags() {
    group(&[
        ("rm${IFS}-rf${IFS}/usr", Deny),
        ("rm$IFS-rf$IFS/usr", Deny),
        ("IFS=_; x=rm_-rf_/usr; $x", Deny),
        ("a='-rf /usr'; rm $a", Deny),
        ("rm -rfv/ /usr", Deny),
        ("echo${IFS}hello", Silent),
        ("a='-la src'; ls $a", Silent),
    ]);
}

#[test]
fn s4_a_continued_line_splits_the_opener() {
    group(&[
        ("echo $\\\n(rm -rf /usr)", Deny),
        ("r\\\nm -rf /usr", Deny),
        ("rm -rf \\\n  /usr", Deny),
        ("rm \\\n-r\\\nf /u\\\nsr", Deny),
        ("echo a \\\n  b", Silent),
        ("echo '\\\nrm -rf /usr'", Silent),
    ]);
}

#[test]
fn s6_expansions_that_run_or_assign() {
    group(&[
        ("x='$(rm -rf /usr)'; echo ${x@P}", Deny),
        (": ${x:=rm}; $x -rf /usr", Deny),
        ("x=rm; y=x; ${!y} -rf /usr", Deny),
        ("cat <(rm -rf /usr)", Deny),
        ("echo ${x:-`rm -rf /usr`}", Deny),
        ("x=nothing; echo ${x:-rm -rf /usr}", Silent),
        ("x=notes; echo ${x@Q} ${x^^} ${#x}", Silent),
    ]);
}

#[test]
fn s8_odd_whitespace() {
    group(&[
        ("rm\t-rf\t/usr", Deny),
        ("   rm    -rf     /usr   ", Deny),
        ("ls;rm -rf /usr", Deny),
        ("ls&rm -rf /usr", Deny),
        ("ls&&rm -rf /usr||:", Deny),
        ("rm -rf /usr>/dev/null", Deny),
        ("\tls\t-la", Silent),
        ("echo 'a\rb'", Silent),
    ]);
}

#[test]
fn s12_other_quotes_and_escapes() {
    group(&[
        ("$'rm' -rf $'/usr'", Deny),
        ("$'\\x72\\x6d' -rf /usr", Deny),
        ("$'\\162\\155' -rf $'\\u002fusr'", Deny),
        ("$\"rm\" -rf /usr", Deny),
        ("\\r\\m -rf \\/usr", Deny),
        ("echo 'a'#b; rm -rf /usr", Deny),
        ("echo \"#\" ; rm -rf /usr", Deny),
        ("echo a\\;rm -rf /usr", Silent),
        ("echo a \\&\\& rm -rf /usr", Silent),
        ("echo hi # ; rm -rf /usr", Silent),
        ("echo $'rm\\n-rf\\n/usr'", Silent),
    ]);
}

#[test]
fn s13_a_pattern_or_a_variable_as_the_command() {
    group(&[
        ("c=rm; d=/usr; $c -rf $d", Deny),
        ("c='rm -rf'; $c /usr", Deny),
        ("/bin/r? -rf /usr", Deny),
        ("/bin/r[m] -rf /usr", Deny),
        ("/???/rm -rf /usr", Deny),
        ("{rm,-rf,/usr}", Deny),
        ("c=ls; $c -la", Silent),
        ("ls src/*.r?", Silent),
        ("echo {rm,-rf,/usr}", Silent),
    ]);
}

#[test]
fn s16_letters_that_are_not_what_they_seem() {
    group(&[
        ("\u{440}\u{43c} -rf ./src", Deny),
        ("l\u{200b}s", Deny),
        ("\u{ff52}\u{ff4d} -rf ./src", Deny),
        ("echo '\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}'", Silent),
        ("git commit -m '\u{4fee}\u{590d}'", Silent),
        ("touch na\u{ef}ve.txt", Silent),
    ]);
}
