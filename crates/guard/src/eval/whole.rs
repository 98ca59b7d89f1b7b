//! Addresses of whole things at providers: a repository, a project, a cluster, a server for databases, an account.
//!
//! The interfaces of providers name a thing by the collection that it is in and its own name, as in `/v1/projects/shop`. A request
//! that deletes such an address deletes everything in it; one that goes on behind the name is about a part of it.

/// The ends of the names of hosts whose interfaces are read here.
const PROVIDERS: &[&str] = &[
    "api.github.com",
    "gitlab.com",
    "api.bitbucket.org",
    "codeberg.org",
    "api.heroku.com",
    "api.vercel.com",
    "api.netlify.com",
    "api.digitalocean.com",
    "api.cloudflare.com",
    "googleapis.com",
    "management.azure.com",
    "dev.azure.com",
    "api.machines.dev",
    "api.fly.io",
    "api.render.com",
    "api.supabase.com",
    "console.neon.tech",
    "cloud.mongodb.com",
    "api.hetzner.cloud",
    "api.linode.com",
    "api.vultr.com",
    "api.scaleway.com",
    "app.terraform.io",
    "api.pulumi.com",
    "amazonaws.com",
    "api.planetscale.com",
    "api.turso.tech",
    "api.confluent.cloud",
    "api.aiven.io",
    "firebaseio.com",
];
/// Collections of what holds other things.
const COLLECTIONS: &[&str] = &[
    "projects",
    "apps",
    "sites",
    "clusters",
    "databases",
    "accounts",
    "organizations",
    "orgs",
    "groups",
    "subscriptions",
    "resourcegroups",
    "namespaces",
    "workspaces",
    "zones",
    "services",
    "repositories",
    "flexibleservers",
    "managedclusters",
    "buckets",
    "b",
];
/// Beginnings of paths by which servers of others are known: GitLab and Kubernetes run anywhere.
const ANYWHERE: &[&[&str]] =
    &[&["api", "v4", "projects"], &["api", "v4", "groups"], &["api", "v1", "namespaces"]];

/// Returns true if an address is that of a whole thing.
pub(super) fn of_address(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let host = host.to_ascii_lowercase();
    let steps = steps(path);
    let of_provider = PROVIDERS.iter().any(|known| {
        host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with(['.', '-']))
    });
    let anywhere = ANYWHERE.iter().any(|start| {
        steps.len() == start.len() + 1 && steps.iter().zip(*start).all(|(step, known)| step == known)
    });
    anywhere || of_provider && is_whole(&steps)
}

/// Returns true if a path of a code host's interface is that of a whole thing.
pub(super) fn of_code_host(path: &str) -> bool {
    is_whole(&steps(path.split_once("://").map_or(path, |(_, rest)| rest)))
}

/// Returns true if an address is that of a bucket, and of nothing in it: `s3://shop`, `gs://shop/**`.
pub(super) fn is_bucket(address: &str) -> bool {
    let of_store = ["s3://", "gs://", "oss://", "cos://", "obs://"];
    of_store.iter().any(|start| {
        address.strip_prefix(start).is_some_and(|rest| {
            let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
            !name.is_empty() && path.chars().all(|char| matches!(char, '*' | '/'))
        })
    })
}

/// The steps of a path in lower case.
fn steps(path: &str) -> Vec<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').filter(|step| !step.is_empty()).map(str::to_ascii_lowercase).collect()
}

fn is_whole(steps: &[String]) -> bool {
    match steps {
        // They are named by their owner and their name.
        [.., kind, _, _] if kind == "repos" || kind == "repositories" => true,
        [.., kind, name] => COLLECTIONS.contains(&kind.as_str()) && !COLLECTIONS.contains(&name.as_str()),
        [_] | [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_thing_is_whole_and_that_of_a_part_is_not() {
        for whole in [
            "https://api.github.com/repos/shop/web",
            "api.github.com/repos/shop/web",
            "https://api.digitalocean.com/v2/kubernetes/clusters/5?force=1",
            "https://git.example.com/api/v4/projects/17",
            "https://user:pw@api.heroku.com:443/apps/shop",
            "https://eu-api.netlify.com/api/v1/sites/5",
            "https://k8s.example.com:6443/api/v1/namespaces/shop",
        ] {
            assert!(of_address(whole), "{whole}");
        }
        for part in [
            "https://api.github.com/repos/shop/web/issues/5",
            "https://api.github.com/repos/shop/web/git/refs/heads/old",
            "https://git.example.com/api/v4/projects/17/variables/A",
            "https://api.example.com/v1/projects/5",
            "https://notapi.github.com.example.com/repos/shop/web",
            "https://api.github.com/user/projects",
            "https://api.github.com",
            "",
        ] {
            assert!(!of_address(part), "{part}");
        }
        assert!(of_code_host("repos/shop/web") && of_code_host("/orgs/shop") && of_code_host("projects/17"));
        assert!(
            is_bucket("s3://shop")
                && is_bucket("gs://shop/**")
                && !is_bucket("s3://shop/old")
                && !is_bucket("s3://")
        );
        assert!(!of_code_host("repos/shop/web/issues/5") && !of_code_host("user"));
    }
}
