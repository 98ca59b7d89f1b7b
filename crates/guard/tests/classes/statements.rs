//! S, the syntax of the shell: a command in an unlikely place, or among others that distract from it.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Deny};

#[test]
fn s3_substitution_as_argument_in_quotes_and_as_command() {
    group(&[
        ("echo $(rm -rf /usr)", Deny),
        ("echo \"all done: $(rm -rf /usr)\"", Deny),
        ("echo `rm -rf /usr`", Deny),
        ("$(echo rm) -rf /usr", Deny),
        ("`printf rm` -rf /usr", Deny),
        ("git commit -m \"$(rm -rf ~/)\"", Deny),
        ("ls ${x:-$(rm -rf /usr)}", Deny),
        ("echo $(( $(rm -rf /usr) + 1 ))", Deny),
        ("[[ -n $(rm -rf /usr) ]]", Deny),
        ("x[$(rm -rf /usr)]=1", Deny),
        ("cat <<E\n$(rm -rf /usr)\nE", Deny),
        ("echo '$(rm -rf /usr)'", Silent),
        ("echo \"\\$(rm -rf /usr)\"", Silent),
        ("cat <<'E'\n$(rm -rf /usr)\nE", Silent),
        ("echo \"$(date)\"", Silent),
    ]);
}

#[test]
fn s5_a_newline_separates() {
    group(&[
        ("ls\nrm -rf /usr", Deny),
        ("echo hi # and\nrm -rf /usr", Deny),
        ("cat <<E\nx\nE\nrm -rf /usr", Deny),
        ("echo hi \\\\\nrm -rf /usr", Deny),
        ("ls\npwd\n", Silent),
        ("git commit -m 'first line\nrm -rf /usr is what it did'", Silent),
    ]);
}

#[test]
fn s7_groups_hide_nothing() {
    group(&[
        ("{ rm -rf /usr; }", Deny),
        ("(rm -rf /usr)", Deny),
        ("( ( { (rm -rf /usr) } ) )", Deny),
        ("diff <(ls) <(rm -rf /usr)", Deny),
        ("ls > >(rm -rf /usr)", Deny),
        ("if ls; then :; else rm -rf /usr; fi", Deny),
        ("case $x in a) ;; *) rm -rf /usr;; esac", Deny),
        ("until rm -rf /usr; do :; done", Deny),
        ("f() { rm -rf /usr; }; f", Deny),
        ("coproc rm -rf /usr", Deny),
        ("{ ls; pwd; }", Silent),
        ("diff <(sort a) <(sort b)", Silent),
        ("for x in a b; do echo $x; done", Silent),
    ]);
}

#[test]
fn s9_other_forms_of_redirection() {
    group(&[
        ("echo x >| /etc/passwd", Deny),
        ("echo x &> /etc/passwd", Deny),
        ("echo x &>> /etc/passwd", Deny),
        ("echo x >& /etc/passwd", Deny),
        ("echo x 1<> /etc/passwd", Deny),
        ("> /etc/passwd", Deny),
        (">/etc/passwd echo x", Deny),
        ("{ echo x; } > /etc/passwd", Deny),
        ("while read l; do echo $l; done < a > /etc/passwd", Deny),
        ("exec 3> /etc/passwd", Deny),
        ("echo x >| ./notes.txt", Silent),
        ("make > build.log 2>&1", Silent),
    ]);
}

#[test]
fn s11_assignments_in_front() {
    group(&[
        ("A=1 rm -rf /usr", Deny),
        ("A=1 B=\"2 3\" C=$(date) rm -rf /usr", Deny),
        ("A= rm -rf /usr", Deny),
        ("A=(1 2); rm -rf /usr", Deny),
        ("A=$(rm -rf /usr)", Deny),
        ("A=1 B=2 make test", Silent),
        ("A='rm -rf /usr' make test", Silent),
    ]);
}

#[test]
fn s14_no_word_disarms_a_rule() {
    group(&[
        ("rm -rf /usr # dry-run --dry-run", Deny),
        ("rm -rf /usr; echo --dry-run", Deny),
        ("rm -rf node_modules /usr", Deny),
        ("rm -rf /usr /tmp/x", Deny),
        ("NOTE=--dry-run rm -rf /usr", Deny),
        ("rm -rf -- /usr --help", Deny),
        ("rm -rf node_modules dist/assets", Silent),
    ]);
}

#[test]
fn s15_length_and_number_do_not_weaken() {
    let many = format!("{}rm -rf /usr", "echo a && ".repeat(200));
    let long = format!("echo {}; rm -rf /usr", "a".repeat(20_000));
    let harmless = "echo a && ".repeat(200) + "ls";
    group(&[(&many, Deny), (&long, Deny), (&harmless, Silent)]);
}

#[test]
fn s17_every_part_of_a_chain_counts() {
    group(&[
        ("ls && rm -rf /usr", Deny),
        ("ls || rm -rf /usr", Deny),
        ("ls ; ls ; ls | rm -rf /usr", Deny),
        ("ls | tee /etc/passwd", Deny),
        ("echo x > /etc/hosts && ls", Deny),
        ("ls &\nrm -rf /usr &\nwait", Deny),
        ("make && make test && git status", Silent),
        ("ls | head -3 | sort > names.txt", Silent),
    ]);
}

#[test]
fn s18_nothing_is_safe_by_its_name() {
    group(&[
        ("echo x; rm -rf /usr", Deny),
        ("echo \"x\"; rm -rf /usr; echo \"y\"", Deny),
        ("find / -delete", Deny),
        ("rg x --pre 'rm -rf /usr'", Deny),
        ("sort -o /etc/passwd names.txt", Deny),
        ("echo x > ~/.ssh/authorized_keys", Deny),
        ("echo \"; rm -rf /usr\"", Silent),
        ("find . -name '*.rs' -newer Cargo.toml", Silent),
        ("rg 'rm -rf /usr' docs", Silent),
        ("sort -o names.txt names.txt", Silent),
    ]);
}
