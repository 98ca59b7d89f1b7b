//! Pipes to other machines, and containers.

use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    path::{LinkPolicy, PathPattern},
    program::ParseFlag,
    program::{Role, Trait},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Tag, Taint, Zone},
};
use checkrein_shell::Word;
use checkrein_sql as sql;

/// Images of databases whose clients have other names.
const DATABASES: &[&str] =
    &["postgres", "postgresql", "postgis", "mongo", "redis", "valkey", "mariadb", "mysql", "pgvector"];

/// `chroot`: the command runs with a directory as its root. If a container sees a directory of this machine, it is
/// the machine's.
pub(in crate::eval) fn chroot(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let directory = parsed.operands.first().and_then(Word::constant).unwrap_or_default();
    // The same root: it runs here.
    if matches!(&*directory, "/" | "/." | "/.." | "//" | "/proc/self/root" | "/proc/1/root") {
        let other_user = rest.iter().any(|word| {
            let lead = word.lead();
            lead.starts_with("--userspec") || lead.starts_with("-u")
        });
        // Another user has other settings.
        let inner = Frame {
            qualities: if other_user { frame.qualities.with(Modifier::Privileged) } else { frame.qualities },
            ..frame.clone()
        };
        return evaluator.follow_argv(&parsed.command, &inner);
    }
    let real = frame.mounts.iter().find_map(|(inside, outside)| {
        Some((PathPattern::of(&directory).below(inside)?.to_vec(), outside.clone()))
    });
    let Some((below, outside)) = real.filter(|_| directory.starts_with('/')) else {
        return evaluator.follow_table(parsed, rest, frame);
    };
    let root = outside.join(below, false);
    let inner = Frame {
        mounts: vec![(PathPattern::of("/"), root)],
        directories: vec![PathPattern::of("/")],
        ..frame.clone()
    };
    evaluator.follow_argv(&parsed.command, &inner)
}

/// `docker run`: the command runs in something that is thrown away, except for what is mounted.
pub(in crate::eval) fn container(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    evaluator.emit_static_effects(parsed, frame);
    let mut inner = evaluator.inner_frame(parsed, frame);
    for (_, word) in parsed.roles.iter().filter(|(role, _)| *role == Role::Volume) {
        evaluator.mount(word, &mut inner, frame);
    }
    if let Some(image) = parsed.operands.first().and_then(Word::constant) {
        let name = image.rsplit('/').next().unwrap_or_default();
        let name = name.split([':', '@']).next().unwrap_or_default();
        evaluator.session.own_database |= sql::Client::of(name).is_some() || DATABASES.contains(&name);
    }
    if parsed.qualities.has(Modifier::Privileged) {
        // The devices in it are those of the machine.
        inner.mounts.push((PathPattern::of("/dev"), PathPattern::of("/dev")));
    }
    if let Some((_, word)) = parsed.roles.iter().find(|(role, _)| *role == Role::Exec) {
        let command: Vec<Word> = std::iter::once(word).chain(&parsed.command).cloned().collect();
        return evaluator.follow_argv(&command, &inner);
    }
    if parsed.command.is_empty() {
        return evaluator.passthrough(rest, frame);
    }
    let mut command = parsed.command.clone();
    if command.first().is_some_and(|first| first.lead().starts_with('-'))
        && let Some(image) = parsed.operands.first().and_then(Word::constant)
    {
        // Options without a program are for the image's own program, which mostly has the name of the image.
        let name = image.rsplit('/').next().unwrap_or_default();
        let name = name.split([':', '@']).next().unwrap_or_default();
        command.insert(0, Word::text(name, 0..0));
    }
    // Its environment is that of the container.
    let mut flow = evaluator.follow_argv(&command, &inner);
    if flow.qualities.has(Taint::Environment) && !flow.qualities.has(Taint::File) {
        flow.qualities = flow.qualities.without(Taint::Environment).without(Taint::Secret);
    }
    // What an image prints was made by others.
    if flow.text.is_none() {
        flow.qualities = flow.qualities.with(Taint::Downloaded);
    }
    flow
}

/// `nc`, `socat`, `telnet`: what they read goes to another machine, and what they print comes from there.
pub(in crate::eval) fn pipe(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.qualities.has(ParseFlag::Help) {
        return Flow::default();
    }
    let mut hosts = Vec::new();
    let mut sent = frame.stdin.qualities;
    for (role, word) in &parsed.roles {
        match role {
            Role::Host => hosts.push(word.clone()),
            Role::Exec | Role::Shell | Role::Command => {
                let wired = Frame { wired: true, ..frame.clone() };
                evaluator.run_text(word, &wired);
            }
            Role::Endpoint => {
                let (kind, value) = endpoint(word);
                match kind.as_str() {
                    "exec" | "system" | "shell" | "sh-c" | "cmd" => {
                        let wired = Frame { wired: true, ..frame.clone() };
                        evaluator.run_text(&value, &wired);
                    }
                    "file" | "open" | "gopen" => {
                        sent = sent.and(evaluator.read_file(&value, frame).qualities);
                        // It goes both ways, unless the call or the address says otherwise.
                        let one_way = |option: &str| call.rest().iter().any(|word| word.lead() == option);
                        let first = parsed.roles.iter().find(|(role, _)| *role == Role::Endpoint);
                        let is_first = first.is_some_and(|(_, first)| std::ptr::eq(first, word));
                        let reads = ["rdonly", "readonly", "ro"].iter().any(|option| {
                            word.lead().split([',', '=']).any(|part| part.trim_start_matches("o-") == *option)
                        });
                        if !reads && !one_way(if is_first { "-u" } else { "-U" }) {
                            evaluator.emit_path(Action::Write, &value, Qualities::NONE, frame);
                        }
                    }
                    "create" => {
                        evaluator.emit_path(Action::Write, &value, Qualities::NONE, frame);
                    }
                    kind if kind.contains("listen") => hosts.push(Word::default()),
                    kind if ["tcp", "udp", "ssl", "openssl", "sctp", "socks"]
                        .iter()
                        .any(|known| kind.starts_with(known)) =>
                    {
                        hosts.push(value);
                    }
                    _ => {}
                }
            }
            Role::Assignment => evaluator.setting(word, frame),
            Role::Data => sent = sent.and(evaluator.data_carried(Role::Data, word, frame)),
            Role::Upload | Role::Read => sent = sent.and(evaluator.file_or_input(word, frame).qualities),
            Role::Write => drop(evaluator.emit_path(Action::Write, word, Qualities::NONE, frame)),
            _ => {}
        }
    }
    // `put file`, as clients of ftp are told.
    let told = parsed
        .roles
        .iter()
        .filter(|(role, _)| *role == Role::Escape)
        .flat_map(|(_, word)| evaluator.texts(word));
    let scripts = parsed.roles.iter().filter(|(role, _)| *role == Role::Read).filter_map(|(_, word)| {
        evaluator.content_of(word, frame).text.or_else(|| evaluator.on_disk(word, frame))
    });
    let lines: Vec<String> = frame.stdin.text.clone().into_iter().chain(told).chain(scripts).collect();
    let words = rest.iter().flat_map(|word| evaluator.texts(word)).collect::<Vec<_>>().join(" ");
    let mut fetched: Vec<Word> = Vec::new();
    for line in lines.iter().flat_map(|text| text.split(['\n', ';'])).chain([words.as_str()]).take(64) {
        fetched.extend(got_file(line).map(|file| evaluator.home_word(file)));
    }
    for file in fetched {
        evaluator.write_file(&file, &Flow::of(qualities![Taint::Downloaded]), false, frame);
    }
    for file in lines.iter().flat_map(|text| text.split(['\n', ';'])).take(64).filter_map(put_file) {
        let word = evaluator.home_word(file);
        sent = sent.and(evaluator.read_file(&word, frame).qualities);
    }
    // Clients that people type into go on to a shell of this machine.
    if parsed.program.has(Trait::Escapes) {
        for line in lines.iter().flat_map(|text| text.split(['\n', ';'])).take(64) {
            let command = line.trim_start().trim_start_matches('~').strip_prefix('!');
            if let Some(command) = command {
                evaluator.follow_text(command, &frame.without_stdin());
            }
        }
        evaluator.fetched_by_lines(&lines, frame);
        if !hosts.is_empty() && hosts.iter().all(|host| evaluator.host(host).local) {
            evaluator.told_here(&lines, frame);
        }
        // `sftp host:file directory`
        if let [source, target] = parsed.operands.as_slice() {
            let shown = crate::eval::words::show(source);
            evaluator.fetches_to(shown.rsplit(':').next().unwrap_or_default(), Some(target), frame);
        }
    }
    // Clients of code hosts know where they go.
    if hosts.is_empty() && parsed.program.has(Trait::CodeHost) {
        hosts.push(Word::text("github.com", 0..0));
    }
    for host in &hosts {
        evaluator.connect(host, frame);
        let loaded = !frame.stdin.is_unknown() || !sent.is_empty();
        if loaded && !parsed.qualities.has(Modifier::Lists) {
            evaluator.send(host, sent.with(Taint::Stdin), frame);
        }
    }
    if frame.stdin.qualities.has(Modifier::Shell)
        && (!hosts.is_empty() || parsed.qualities.has(Modifier::Listens))
    {
        evaluator.emit(Action::Expose, Target::Nothing, qualities![Modifier::Shell], frame);
    }
    let local = hosts.iter().all(|host| evaluator.host(host).local);
    let mut flow = evaluator.passthrough(rest, frame);
    if !hosts.is_empty() && !local {
        flow.qualities = flow.qualities.with(Taint::Downloaded);
    }
    flow
}

impl Evaluator<'_> {
    /// Follows what a client of ftp tells a server on this machine: a path that is not absolute is below the home directory.
    fn told_here(&mut self, lines: &[String], frame: &Frame) {
        let mut inner = frame.without_stdin();
        let home = Word::text(&self.home.clone(), 0..0);
        self.change_directory(Some(&home), &mut inner);
        for line in lines.iter().flat_map(|text| text.split(['\n', ';'])).take(64) {
            let mut words = line.trim_start().trim_start_matches(['-', '@']).split_whitespace();
            let Some(command) = words.next() else { continue };
            let named: Vec<Word> = words
                .map(|word| word.trim_matches(['"', '\'']))
                .filter(|word| !word.starts_with('-'))
                .map(|word| Word::text(word, 0..0))
                .collect();
            let program: &[&str] = match command {
                "rm" | "delete" | "mdelete" => &["rm"],
                "rmdir" => &["rmdir"],
                "rename" | "mv" => &["mv", "-T"],
                "put" | "reput" | "send" | "copy" | "cp" => &["cp", "-r"],
                "ln" | "symlink" => &["ln", "-s"],
                "chmod" => &["chmod"],
                "chown" => &["chown"],
                "cd" => {
                    self.change_directory(named.first(), &mut inner);
                    continue;
                }
                _ => continue,
            };
            let words: Vec<Word> = program.iter().map(|word| Word::text(word, 0..0)).chain(named).collect();
            self.follow_argv(&words, &inner);
        }
    }

    /// Follows what ftp clients are told to fetch, and where to: `lcd`, `get`, `mget`, `mirror`.
    fn fetched_by_lines(&mut self, lines: &[String], frame: &Frame) {
        let mut inner = frame.without_stdin();
        for line in lines.iter().flat_map(|text| text.split(['\n', ';'])).take(64) {
            let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
            let Some(command) = words.next() else { continue };
            let output = line.split_whitespace().skip_while(|word| *word != "-O").nth(1);
            let named: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
            match command {
                "lcd" => {
                    let directory = named.first().map(|path| self.home_word(path));
                    self.change_directory(directory.as_ref(), &mut inner);
                }
                "get" | "mget" | "reget" | "pget" | "recv" | "newer" => {
                    let target = match (output, named.as_slice()) {
                        (Some(output), _) => Some(self.home_word(output)),
                        (None, [_, target]) if command != "mget" => Some(self.home_word(target)),
                        _ => None,
                    };
                    let source = named.iter().find(|name| name.contains(['*', '?'])).or(named.first());
                    self.fetches_to(source.copied().unwrap_or("*"), target.as_ref(), &inner);
                }
                "mirror" if !line.contains(" -R") && !line.contains("--reverse") => {
                    let target = named.get(1).map(|target| self.home_word(target));
                    self.fetches_to("*", target.as_ref(), &inner);
                }
                _ => {}
            }
        }
    }

    /// A file of another machine becomes `target`, or arrives in it. Without a target it arrives here under its own name.
    fn fetches_to(&mut self, source: &str, target: Option<&Word>, frame: &Frame) {
        let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let known = !name.is_empty() && !name.contains(['*', '?', '[', '$', '`']);
        let here = Word::text(".", 0..0);
        let target = target.unwrap_or(&here);
        if known {
            let mut file = target.clone();
            file.push_text(&format!("/{name}"));
            self.emit_if_ours(Action::Write, target, qualities![ParseFlag::Merged], frame);
            self.emit_if_ours(Action::Write, &file, Qualities::NONE, frame);
        } else {
            self.emit_arrives_in(target, Qualities::NONE, frame);
        }
    }

    /// A word that no shell has looked at.
    pub(in crate::eval) fn home_word(&self, text: &str) -> Word {
        let path =
            text.strip_prefix("~/").map_or_else(|| text.to_owned(), |rest| format!("{}/{rest}", self.home));
        Word::text(&path, 0..0)
    }

    /// `host:inside` or `type=bind,source=host,target=inside`.
    fn mount(&mut self, word: &Word, inner: &mut Frame, frame: &Frame) {
        let text: String = self.names_of(word).into_iter().next().unwrap_or_default();
        let (outside, inside) = if text.contains("source=") || text.contains("src=") {
            let field = |names: &[&str]| {
                text.split(',')
                    .find_map(|field| {
                        names.iter().find_map(|name| field.strip_prefix(name)?.strip_prefix('='))
                    })
                    .map(str::to_owned)
            };
            (
                field(&["source", "src"]).unwrap_or_default(),
                field(&["target", "dst", "destination"]).unwrap_or_default(),
            )
        } else {
            let mut parts = text.split(':');
            (parts.next().unwrap_or_default().to_owned(), parts.next().unwrap_or_default().to_owned())
        };
        // A name without a slash is a volume of the engine's own.
        if !outside.starts_with(['/', '.', '~']) {
            return;
        }
        let outer = Word::text(&outside, word.span.clone());
        for (spot, _) in self.places(&outer, LinkPolicy::Follow, frame) {
            if matches!(spot.zone, Zone::Root | Zone::HomeRoot)
                || spot.path == "/etc"
                || spot.path.ends_with("docker.sock")
            {
                self.emit(Action::Privilege, Target::Path(spot.clone()), qualities![Modifier::Host], frame);
            }
            inner.mounts.push((PathPattern::of(&inside), PathPattern::of(&spot.path)));
            if spot.tags.has(Tag::Secret) {
                // Whatever runs in there has it.
                self.emit(Action::Read, Target::Path(spot), Qualities::NONE, frame);
            }
        }
    }
}

/// The file of a line that sends it.
fn put_file(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let put =
        words.next().filter(|word| matches!(*word, "put" | "mput" | "send" | "append" | "reput" | "mirror"));
    put.and_then(|_| words.find(|word| !word.starts_with('-')))
}

/// `TCP:host:port,options` as its kind and what follows.
fn endpoint(word: &Word) -> (String, Word) {
    let lead = word.lead();
    let Some((kind, _)) = lead.split_once(':') else { return (String::new(), word.clone()) };
    let value = word.skip(kind.len() + 1);
    let value = match value.constant() {
        // A command may be in quotes of its own.
        Some(text) if text.starts_with('"') => {
            let inside = text.trim_start_matches('"');
            let end = inside.find('"').unwrap_or(inside.len());
            Word::text(inside.get(..end).unwrap_or_default(), word.span.clone())
        }
        // The options at the end are not part of it: `,pty`, `,user=x`.
        Some(text) => {
            let is_option = |part: &str| {
                let name = part.split('=').next().unwrap_or_default();
                let is_name = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
                !name.is_empty() && name.chars().all(is_name) && !part.contains(' ')
            };
            let mut command = &*text;
            while let Some((before, _)) = command.rsplit_once(',').filter(|(_, part)| is_option(part)) {
                command = before;
            }
            Word::text(command, word.span.clone())
        }
        None => value,
    };
    (kind.to_ascii_lowercase(), value)
}

/// `get there here`: the file in which something arrives.
fn got_file(line: &str) -> Option<&str> {
    let mut words =
        line.split_ascii_whitespace().skip_while(|word| !matches!(*word, "get" | "mget" | "pget" | "recv"));
    words.next()?;
    let mut words = words.filter(|word| !word.starts_with('-'));
    let there = words.next()?;
    Some(words.next().unwrap_or_else(|| there.rsplit('/').next().unwrap_or(there)))
}
