//! What the shell itself does: redirections, folders, functions and aliases, and finding the program that a name means.

use super::{Content, Context, Lowering, flow::Flow};
use crate::{
    effect::Target,
    glob,
    path::{Last, Spot, Steps},
    program,
    script::{Input, Output, Place, Redirect, RedirectKind, Script, Shell, Simple},
    vocabulary::{Mark, Marks, Tag, Tags, Verb},
    word::{Odd, Part, Word},
};

/// How many folders a shell may be in.
const FOLDERS: usize = 6;
/// How many programs a pattern in the place of a command may mean.
const NAMES: usize = 24;

impl Lowering<'_> {
    /// Follows one simple command, and answers what it prints.
    pub(super) fn simple(&mut self, simple: &Simple, script: &Script, outer: &Context) -> Flow {
        // What a function does is followed where it is called.
        if simple.within.iter().any(|place| matches!(place, Place::Function(_))) {
            return Flow::default();
        }
        self.enter(simple.shell, script, outer);
        let mut context = self.context_folders(simple, outer);
        context.stdin = self.input(simple, outer);
        context.wired |= self.is_wired(simple);
        let redirects: Vec<&Redirect> = simple.redirects.iter().map(AsRef::as_ref).collect();
        if simple.words.is_empty() && !redirects.is_empty() {
            // A redirection alone is a command, too.
            self.runs(
                &redirects.iter().map(|redirect| redirect.target.clone()).collect::<Vec<_>>(),
                None,
                &context,
            );
        } else {
            self.upcoming = true;
        }
        for redirect in &redirects {
            self.opens(redirect, &context);
        }
        self.upcoming = false;
        for (name, value) in &simple.assignments {
            self.variable(name, value, &context);
        }
        let flow = if simple.words.is_empty() {
            // `> file` alone writes nothing into it.
            Flow::text("")
        } else {
            self.argv_of(simple, &mut context)
        };
        for redirect in &redirects {
            self.fills(redirect, &flow, &context);
        }
        if let (Output::Descriptor(redirect), false) = (&simple.stdout, flow.marks.is_empty())
            && let Some(host) = self.socket(redirect)
        {
            self.send(&host, flow.marks.with(Mark::Stdin), &context);
        }
        self.shows(simple, &flow, &context);
        if let Output::File(redirect) = &simple.stdout
            && !simple.redirects.contains(redirect)
        {
            self.fills(redirect, &flow, &context);
        }
        flow
    }

    /// A program that prints secrets shows them, unless its output goes elsewhere.
    fn shows(&mut self, simple: &Simple, flow: &Flow, context: &Context) {
        let hidden = Marks::of(&[Mark::Environment, Mark::Revealed]);
        let own: Vec<Mark> =
            flow.marks.iter().filter(|mark| hidden.has(*mark) && !context.stdin.marks.has(*mark)).collect();
        if !own.is_empty() && super::flow::reaches_the_end(simple) {
            self.say(Verb::Reveal, Target::Nothing, Marks::of(&own), context);
        }
    }

    fn argv_of(&mut self, simple: &Simple, context: &mut Context) -> Flow {
        let before = context.folders.clone();
        let flow = self.argv_in(&simple.words, context);
        if context.folders != before
            && let Some(scope) = self.scopes.last_mut()
        {
            // A change of folder that may not happen leaves both.
            if simple.within.iter().any(|place| matches!(place, Place::Branch | Place::Loop))
                && !follows_and(simple, &scope.text)
            {
                for folder in before {
                    if !context.folders.contains(&folder) {
                        context.folders.push(folder);
                    }
                }
            }
            limit(&mut context.folders);
            scope.folders.insert(simple.shell, context.folders.clone());
        }
        flow
    }

    /// A shell starts where its parent is.
    fn enter(&mut self, shell: Shell, script: &Script, outer: &Context) {
        let Some(scope) = self.scopes.last_mut() else { return };
        if scope.folders.contains_key(&shell) {
            return;
        }
        let mut ancestor = script.parent(shell);
        while let Some(parent) = ancestor {
            if let Some(folders) = scope.folders.get(&parent).cloned() {
                scope.folders.insert(shell, folders);
                return;
            }
            ancestor = script.parent(parent);
        }
        scope.folders.insert(shell, outer.folders.clone());
    }

    /// The surroundings of a command, without its input.
    pub(super) fn context_folders(&self, simple: &Simple, outer: &Context) -> Context {
        let folders =
            self.scope().and_then(|scope| scope.folders.get(&simple.shell)).unwrap_or(&outer.folders);
        Context {
            folders: folders.clone(),
            marks: outer.marks,
            stdin: Flow::default(),
            wired: outer.wired,
            in_function: outer.in_function,
            mounts: outer.mounts.clone(),
        }
    }

    /// Whether a command talks to another machine through its redirections.
    fn is_wired(&self, simple: &Simple) -> bool {
        let network = |redirect: &&Redirect| network_address(&redirect.target).is_some();
        let all = simple.redirects.iter().chain(&simple.inherited).map(AsRef::as_ref);
        let reads = all.clone().filter(network).count() > 0;
        let descriptor =
            matches!(simple.stdin, Input::Descriptor(_)) || matches!(simple.stdout, Output::Descriptor(_));
        reads || (descriptor && self.effects.iter().any(|effect| effect.verb == Verb::Connect))
    }

    /// The machine at the other end of a descriptor that was opened before.
    pub(super) fn socket(&self, redirect: &Redirect) -> Option<Word> {
        let number = redirect.target.constant()?.parse().ok()?;
        self.sockets.get(&number).cloned()
    }

    /// What a redirection does when it is opened.
    fn opens(&mut self, redirect: &Redirect, context: &Context) {
        if let Some(host) = network_address(&redirect.target) {
            self.connect(&host, context);
            if let Some(descriptor) = redirect.descriptor {
                self.sockets.insert(descriptor, host);
            }
            return;
        }
        let verb = match redirect.kind {
            RedirectKind::Read => Verb::Read,
            RedirectKind::Write | RedirectKind::WriteBoth => Verb::Write,
            RedirectKind::Append | RedirectKind::AppendBoth | RedirectKind::ReadWrite => Verb::Append,
            RedirectKind::DuplicateInput
            | RedirectKind::DuplicateOutput
            | RedirectKind::Document
            | RedirectKind::Text => return,
        };
        self.path(verb, &redirect.target, Marks::NONE, context);
    }

    /// What flows through a redirection.
    fn fills(&mut self, redirect: &Redirect, flow: &Flow, context: &Context) {
        if !redirect.kind.writes() {
            return;
        }
        if let Some(host) = network_address(&redirect.target) {
            self.send(&host, flow.marks.with(Mark::Stdin), context);
            return;
        }
        let appends = matches!(
            redirect.kind,
            RedirectKind::Append | RedirectKind::AppendBoth | RedirectKind::ReadWrite
        );
        self.fill(&redirect.target, flow, appends, context);
    }

    /// Remembers what a file holds from here on.
    pub(super) fn fill(&mut self, target: &Word, flow: &Flow, appends: bool, context: &Context) {
        for (spot, _) in self.places(target, Last::Follow, context) {
            self.runs_later(&spot, flow, context);
            let content = self.files.entry(spot.path).or_default();
            if appends {
                content.flow.add(flow);
            } else {
                *content = Content { program: None, flow: flow.clone() };
            }
        }
    }

    /// What is written where something runs it by itself is judged as if it ran.
    fn runs_later(&mut self, spot: &Spot, flow: &Flow, context: &Context) {
        let by_itself = Tags::of(&[Tag::Profile, Tag::Autostart, Tag::GitHooks, Tag::AgentHooks]);
        if let (true, Some(text)) = (spot.tags.has_any(by_itself), &flow.text)
            && !spot.path.ends_with(".json")
            && !spot.path.ends_with(".toml")
        {
            let inner =
                Context { marks: context.marks.with(Mark::Later), stdin: Flow::default(), ..context.clone() };
            self.text(&text.clone(), &inner);
        }
    }

    /// Remembers the functions and aliases of a text.
    pub(super) fn define(&mut self, script: &Script, text: &str) {
        for function in &script.functions {
            if let Some(body) =
                text.get(function.span.clone()).and_then(|source| body_of(source, &function.name))
            {
                self.functions.insert(function.name.clone(), body.to_owned());
            }
        }
        for alias in &script.aliases {
            self.aliases.insert(alias.name.clone(), alias.value.clone());
        }
    }

    /// Follows a command with its arguments.
    pub(super) fn argv(&mut self, words: &[Word], context: &Context) -> Flow {
        let mut context = context.clone();
        self.argv_in(words, &mut context)
    }

    /// The same in the running shell: where it is afterwards stays.
    pub(super) fn argv_in(&mut self, words: &[Word], context: &mut Context) -> Flow {
        let Some((first, rest)) = words.split_first() else { return Flow::default() };
        if self.depth >= super::DEPTH || !self.burn(32 + 16 * words.len()) {
            self.say(Verb::Opaque, Target::Nothing, Marks::of(&[Mark::TooMuch]), context);
            return Flow::default();
        }
        self.depth += 1;
        self.disguises(words, context);
        let flow = match first.constant() {
            Some(name) => self.named(&name, words, context),
            None => self.unnamed(first, rest, words, context),
        };
        self.depth -= 1;
        flow
    }

    /// Characters that hide what a command is.
    fn disguises(&mut self, words: &[Word], context: &Context) {
        let Some((first, rest)) = words.split_first() else { return };
        let hides = |odd: Odd| matches!(odd, Odd::Bidi);
        let looks_like = |(char, odd): &(char, Odd)| *odd != Odd::Foreign || char.is_alphanumeric();
        if first.odd_characters().iter().any(looks_like)
            || rest.iter().any(|word| word.odd_characters().iter().any(|(_, odd)| hides(*odd)))
        {
            self.runs(words, None, context);
            self.say(
                Verb::Run,
                Target::Name(super::words::show(first)),
                Marks::of(&[Mark::Disguised]),
                context,
            );
        }
    }

    /// A command whose name is not constant.
    fn unnamed(&mut self, first: &Word, rest: &[Word], words: &[Word], context: &mut Context) -> Flow {
        // A substitution in its place may become the whole command.
        let splits = first.unknowns().any(|unknown| unknown.splits);
        let whole = splits.then(|| self.value_of(first).text).flatten();
        let texts = whole.map_or_else(|| self.texts(first), |text| vec![text]);
        let mut flow = Flow::default();
        let mut given = false;
        for mut arguments in self.arguments_of(first) {
            arguments.extend_from_slice(rest);
            given = true;
            flow.add(&self.argv_in(&arguments, context));
        }
        if given {
            return flow;
        }
        for text in &texts {
            let names: Vec<&str> = if splits { self.split(text) } else { vec![text] };
            let mut all: Vec<Word> = names.iter().map(|name| Word::text(name, first.span.clone())).collect();
            all.extend_from_slice(rest);
            if let Some(name) = names.first() {
                flow.add(&self.named(name, &all, context));
            }
        }
        if !texts.is_empty() {
            return flow;
        }
        if let Some(pattern) = first.pattern() {
            let base = pattern.rsplit('/').next().unwrap_or_default().to_owned();
            let names: Vec<&str> =
                program::names().filter(|name| glob::matches(&base, name)).take(NAMES).collect();
            for name in &names {
                self.named(name, words, context);
            }
            if !names.is_empty() {
                return flow;
            }
        }
        // The end of the name may be known: `$DIR/rm`.
        if let Some(Part::Text(text)) = first.parts.last()
            && let Some((_, base)) = text.rsplit_once('/')
            && !base.is_empty()
        {
            return self.named(base, words, context);
        }
        if !self.runs(words, None, context) {
            return flow;
        }
        let marks =
            first.unknowns().fold(Marks::NONE, |marks, unknown| marks.and(self.origin(unknown).marks));
        self.say(Verb::Run, Target::Name(super::words::show(first)), marks.with(Mark::AnyProgram), context);
        self.may_delete(rest, context);
        self.through(rest, context)
    }

    /// A program that is not known, given what one gives to `rm`: it may be that.
    fn may_delete(&mut self, arguments: &[Word], context: &Context) {
        let is_option = |word: &Word| word.lead().starts_with('-');
        let forceful = |word: &&Word| {
            let lead = word.lead();
            is_option(word) && !lead.starts_with("--") && lead.contains(['r', 'R']) && lead.contains('f')
        };
        if arguments.iter().any(|word| forceful(&word)) {
            let marks = Marks::of(&[Mark::Recursive, Mark::Force, Mark::AnyProgram]);
            arguments.iter().filter(|word| !is_option(word)).for_each(|word| {
                self.path(Verb::Delete, word, marks, context);
            });
        }
    }

    /// A command with a name.
    fn named(&mut self, name: &str, words: &[Word], context: &mut Context) -> Flow {
        let rest = words.get(1..).unwrap_or_default();
        if let Some(body) = self.functions.get(name).cloned() {
            self.call(name, &body, rest, context);
        }
        if let Some(value) = self.aliases.get(name).cloned() {
            self.expand(name, &value, rest, context);
        }
        if name.contains('/') {
            let word = Word::text(name, 0..0);
            let places = self.places(&word, Last::Follow, context);
            // A link by another name is what it leads to.
            let own = name.rsplit('/').next().unwrap_or_default();
            let linked = places
                .iter()
                .filter_map(|(spot, _)| spot.path.rsplit('/').next())
                .find(|base| *base != own && program::find(base).is_some());
            if let Some(program) = linked.map(str::to_owned) {
                self.known(&program, words, context);
            }
            let known: Vec<Content> =
                places.into_iter().filter_map(|(spot, _)| self.files.get(&spot.path).cloned()).collect();
            for content in known {
                match &content.program {
                    Some(program) => {
                        let program = program.clone();
                        self.known(&program, words, context);
                    }
                    None => self.run_content(&content.flow, context),
                }
            }
        }
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        self.known(base, words, context)
    }

    /// A function with its arguments.
    fn call(&mut self, name: &str, body: &str, arguments: &[Word], context: &mut Context) {
        // A function that was defined anew meanwhile is another one.
        let called = format!("{name} {body}");
        if self.active.contains(&called) {
            // A function that calls itself in the background never ends.
            if body.contains('|') || body.contains('&') {
                self.say(Verb::Exhaust, Target::Name(name.to_owned()), Marks::NONE, context);
            }
            return;
        }
        self.active.push(called);
        let arguments: Vec<String> = arguments.iter().map(|word| self.requote(word)).collect();
        let outer = std::mem::replace(&mut context.in_function, true);
        self.text_in(&format!("set -- {}\n{body}", arguments.join(" ")), context);
        context.in_function = outer;
        self.active.pop();
    }

    /// An alias with what follows it.
    fn expand(&mut self, name: &str, value: &Word, arguments: &[Word], context: &mut Context) {
        let Some(value) = value.constant() else { return };
        if self.active.iter().any(|active| active == name) {
            return;
        }
        self.active.push(name.to_owned());
        let arguments: Vec<String> = arguments.iter().map(|word| self.requote(word)).collect();
        self.text_in(&format!("{value} {}", arguments.join(" ")), context);
        self.active.pop();
    }

    /// A word as a shell would read it again, without what cannot be said.
    pub(super) fn requote(&self, word: &Word) -> String {
        let piece = |part: &Part| match part {
            Part::Text(text) => quote(text),
            Part::Glob(text) => text.clone(),
            Part::Unknown(unknown) => match self.origin(unknown).text {
                Some(text) => quote(text.trim_end_matches('\n')),
                None if unknown.splits => "$CHECKREIN_UNKNOWN".to_owned(),
                None => "\"$CHECKREIN_UNKNOWN\"".to_owned(),
            },
        };
        let quoted: String = word.parts.iter().map(piece).collect();
        if quoted.is_empty() { "''".to_owned() } else { quoted }
    }

    /// A text that a shell reads from somewhere.
    pub(super) fn run_content(&mut self, flow: &Flow, context: &Context) {
        match &flow.text {
            Some(text) => {
                let text = text.clone();
                let inner = Context { stdin: Flow::default(), ..context.clone() };
                self.text(&text, &inner);
            }
            None => {
                let how = Marks::of(&[Mark::Downloaded, Mark::Decoded, Mark::Computed]);
                let marks: Vec<Mark> = flow.marks.iter().filter(|mark| how.has(*mark)).collect();
                self.say(Verb::Opaque, Target::Nothing, Marks::of(&marks).with(Mark::Shell), context);
            }
        }
    }

    /// What a program prints that is only known to depend on what it was given.
    pub(super) fn through(&self, arguments: &[Word], context: &Context) -> Flow {
        let carried = arguments.iter().fold(context.stdin.marks, |marks, word| marks.and(self.flow_of(word)));
        let marks = if context.stdin.text.is_some() { carried.with(Mark::Decoded) } else { carried };
        Flow { marks, ..Flow::default() }
    }

    /// Changes the folder.
    pub(super) fn change_folder(&mut self, word: Option<&Word>, context: &mut Context) {
        let home = Steps::of(&self.home);
        let folders = match word {
            None => vec![home],
            Some(word) if word.constant().as_deref() == Some("-") => vec![Steps::unknown()],
            Some(word) => {
                let mut folders: Vec<Steps> = self.folders_of(word, context);
                if !word.lead().starts_with(['/', '.']) {
                    let searched = Context { folders: self.search_folders(), ..context.clone() };
                    folders.extend(self.folders_of(word, &searched));
                }
                // `cd $UNSET` goes home.
                if word.could_be_empty() && word.unknowns().any(|unknown| unknown.splits) {
                    folders.push(home);
                }
                folders
            }
        };
        context.folders = if folders.is_empty() { vec![Steps::unknown()] } else { folders };
    }
}

/// Several folders are enough to be careful; more say that it may be any.
fn limit(folders: &mut Vec<Steps>) {
    let mut kept: Vec<Steps> = Vec::new();
    for folder in folders.drain(..) {
        if !kept.contains(&folder) {
            kept.push(folder);
        }
    }
    if kept.len() > FOLDERS {
        kept.truncate(FOLDERS);
        kept.push(Steps::unknown());
    }
    *folders = kept;
}

/// `/dev/tcp/host/port` as bash knows it.
pub(super) fn network_address(word: &Word) -> Option<Word> {
    let lead = word.lead();
    let rest = ["/dev/tcp/", "/dev/udp/"].into_iter().find_map(|prefix| lead.strip_prefix(prefix))?;
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() { Some(word.skip(lead.len())) } else { Some(Word::text(host, word.span.clone())) }
}

/// A text in single quotes.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The body of `name() body` or `function name body`.
fn body_of<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let rest = source.trim_start();
    let rest = rest.strip_prefix("function").map_or(rest, str::trim_start);
    let rest = rest.strip_prefix(name)?.trim_start();
    let rest = match rest.strip_prefix('(') {
        Some(inside) => inside.trim_start().strip_prefix(')').unwrap_or(rest),
        None => rest,
    };
    Some(rest.trim_start())
}

/// Whether a command comes after `&&`, so that what was before it worked.
fn follows_and(simple: &Simple, text: &str) -> bool {
    let only_branch = simple.within.iter().all(|place| matches!(place, Place::Branch));
    let before = text.get(..simple.span.start).unwrap_or_default().trim_end();
    only_branch && before.ends_with("&&")
}
