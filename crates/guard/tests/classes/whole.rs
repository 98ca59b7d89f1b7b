//! Whole accounts, projects, clusters, servers, repositories and applications: what destroys one is denied, wherever it is and however
//! it is called. A part of one is asked about, and so is one for development; what is plainly scratch is left alone.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};

#[test]
fn what_a_description_declares_goes_as_a_whole_or_in_part() {
    group(&[
        ("terraform destroy -auto-approve", Deny),
        ("terragrunt run-all destroy --terragrunt-non-interactive", Deny),
        ("tofu apply -destroy -auto-approve", Deny),
        ("npx cdk destroy --all --force", Deny),
        ("env AWS_REGION=eu-west-1 pulumi destroy --yes", Deny),
        ("terraform destroy -target=module.queue", Ask),
        ("pulumi destroy --target urn:pulumi:a::b::c --yes", Ask),
        ("pulumi destroy --stack dev --yes", Ask),
        ("cd envs/staging && terraform destroy -auto-approve", Ask),
        ("terraform workspace select dev && terraform destroy -auto-approve", Ask),
        ("terraform workspace select production && terraform destroy -auto-approve", Deny),
        ("terraform plan -destroy", Silent),
        ("cdk diff --all", Silent),
    ]);
}

#[test]
fn clusters_and_what_is_in_all_of_their_namespaces() {
    group(&[
        ("kubectl delete all --all -A", Deny),
        ("kubectl delete pods --all --all-namespaces", Deny),
        ("kubectl delete crd --all", Deny),
        ("kubectl delete ns orders", Deny),
        ("k delete namespaces/orders", Deny),
        ("eksctl delete cluster --name orders", Deny),
        ("kubectl delete crd widgets.example.com", Ask),
        ("kubectl delete deployment web -n orders", Ask),
        ("kubectl delete ns staging", Ask),
        ("kubectl delete ns e2e-1234 --wait=false", Silent),
        ("kubectl --context kind-it delete ns orders", Silent),
        ("kubectl delete ns orders --dry-run=server", Silent),
    ]);
}

#[test]
fn requests_to_providers_name_what_they_delete() {
    group(&[
        ("gh api -X DELETE repos/shop/web", Deny),
        ("gh api --method DELETE /orgs/shop", Deny),
        ("curl -X DELETE https://api.github.com/repos/shop/web", Deny),
        ("curl -s --request DELETE \"https://git.example.com/api/v4/projects/42\"", Deny),
        ("curl -X DELETE https://api.digitalocean.com/v2/databases/9cc1", Deny),
        ("gh api -X DELETE repos/shop/web/git/refs/heads/old", Ask),
        ("curl -X DELETE https://api.github.com/repos/shop/web/issues/5/lock", Ask),
        ("curl -X DELETE https://api.example.com/v1/projects/5", Ask),
        ("curl -X DELETE http://localhost:3000/v1/projects/5", Silent),
        ("gh api repos/shop/web", Silent),
    ]);
}

#[test]
fn databases_and_servers_of_them() {
    group(&[
        ("psql -h db.internal -c 'DROP DATABASE orders'", Deny),
        ("echo 'drop schema public cascade' | psql \"$DATABASE_URL\"", Deny),
        ("redis-cli -h cache.internal FLUSHALL", Deny),
        ("kubectl exec deploy/db -- dropdb orders", Deny),
        ("mongosh --eval 'db.dropDatabase()'", Deny),
        ("psql orders -c 'drop schema public cascade'", Ask),
        ("redis-cli FLUSHALL", Ask),
        ("docker exec db dropdb orders", Ask),
        ("docker exec db psql -c 'DROP DATABASE orders'", Ask),
        ("dropdb orders_development", Ask),
        ("createdb orders && dropdb orders", Ask),
        ("dropdb orders_test", Silent),
        ("docker run -d --rm -p 5432:5432 postgres && psql -h localhost -c 'DROP DATABASE orders'", Silent),
    ]);
}

#[test]
fn buckets_applications_and_accounts() {
    group(&[
        ("aws s3 rb s3://orders --force", Deny),
        ("gcloud storage buckets delete gs://orders", Deny),
        ("gcloud beta container clusters delete orders", Deny),
        ("vercel remove orders --yes", Deny),
        ("bq rm -r -f orders", Deny),
        ("aws cloudformation delete-stack --stack-name orders", Deny),
        ("heroku pg:reset --confirm orders", Deny),
        ("aws s3 rm s3://orders --recursive", Deny),
        ("gsutil -m rm -r 'gs://orders/**'", Deny),
        ("aws s3 rm s3://orders/old --recursive", Ask),
        ("bq rm -f orders.lines", Ask),
        ("vercel env rm TOKEN", Ask),
        ("wrangler delete --name preview-orders", Ask),
        ("gh repo create me/x1 --private && gh repo delete me/x1 --yes", Ask),
        ("aws s3 rb s3://tmp-orders --force", Silent),
        ("aws --endpoint-url http://localhost:4566 s3 rb s3://orders --force", Silent),
    ]);
}

#[test]
fn programs_that_destroy_with_the_library_of_a_provider() {
    group(&[
        ("python3 -c 'import boto3; boto3.client(\"eks\").delete_cluster(name=\"orders\")'", Deny),
        (
            "python3 -c 'import boto3; boto3.client(\"rds\").delete_db_instance(DBInstanceIdentifier=\"orders\")'",
            Deny,
        ),
        ("node -e 'require(\"mongoose\").connection.dropDatabase()'", Deny),
        (
            "node -e 'const {EKS, DeleteClusterCommand} = require(\"@aws-sdk/client-eks\"); new EKS({}).send(new DeleteClusterCommand({name: \"orders\"}))'",
            Deny,
        ),
        ("python3 -c 'import requests; requests.delete(\"https://api.github.com/repos/shop/web\")'", Deny),
        ("node -e 'fetch(\"https://api.github.com/repos/shop/web\", {method: \"DELETE\"})'", Deny),
        ("python3 -c 'import requests; requests.delete(\"http://localhost:8000/api/projects/3\")'", Silent),
        ("python3 -c 'import boto3; boto3.client(\"ec2\").terminate_instances(InstanceIds=[\"i-1\"])'", Ask),
        ("python3 -c 'import boto3; boto3.client(\"eks\").delete_cluster(name=\"orders-dev\")'", Ask),
        (
            "python3 -c 'import boto3; boto3.client(\"s3\", endpoint_url=\"http://localhost:4566\").delete_bucket(Bucket=\"orders\")'",
            Silent,
        ),
        ("python3 -c 'import boto3; print(boto3.client(\"eks\").list_clusters())'", Silent),
    ]);
}
