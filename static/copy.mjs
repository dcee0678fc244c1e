// Copies wombat's browser bundles into dist/, where static.go embeds them.
import { copyFileSync, mkdirSync } from "node:fs";

const bundles = ["wombat.js", "wombatProxyMode.js"];
const from = new URL("node_modules/@webrecorder/wombat/dist/", import.meta.url);
const to = new URL("dist/", import.meta.url);

mkdirSync(to, { recursive: true });
for (const name of bundles) {
  copyFileSync(new URL(name, from), new URL(name, to));
}
