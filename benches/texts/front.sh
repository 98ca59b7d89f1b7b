cd web && node --version && npm ci --no-audit --no-fund --prefer-offline 2>&1 | tail -3
cat > src/components/Badge.tsx <<'EOF'
import { type ReactNode } from "react";
import styles from "./Badge.module.css";

export function Badge({ tone = "neutral", children }: { tone?: "neutral" | "good" | "bad"; children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
EOF
printf '%s\n' 'export { Badge } from "./Badge";' >> src/components/index.ts
sed -i -e 's/<span className="tag">\([^<]*\)<\/span>/<Badge>\1<\/Badge>/g' src/pages/Orders.tsx src/pages/Order.tsx
git diff --stat && npm run --silent typecheck && npm run --silent test -- --run src/components 2>&1 | tail -20
NODE_ENV=production npx vite build --outDir dist --sourcemap --emptyOutDir | grep -E 'dist/.*(js|css)' | awk '{ print $2, $3, $1 }' | sort -rn | head
rm -rf dist/assets/*.map coverage node_modules/.cache
git add src && git commit -q -m "Show the state of an order as a badge

The old markup stays for print; see \`Order.print.tsx\`." && git log -1 --stat | cat
