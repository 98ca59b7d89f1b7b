//! Files that git commands read and write outside what they track.

use super::{
    Repo,
    options::{Line, options},
    pathspec,
};
use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, stdout::pattern_steps},
    path::{LinkPolicy, PathPattern, Reach, Segment},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Modifier, Tag, Taint},
    world::FileKind,
};
use checkrein_shell::Word;

/// The maximum number of lines of a patch that are examined.
const LINES: usize = 4096;

impl Evaluator<'_> {
    pub(super) fn git_show(&mut self, name: &str, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "output= no-index p/patch stat? numstat shortstat dirstat? name-only name-status summary check quiet s/no-patch raw \
             S= G= O= L= n/max-count= skip= since= until= after= before= author= committer= grep= \
             max-age= min-age= U/unified= inter-hunk-frame= diff-filter= stat-width= src-prefix= dst-prefix= l= glob= \
             branches? tags? remotes? exclude= decorate-refs= date= find-object= word-diff-regex= pretty? format="
            ),
            rest,
        );
        for file in line.values(&["output"]) {
            self.emit_path(Action::Write, &file, Qualities::NONE, &repo.frame);
        }
        let operands = line.all();
        if line.has("no-index") {
            for file in &operands {
                self.read_file(file, &repo.frame);
            }
            return;
        }
        operands.iter().for_each(|word| self.git_object(word, repo));
        let brief = [
            "stat",
            "numstat",
            "shortstat",
            "dirstat",
            "name-only",
            "name-status",
            "summary",
            "check",
            "quiet",
            "no-patch",
            "raw",
        ];
        let whole = line.has("patch") || (name != "log" && !line.has_any(&brief));
        if whole {
            operands.iter().for_each(|word| self.git_content(word, repo));
        }
    }

    /// A path whose content is shown, if that is secret.
    pub(super) fn git_content(&mut self, path: &Word, repo: &Repo) {
        for spot in self.git_places(path, repo) {
            if spot.tags.has(Tag::Secret) {
                self.emit(Action::Read, Target::Path(spot), Qualities::NONE, &repo.said);
            }
        }
    }

    pub(super) fn git_blame(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!("contents= L= ignore-rev= ignore-revs-file= since= date= abbrev= S= t s e p"),
            rest,
        );
        for file in line.values(&["contents"]) {
            self.read_file(&file, &repo.frame);
        }
        for word in &line.all() {
            self.git_object(word, repo);
            self.git_content(word, repo);
        }
    }

    /// `commit:path` shows a file as it was. A file that is secret today was secret then.
    fn git_object(&mut self, word: &Word, repo: &Repo) {
        let lead = word.lead();
        let Some((commit, path)) = lead.split_once(':') else { return };
        if path.is_empty() && word.constant().is_some() {
            return;
        }
        let path = word.skip(commit.len() + 1);
        let top = Frame { directories: self.git_top(repo), ..repo.frame.clone() };
        for (spot, _) in self.places(&path, LinkPolicy::Keep, &top) {
            if spot.tags.has(Tag::Secret) {
                self.emit(Action::Read, Target::Path(spot), Qualities::NONE, &repo.said);
            }
        }
    }

    /// Returns true if `git diff` shows the changes since the last commit: it compares with that, or with what is
    /// staged.
    pub(super) fn git_diff_is_work(&self, rest: &[Word], repo: &Repo) -> bool {
        let plain =
            ["--", "-p", "-u", "--patch", "--binary", "--no-color", "--no-ext-diff", "-U0", "--full-index"];
        let is_last = |word: &Word| matches!(word.lead(), "HEAD" | "@");
        let is_range = |word: &Word| word.lead().contains("..") && !word.lead().starts_with("../");
        let is_path = |word: &Word| !is_range(word) && self.git_is_path(word, repo);
        rest.iter().all(|word| plain.contains(&word.lead()) || is_last(word) || is_path(word))
    }

    pub(super) fn git_apply(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "unsafe-paths directory= p= C= check stat numstat summary apply cached index 3/3way R/reverse reject z whitespace= \
             exclude= include= build-fake-ancestor= v/verbose recount inaccurate-eof allow-empty"
            ),
            rest,
        );
        let shows = line.has_any(&["check", "stat", "numstat", "summary"]) && !line.has("apply");
        if shows || line.has("cached") {
            line.all().iter().for_each(|file| drop(self.read_file(file, &repo.frame)));
            return;
        }
        let strip = line.value("p").and_then(|level| level.constant()?.parse().ok()).unwrap_or(1);
        let mut inner = repo.frame.clone();
        if let Some(directory) = line.value("directory") {
            self.emit_path(Action::Append, &directory, Qualities::NONE, &repo.frame);
            let next = self.directories_of(&directory, &repo.frame);
            inner.directories = if next.is_empty() { vec![PathPattern::unknown()] } else { next };
        } else if line.has("unsafe-paths") {
            // Wherever the patch says.
            let top = Word::text("/", 0..0);
            let qualities = qualities![Certainty::Unknown];
            self.emit_path(Action::Append, &top, qualities, &repo.frame);
        }
        let files = line.all();
        // What was changed, taken back: nothing keeps it.
        let work = repo.frame.stdin.qualities.has(Taint::Uncommitted);
        if work && line.has_any(&["R", "reverse"]) && files.iter().all(|file| file.lead() == "-") {
            self.git_discards(None, qualities![Modifier::All], repo);
        }
        self.git_patch_files(&files, strip, &inner, repo);
    }

    /// The patches that `git am` applies.
    pub(super) fn git_patches(&mut self, files: &[Word], strip: usize, repo: &Repo) {
        let inner = repo.frame.clone();
        self.git_patch_files(files, strip, &inner, repo);
    }

    fn git_patch_files(&mut self, files: &[Word], strip: usize, inner: &Frame, repo: &Repo) {
        let mut held = if files.is_empty() { repo.frame.stdin.clone() } else { Flow::default() };
        for file in files {
            held.add(&self.read_file(file, &repo.frame));
        }
        let Some(text) = held.text else { return };
        for line in text.lines().take(LINES) {
            let name = ["+++ ", "--- ", "rename to "].iter().find_map(|start| line.strip_prefix(start));
            let Some(name) = name.map(|name| name.split('\t').next().unwrap_or_default().trim()) else {
                continue;
            };
            if name == "/dev/null" {
                continue;
            }
            let skipped = if line.starts_with("rename") { 0 } else { strip };
            let path: Vec<&str> = name.split('/').skip(skipped).collect();
            self.emit_path(Action::Append, &Word::text(&path.join("/"), 0..0), Qualities::NONE, inner);
        }
    }

    pub(super) fn git_archive(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "exec= remote= o/output= format= prefix= add-file= add-virtual-file= mtime= l/list v/verbose"
            ),
            rest,
        );
        for program in line.values(&["exec"]) {
            self.git_program("--exec", &program, qualities![Modifier::Shell], &repo.frame);
        }
        for address in line.values(&["remote"]) {
            self.git_address(&address, repo);
        }
        for file in line.values(&["add-file"]) {
            self.read_file(&file, &repo.frame);
        }
        for file in line.values(&["output"]) {
            self.emit_path(Action::Write, &file, Qualities::NONE, &repo.frame);
        }
    }

    pub(super) fn git_bundle(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(options!("version= q/quiet progress all"), rest);
        let operands = line.all();
        if operands.first().is_some_and(|action| action.lead() == "create")
            && let Some(file) = operands.get(1)
            && file.lead() != "-"
        {
            self.emit_path(Action::Write, file, Qualities::NONE, &repo.frame);
        }
    }

    pub(super) fn git_format_patch(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "o/output-directory= output= v/reroll-count= start-number= in-reply-to= to= cc= from? base= signature= \
             signature-file= suffix= subject-prefix= cover-from-description= interdiff= range-diff= add-header= U/unified="
            ),
            rest,
        );
        for directory in line.values(&["output-directory"]) {
            self.emit_path(Action::Create, &directory, Qualities::NONE, &repo.frame);
        }
        for file in line.values(&["output"]) {
            self.emit_path(Action::Write, &file, Qualities::NONE, &repo.frame);
        }
        for file in line.values(&["signature-file"]) {
            self.read_file(&file, &repo.frame);
        }
    }

    /// A helper that hands out what it keeps.
    pub(super) fn git_credential(&mut self, rest: &[Word], repo: &Repo) {
        if rest.iter().any(|word| matches!(word.lead(), "fill" | "get")) {
            let name = Target::Name("git credential".to_owned());
            self.emit(Action::Reveal, name, qualities![Taint::Secret], &repo.said);
        }
    }

    /// Follows `git add`. A secret in a commit goes to everyone who has the repository.
    pub(super) fn git_add(&mut self, rest: &[Word], repo: &Repo) {
        let line = Line::read(
            options!(
                "n/dry-run v/verbose f/force i/interactive p/patch e/edit u/update A/all no-ignore-removal ignore-errors \
                 N/intent-to-add refresh sparse chmod= pathspec-from-file= pathspec-file-nul renormalize"
            ),
            rest,
        );
        if line.has_any(&["dry-run", "refresh"]) {
            return;
        }
        let (excluded, named): (Vec<Word>, Vec<Word>) =
            line.all().into_iter().partition(|word| pathspec::excluded(word).is_some());
        for word in &named {
            let secret = self.git_places(word, repo).into_iter().find(|spot| spot.tags.has(Tag::Secret));
            if let Some(spot) = secret {
                self.emit(Action::Publish, Target::Path(spot), qualities![Taint::Secret], &repo.said);
            }
        }
        if !line.has("update") {
            self.git_add_all(&named, &excluded, line.has("all"), repo);
        }
    }

    /// Emits the files with secrets that are taken without being named: those below a directory, or all.
    fn git_add_all(&mut self, named: &[Word], excluded: &[Word], all: bool, repo: &Repo) {
        let Some(directory) = repo.frame.directory().filter(|_| repo.directory.is_none() && !repo.moved)
        else {
            return;
        };
        let places = |evaluator: &Self, word: &Word| -> Vec<String> {
            evaluator.git_places(word, repo).into_iter().map(|spot| spot.path).collect()
        };
        let is_directory = |path: &String| self.world.entry(path) == Some(FileKind::Directory);
        let wide: Vec<String> =
            named.iter().flat_map(|word| places(self, word)).filter(is_directory).collect();
        if wide.is_empty() && !(all && named.is_empty()) {
            return;
        }
        let left: Vec<String> = excluded
            .iter()
            .filter_map(pathspec::excluded)
            .flat_map(|text| places(self, &Word::owned(text, 0..0)))
            .collect();
        let is_in = |path: &str, places: &[String]| {
            places.iter().any(|place| {
                path.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        for path in self.world.untracked(&directory) {
            if (wide.is_empty() || is_in(&path, &wide)) && !is_in(&path, &left) {
                let steps = PathPattern::of(&path);
                let spot = crate::path::locate(&steps, &self.roots, LinkPolicy::Keep, self.world);
                if spot.tags.has(Tag::Secret) {
                    self.emit(Action::Publish, Target::Path(spot), qualities![Taint::Secret], &repo.said);
                }
            }
        }
    }

    /// Returns the output of `git ls-files`: the names of what is there.
    pub(super) fn git_listing(&mut self, rest: &[Word], repo: &Repo) -> Flow {
        let line = Line::read(
            options!(
                "d/deleted m/modified o/others i/ignored s/stage u/unmerged x/exclude= X/exclude-from= format= with-tree= abbrev? \
             c/cached z t v f r exclude-standard exclude-per-directory= name-only full-tree full-name"
            ),
            rest,
        );
        if line.has_any(&["deleted", "stage"]) {
            return Flow::default();
        }
        let here = Word::text(".", 0..0);
        let operands = line.all();
        let words = if operands.is_empty() { std::slice::from_ref(&here) } else { operands.as_slice() };
        let narrow = line.has_any(&["ignored", "unmerged"]);
        let mut paths = Vec::new();
        for word in words {
            for spot in self.git_places(word, repo).into_iter().filter(|spot| !spot.path.contains('…')) {
                let steps = pattern_steps(&spot.path);
                let last = spot.path.rsplit('/').next().unwrap_or_default();
                let inside = spot.reach == Reach::Itself && !last.contains(['*', '?', '[', '.']);
                let below = if narrow { Segment::Unknown } else { Segment::Pattern("*".into()) };
                paths.push(if inside { steps.join([below], false) } else { steps });
            }
        }
        Flow::paths(paths)
    }
}
