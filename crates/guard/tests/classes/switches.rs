//! W, how a tool is called: switches that are switched off again, options before the subcommand, packages with a version.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};

#[test]
fn the_last_word_about_a_switch_counts() {
    group(&[
        ("kubectl drain worker-2 --dry-run=none", Ask),
        ("kubectl drain worker-2 --dry-run=client --dry-run=none", Ask),
        ("kubectl delete ns shop --dry-run=$MODE", Deny),
        ("helm uninstall shop --dry-run --dry-run=false", Ask),
        ("dotnet ef database drop --dry-run --no-dry-run", Ask),
        ("npm unpublish shop-web --dry-run=false", Ask),
        ("npm unpublish shop-web --dry-run false", Ask),
        ("docker run --privileged=true alpine", Ask),
        ("kubectl delete pvc shop-data --grace-period --dry-run=client", Ask),
        ("kubectl drain worker-2 --dry-run", Silent),
        ("kubectl drain worker-2 --dry-run=none --dry-run=server", Silent),
        ("helm uninstall shop --dry-run", Silent),
        ("npm unpublish shop-web --dry-run=true", Silent),
        ("docker run --privileged=false alpine", Silent),
    ]);
}

#[test]
fn options_may_stand_before_the_subcommand() {
    group(&[
        ("dotnet ef --project src/Shop database drop", Ask),
        ("dbmate --url postgres://db/shop drop", Ask),
        ("flask --app shop db downgrade base", Ask),
        ("alembic -c shop.ini downgrade base", Ask),
        ("migrate -path db -database postgres://db/shop drop", Ask),
        ("goose -dir db postgres postgres://db/shop reset", Ask),
        ("flask --app shop db upgrade", Silent),
        ("alembic -c shop.ini history", Silent),
        ("migrate -path db -database postgres://db/shop up", Silent),
        ("goose -dir db postgres postgres://db/shop status", Silent),
        ("dotnet ef --project src/Shop migrations list", Silent),
    ]);
}

#[test]
fn a_package_is_the_program_in_it() {
    group(&[
        ("npx rimraf@5 ~", Deny),
        ("npx -y supabase@latest db reset --linked", Deny),
        ("pnpm dlx prisma@5.1.0 migrate reset", Ask),
        ("bunx firebase-tools@13 firestore:delete --all-collections", Deny),
        ("npx @railway/cli@3 delete", Deny),
        ("uvx alembic==1.13 downgrade base", Ask),
        ("npx prettier@3 --write .", Silent),
        ("npx -y create-vite@latest shop", Silent),
        ("npx @biomejs/biome@1.9 check", Silent),
        ("npx rimraf@5 dist", Silent),
        ("npx ./tools/check.js", Silent),
    ]);
}

#[test]
fn what_only_zsh_has() {
    group(&[
        ("=rm -rf ~", Deny),
        ("repeat 3 rm -rf ~", Deny),
        ("repeat 3 date", Silent),
        ("=ls -l", Silent),
        ("repeat() { \"$@\"; }; repeat ls", Silent),
    ]);
}

#[test]
fn a_pattern_that_fits_every_program_names_none() {
    group(&[("/usr/bin/r? -rf ~", Deny), ("(*)", Silent)]);
}

#[test]
fn what_was_typed_before_is_not_run_unread() {
    group(&[("history | sh", Ask), ("history | tail -5 | bash", Ask), ("history | tail -5", Silent)]);
}

#[test]
fn several_commands_for_a_disk() {
    group(&[
        ("parted /dev/sdc unit s print rm 2", Deny),
        ("parted -s /dev/sdc print mklabel msdos", Deny),
        ("cryptsetup luksDump --dump-volume-key /dev/sdc1", Ask),
        ("cryptsetup luksAddKey /dev/sdc1", Ask),
        ("parted /dev/sdc unit MiB print free", Silent),
        ("cryptsetup luksDump /dev/sdc1", Silent),
    ]);
}

#[test]
fn what_only_closes_or_tidies_up_is_free() {
    group(&[
        ("chmod -R o-rx /usr/lib", Deny),
        ("chmod -R a-r ~", Deny),
        ("sudo chown -R ann ~", Deny),
        ("sudo chown -R $USER ~", Ask),
        ("git reflog expire --expire=2.days --all", Deny),
        ("chmod -R go-rwx ~", Silent),
        ("chmod -R o= ~/shop", Silent),
        ("rm -f ~/.zcompdump*", Silent),
        ("apt-get install -y jq && rm -rf /var/lib/apt/lists/*", Silent),
        ("cat ~/.ssh/id_ed25519.pub.old", Silent),
        ("git reflog expire --expire=6.months --all", Silent),
    ]);
}

#[test]
fn settings_of_git_and_ssh_in_other_words() {
    group(&[
        ("GIT_CONFIG_PARAMETERS=\"'submodule.lib.update=!rm -rf ~'\" git submodule update", Deny),
        ("GIT_CONFIG_PARAMETERS=\"'core.pager'='rm -rf ~'\" git log", Deny),
        ("ssh -o proxycommand='rm -rf ~' shop.example.org", Deny),
        ("git fetch upstream '+refs/heads/*:refs/heads/*'", Ask),
        ("git fetch upstream '+refs/heads/*:refs/remotes/upstream/*'", Silent),
        ("GIT_CONFIG_PARAMETERS=\"'color.ui=always'\" git log", Silent),
        ("ssh -o connecttimeout=5 shop.example.org", Silent),
    ]);
}
