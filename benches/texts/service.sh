wait_for() {
  local url=$1 tries=${2:-30}
  until curl --silent --fail --max-time 2 --output /dev/null "$url"; do
    tries=$((tries - 1))
    if [ "$tries" -le 0 ]; then
      echo "$url does not answer" >&2
      return 1
    fi
    sleep 0.5
  done
}

docker compose --profile test up --detach --build db cache
PORT=8099 DATABASE_URL=postgres://app:app@localhost:5433/app_test node --enable-source-maps dist/server.js > /tmp/server.log 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
wait_for http://localhost:8099/healthz 40 || { tail -50 /tmp/server.log; exit 1; }

token=$(curl -s http://localhost:8099/login -H 'content-type: application/json' -d '{"user":"test","password":"test"}' | jq -r .token)
for path in /users /users/1 '/search?q=a%20b&limit=5' /metrics; do
  code=$(curl -s -o /tmp/body.json -w '%{http_code} %{time_total}' -H "authorization: Bearer $token" "http://localhost:8099$path")
  echo "$path: $code, $(wc -c < /tmp/body.json) bytes"
done
docker compose logs --no-color --tail=20 db | grep -i -E 'error|fatal' || true
