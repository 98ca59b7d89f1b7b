//! Cases across the classes: variables that may be several things, files that the text itself made, and streams.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};
use checkrein_guard::{CallContext, FileKind, World, judge};

#[test]
fn what_a_variable_may_be() {
    group(&[
        ("echo hi && c='rm -rf /usr'; $c", Deny),
        ("[ -n \"$x\" ] || t=/usr; rm -rf \"$t\"", Deny),
        ("for _ in 1; do c='rm -rf /usr'; $c; done", Deny),
        ("true && x='mr'; ${x:1:1}${x:0:1} -rf /usr", Deny),
        ("a=(rm -rf /usr); \"${a[@]}\"", Deny),
        ("a=(rm -rf); ${a[@]} /usr", Deny),
        ("declare -n r=x; x='-rf /usr'; rm $r", Deny),
        ("CDPATH=/; cd usr && rm -rf share", Deny),
        ("f() { t=/usr; }; f; rm -rf $t", Deny),
        ("f() { f() { rm -rf ~/; }; f; }; f", Deny),
        ("t=build; [ -n \"$x\" ] && t=dist; rm -rf $t", Silent),
        ("rm -rf \"${OUT:-dist}\"", Silent),
        ("a=(ls -la src); \"${a[@]}\"", Silent),
    ]);
}

#[test]
fn what_the_text_itself_made() {
    group(&[
        ("ln -sfn /etc conf && echo x > conf/passwd", Deny),
        ("ln -s /usr here; rm -rf here/share", Deny),
        ("ln -s /usr here; cd here; rm -rf share", Deny),
        ("echo 'rm -rf /usr' | tee x.sh; bash x.sh", Deny),
        ("PS4='$(rm -rf /usr)' bash -xc ls", Deny),
        ("tar xf a.tar -C /etc", Deny),
        ("ln -s ../shared here; rm here", Silent),
        ("echo 'make all' | tee x.sh; bash x.sh", Silent),
        ("PS4='+ ' bash -xc ls", Silent),
    ]);
}

#[test]
fn what_is_run_by_roundabout_ways() {
    group(&[
        ("jq -r .cmd x.json | sh", Ask),
        ("printf 'rm -rf /usr' > /tmp/s && bash -c \"$(</tmp/s)\"", Deny),
        ("cp $(which rm) ./x; ./x -rf /usr", Deny),
        ("test -v 'a[$(rm -rf /usr)]'", Deny),
        ("sh -c 'rm -rf \"$0\"' /usr", Deny),
        ("sudo -s <<< 'rm -rf /usr'", Deny),
        ("Rscript -e 'system(\"rm -rf ~\")'", Deny),
        ("expect -c 'spawn rm -rf /usr; interact'", Deny),
        ("echo reset --hard HEAD~1 | xargs git", Deny),
        ("d=/usr; f() { rm -rf \"$d\"; }; f", Deny),
        ("rm -rf /@(etc|usr)", Deny),
        ("rm -rf .git*", Deny),
        ("echo 'rm -rf /usr' | bash -n", Silent),
        ("Rscript -e 'print(\"rm -rf ~\")'", Silent),
        ("trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d)", Silent),
        ("rm -rf node_modules yarn.lock", Silent),
        ("cat build.sh | sh", Silent),
    ]);
}

/// On a real machine the standard streams are links to whatever they are at the moment.
struct Streams;

impl World for Streams {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        match path {
            "/dev/stdin" => Some(FileKind::Link("/proc/self/fd/0".to_owned())),
            "/proc/self/fd/0" => Some(FileKind::Link("pipe:[4242]".to_owned())),
            "/dev" | "/proc" | "/proc/self" | "/proc/self/fd" => Some(FileKind::Directory),
            _ => None,
        }
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

#[test]
fn the_standard_streams_are_known_by_their_names() {
    let place = CallContext {
        cwd: Some("/home/dev/proj".to_owned()),
        project: Some("/home/dev/proj".to_owned()),
        ..CallContext::default()
    };
    assert_eq!(judge("bash /dev/stdin <<< 'rm -rf /usr'", &place, &Streams).decision, Deny);
    assert_eq!(judge("wc -l /dev/stdin <<< 'rm -rf /usr'", &place, &Streams).decision, Silent);
}
