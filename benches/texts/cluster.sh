export KUBECONFIG="$HOME/.kube/staging.yaml"
namespace=shop
kubectl --namespace "$namespace" get pods -o json \
  | jq -r '.items[] | [.metadata.name, .status.phase, ([.status.containerStatuses[]?.restartCount] | add // 0), .spec.nodeName] | @tsv' \
  | sort -t"$(printf '\t')" -k3,3nr | head -20 | column -t
for pod in $(kubectl -n $namespace get pods --field-selector=status.phase!=Running -o name); do
  echo "== $pod"
  kubectl -n $namespace describe "$pod" | sed -n '/^Events:/,$p' | tail -12
  kubectl -n $namespace logs "$pod" --all-containers --tail=30 --timestamps 2>/dev/null | grep -E -i 'error|panic|refused' || echo "    nothing in its log"
done
kubectl top pods -n "$namespace" --sort-by=memory | head -8
helm --namespace "$namespace" history shop --max 5 -o json | jq -r '.[] | "\(.revision) \(.status) \(.chart) \(.updated[:19])"'
diff -u <(helm -n "$namespace" get values shop -o yaml | sort) <(sort deploy/staging/values.yaml) | head -60 || true
aws s3 ls "s3://shop-${STAGE:-staging}-assets/releases/" --human-readable | sort -k1,2 | tail -5
