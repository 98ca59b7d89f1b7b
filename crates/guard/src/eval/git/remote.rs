//! Commands that talk to other repositories.

use super::{
    Repo,
    options::{Line, options},
    settings::Kept,
};
use crate::{
    effect::Target,
    eval::Evaluator,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier},
};
use checkrein_shell::Word;

/// Branches that others build upon.
const MAIN: &[&str] =
    &["main", "master", "trunk", "develop", "production", "prod", "stable", "release", "default"];

/// Returns true if a name is that of a branch that others build upon.
pub(super) fn is_main(name: &str) -> bool {
    let name = name.strip_prefix("refs/").unwrap_or(name);
    let name = name.strip_prefix("heads/").unwrap_or(name);
    MAIN.contains(&name) || name.starts_with("release/")
}

impl Evaluator<'_> {
    pub(super) fn git_push(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "f/force mirror d/delete prune no-verify force-with-lease? force-if-includes n/dry-run all branches tags \
             receive-pack= exec= repo= o/push-option= u/set-upstream q/quiet v/verbose progress porcelain follow-tags \
             atomic signed? thin recurse-submodules= 4/ipv4 6/ipv6"
            ),
            rest,
        );
        for program in line.values(&["receive-pack", "exec"]) {
            self.git_program("--receive-pack", &program, qualities![Modifier::Shell], &repo.frame);
        }
        let operands = line.all();
        let repository = operands.first().cloned().or_else(|| line.value("repo"));
        if let Some(address) = &repository {
            self.git_address(address, repo);
            if is_address(address) {
                self.send(address, self.flow_of(address), &repo.frame);
                self.git_emit(
                    Action::Publish,
                    &super::super::words::show(address),
                    qualities![Environment::Remote],
                    repo,
                );
            }
        }
        if line.has("dry-run") {
            return;
        }
        if line.has("no-verify") {
            self.git_emit(Action::Bypass, "pre-push", Qualities::NONE, repo);
        }
        if line.has("mirror") {
            self.git_emit(
                Action::Overwrite,
                "everything",
                qualities![Environment::Remote, Modifier::Mirror, Modifier::All],
                repo,
            );
        }
        if line.has("prune") {
            self.git_emit(Action::Forget, "branches", qualities![Environment::Remote, Modifier::All], repo);
        }
        let refs = operands.get(1..).unwrap_or_default();
        for word in refs.iter().filter(|word| word.lead() != "tag") {
            self.git_refspec(word, &line, repo);
        }
        if refs.is_empty() {
            self.git_overwrites("", &line, repo);
            let everything = line.has_any(&["all", "branches", "mirror"]);
            self.git_pushes(
                "",
                if everything { qualities![Modifier::All] } else { qualities![Certainty::Unknown] },
                repo,
            );
        }
    }

    /// Records that a branch is pushed. No built-in rule objects to that; a configured one may. A push that names no
    /// branch goes to the one that is checked out, which is only known at run time.
    fn git_pushes(&mut self, target: &str, qualities: Qualities, repo: &Repo) {
        let name = target.strip_prefix("refs/").unwrap_or(target);
        let name = name.strip_prefix("heads/").unwrap_or(name);
        let mut qualities = qualities.with(Environment::Remote);
        let name = match name {
            "" | "@" | "HEAD" => {
                qualities = qualities.with(Certainty::Unknown);
                "HEAD"
            }
            name => name,
        };
        if is_main(name) {
            qualities = qualities.with(Modifier::Main);
        }
        self.git_emit(Action::Send, name, qualities, repo);
    }

    /// `+source:target`: `+` forces, and no source deletes.
    fn git_refspec(&mut self, word: &Word, line: &Line, repo: &Repo) {
        for text in self.names_of(word) {
            let (plus, text) = text.strip_prefix('+').map_or((false, text.as_str()), |rest| (true, rest));
            let (source, target) = text.split_once(':').unwrap_or((text, text));
            if line.has("delete") || (source.is_empty() && !target.is_empty()) {
                let qualities = match is_main(target) {
                    true => qualities![Environment::Remote, Modifier::Main],
                    false if target.contains('*') => qualities![Environment::Remote, Modifier::All],
                    false => qualities![Environment::Remote],
                };
                self.git_emit(Action::Forget, target, qualities, repo);
                continue;
            }
            let unknown = if word.is_unknown() { qualities![Certainty::Unknown] } else { Qualities::NONE };
            self.git_pushes(target, unknown, repo);
            if plus {
                self.git_emit(
                    Action::Overwrite,
                    target,
                    qualities![Environment::Remote, Modifier::Force],
                    repo,
                );
            } else {
                self.git_overwrites(target, line, repo);
            }
        }
    }

    /// A branch of another repository that is replaced, if the options say so. Force wins over a lease, as in git.
    fn git_overwrites(&mut self, target: &str, line: &Line, repo: &Repo) {
        let lease = line.has_any(&["force-with-lease", "force-if-includes"]);
        let mut qualities = qualities![Environment::Remote];
        match (line.has("force"), lease) {
            (true, _) => qualities = qualities.with(Modifier::Force),
            (false, true) => qualities = qualities.with(Modifier::Lease),
            (false, false) => return,
        }
        // A push without a name goes where the settings say.
        if is_main(target) || (target.is_empty() && line.has("force")) {
            qualities = qualities.with(Modifier::Main);
        }
        let name = if target.is_empty() { "the branch that is pushed" } else { target };
        self.git_emit(Action::Overwrite, name, qualities, repo);
    }

    pub(super) fn git_fetch(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "upload-pack= exec= no-verify f/force p/prune t/tags n a/all append depth= deepen= shallow-since= \
             shallow-exclude= j/jobs= o/server-option= refmap= negotiation-tip= filter= q/quiet v/verbose k/keep u/update-head-ok \
             s/strategy= X/strategy-option= S/gpg-sign? r/rebase? ff-only no-rebase recurse-submodules? sort= h/heads \
             symref get-url exit-code"
            ),
            rest,
        );
        for program in line.values(&["upload-pack", "exec"]) {
            self.git_program("--upload-pack", &program, qualities![Modifier::Shell], &repo.frame);
        }
        if line.has("no-verify") {
            self.git_emit(Action::Bypass, "pre-merge-commit", Qualities::NONE, repo);
        }
        let operands = line.all();
        if let Some(address) = operands.first() {
            self.git_address(address, repo);
        }
        // Everything there replaces the branches with the same names here.
        let replaces = |word: &Word| {
            let spec = word.pattern().unwrap_or_default();
            let target = spec.strip_prefix('+').or(line.has("force").then_some(spec.as_str()));
            target
                .and_then(|spec| spec.split_once(':'))
                .is_some_and(|(_, to)| matches!(to, "refs/heads/*" | "refs/*"))
        };
        if operands.iter().skip(1).any(replaces) {
            self.git_emit(Action::Forget, "branches", qualities![Modifier::Force], repo);
        }
    }

    pub(super) fn git_clone(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "u/upload-pack= c/config= template= o/origin= b/branch= revision= depth= reference= reference-if-able= \
             separate-git-dir= shallow-since= shallow-exclude= j/jobs= filter= server-option= bundle-uri= ref-format= \
             recurse-submodules? recursive l/local no-hardlinks s/shared q/quiet v/verbose progress n/no-checkout bare mirror \
             single-branch no-tags dissociate sparse reject-shallow 4/ipv4 6/ipv6"
            ),
            rest,
        );
        for program in line.values(&["upload-pack"]) {
            self.git_program("--upload-pack", &program, qualities![Modifier::Shell], &repo.frame);
        }
        for pair in line.values(&["config"]) {
            let (key, value) = super::settings::pair(&pair);
            self.git_set(&key, &value, Kept::Once, &repo.frame);
        }
        for directory in line.values(&["template"]) {
            self.git_programs_in("init.templateDir", &directory, &repo.frame);
        }
        for directory in line.values(&["separate-git-dir"]) {
            self.emit_if_ours(Action::Create, &directory, Qualities::NONE, &repo.frame);
        }
        let operands = line.all();
        if let Some(address) = operands.first() {
            self.git_address(address, repo);
        }
        if let Some(directory) = operands.get(1) {
            self.emit_path(Action::Create, directory, Qualities::NONE, &repo.frame);
        }
        // From elsewhere, into a directory that is named or has the name of the repository.
        if let Some(address) = operands.first().filter(|address| is_address(address)) {
            let text = self.texts(address).into_iter().next().unwrap_or_default();
            let name = text
                .trim_end_matches('/')
                .trim_end_matches(".git")
                .rsplit(['/', ':'])
                .next()
                .unwrap_or_default();
            let directory = operands.get(1).cloned().unwrap_or_else(|| Word::text(name, 0..0));
            if !name.is_empty() && operands.get(1).is_none() {
                self.emit_if_ours(Action::Create, &directory, Qualities::NONE, &repo.frame);
            }
            if !name.is_empty() {
                self.record_fetched(&directory, &repo.frame);
            }
        }
    }

    pub(super) fn git_init(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "template= separate-git-dir= object-format= ref-format= b/initial-branch= shared? bare q/quiet"
            ),
            rest,
        );
        for directory in line.values(&["template"]) {
            self.git_programs_in("init.templateDir", &directory, &repo.frame);
        }
        if let Some(directory) = line.all().first() {
            self.emit_path(Action::Create, directory, Qualities::NONE, &repo.frame);
        }
    }

    pub(super) fn git_remote(&mut self, rest: &[Word], repo: &Repo) {
        let line =
            Line::read(options!("f/fetch t= m= mirror? tags no-tags v/verbose add delete push all n"), rest);
        let operands = line.all();
        // A URL gets a name. No rule objects to that, but a user who allows `git remote *` meant the reading
        // commands.
        let changes = |action: &Word| {
            matches!(
                action.lead(),
                "add" | "set-url" | "remove" | "rm" | "rename" | "set-head" | "set-branches"
            )
        };
        if operands.first().is_some_and(changes) {
            let name = operands.get(1).map(|name| name.lead().to_owned()).unwrap_or_default();
            self.emit(Action::Create, Target::Name(name), qualities![Environment::Local], &repo.frame);
        }
        if operands.first().is_some_and(|action| matches!(action.lead(), "add" | "set-url")) {
            for address in operands.iter().skip(2) {
                self.git_helper_address(address, &repo.frame);
            }
        }
    }

    /// The repository at the other end: a machine, a program, a directory, or a name for one of these.
    pub(super) fn git_address(&mut self, address: &Word, repo: &Repo) {
        if self.git_helper_address(address, &repo.frame) || !is_address(address) {
            return;
        }
        self.connect(address, &repo.frame);
        let carried = self.flow_of(address);
        if !carried.is_empty() {
            self.send(address, carried, &repo.frame);
        }
    }

    /// `ext::command` runs a command; answers whether that is what the address is.
    pub(super) fn git_helper_address(&mut self, address: &Word, frame: &crate::eval::Frame) -> bool {
        let Some(rest) = address.lead().strip_prefix("ext::") else { return false };
        // A space in an argument is written `% `, and a `%` is doubled.
        let text = rest.replace("% ", " ").replace("%%", "%");
        let mut word = Word::text(&text, address.span.clone());
        address.parts.iter().skip(1).for_each(|part| word.push(part.clone()));
        self.git_program("ext::", &word, qualities![Modifier::Shell], frame);
        true
    }
}

/// Returns true if a word is the URL of another machine, and neither a name for one nor a directory.
fn is_address(word: &Word) -> bool {
    let lead = word.lead();
    if let Some((scheme, _)) = lead.split_once("://") {
        return scheme != "file";
    }
    let host = lead.split_once(':').map(|(host, _)| host);
    host.is_some_and(|host| host.len() > 1 && !host.contains('/'))
}
