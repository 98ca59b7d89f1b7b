//! The state of a shell changes while a text runs, and not only by written assignments.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};

#[test]
fn an_older_value_may_have_been_replaced() {
    group(&[
        ("D=dist; eval D=/home; rm -rf \"$D\"", Ask),
        ("D=dist; n=D; eval \"$n=/home\"; rm -rf \"$D\"", Ask),
        ("D=dist; source ./settings; rm -rf \"$D\"", Ask),
        ("D=dist; . <(echo D=/home); rm -rf \"$D\"", Ask),
        ("D=dist; declare -n r=D; r=/home; rm -rf \"$D\"", Ask),
        ("D=dist; f(){ local -n o=$1; o=/home; }; f D; rm -rf \"$D\"", Ask),
        ("D=dist; f(){ printf -v \"$1\" /home; }; f D; rm -rf \"$D\"", Ask),
        ("D=dist; export $(cat settings | xargs); rm -rf \"$D\"", Ask),
        ("D=dist; trap 'D=/home' DEBUG; rm -rf \"$D\"", Ask),
        ("source .venv/bin/activate; D=dist; rm -rf \"$D\"", Silent),
        ("D=dist; if [ -d x ]; then D=build; fi; rm -rf \"$D\"", Silent),
        ("D=dist; printf '%s\\n' \"$D\"; rm -rf \"$D\"", Silent),
    ]);
}

#[test]
fn the_variable_of_a_loop_stays() {
    group(&[
        ("D=dist; for D in ~ /etc; do echo \"$D\"; done; rm -rf \"$D\"", Deny),
        ("for D in / ; do :; done; rm -rf \"$D\"", Deny),
        ("D=dist; for D in build out; do echo \"$D\"; done; rm -rf \"$D\"", Silent),
    ]);
}

#[test]
fn the_directory_changes_however_it_is_said() {
    group(&[
        ("command cd / && rm -rf home", Deny),
        ("builtin cd ~ && rm -rf build", Ask),
        (". <(echo cd /); rm -rf home", Deny),
        ("command cd packages/web && rm -rf dist", Silent),
        ("command -v node && command npm test", Silent),
    ]);
}

#[test]
fn what_another_machine_reads_is_run_there() {
    group(&[
        ("ssh web bash <<'END'\nrm -rf /\nEND", Deny),
        ("echo 'rm -rf /' | ssh web", Deny),
        ("ssh web 'bash -s' <<< 'rm -rf /'", Deny),
        ("ssh web bash <<'END'\ncd /srv/app\ngit pull\nEND", Silent),
        ("ssh web 'tail -n 50 /var/log/app.log'", Silent),
    ]);
}

#[test]
fn a_shell_by_other_names() {
    group(&[
        ("$0 -c 'rm -rf ~'", Deny),
        ("\"$SHELL\" -c 'rm -rf ~'", Deny),
        ("/proc/self/exe -c 'rm -rf /home'", Deny),
        ("$SHELL --version", Silent),
        ("\"$0\" -c 'make test'", Silent),
    ]);
}

#[test]
fn other_ways_to_read_a_secret_or_to_stay() {
    group(&[
        ("perl -ne print ~/.ssh/id_rsa", Ask),
        ("ruby -pe 1 .env", Ask),
        ("curl file:///home/dev/.ssh/id_rsa", Ask),
        ("cat terraform.tfstate", Ask),
        ("echo x >> ~/.tmux.conf", Ask),
        ("git config --global credential.helper '!f(){ cat >> /tmp/c; }; f'", Deny),
        ("perl -ne 'print if /x/' src/main.pl", Silent),
        ("curl file:///home/dev/proj/data.json", Silent),
        ("git config --global credential.helper store", Silent),
        ("git config credential.helper '!gh auth git-credential'", Silent),
    ]);
}

#[test]
fn an_archive_may_take_its_files_away() {
    group(&[
        ("tar czf a.tgz --remove-files src", Ask),
        ("tar --remove-files -cf a.tar ~", Deny),
        ("tar czf a.tgz --remove-files build", Silent),
        ("tar czf a.tgz src", Silent),
    ]);
}

#[test]
fn long_options_may_be_cut_short() {
    group(&[
        ("tar cf a.tar x --use-compress-prog='rm -rf /home'", Deny),
        ("tar xf a.tar --to-comm='rm -rf /home'", Deny),
        ("tar cf a.tar x --checkpoint=1 --checkpoint-act='exec=rm -rf /home'", Deny),
        ("sed --expr='1e rm -rf /home' notes.md", Deny),
        ("sed --in-pla d src/main.rs", Ask),
        ("tar cf a.tar --exclude-vcs src", Silent),
        ("sed --expr='s/a/b/' notes.md", Silent),
    ]);
}
