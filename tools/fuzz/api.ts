import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// Sends requests that deviate from valid ones to every operation, as many to SQLite as to PostgreSQL:
// `npm run fuzz -- --requests 200000 --seed 7`. Ends with 1 when an answer is an internal error or off its schema.
const { values } = parseArgs({
  options: { requests: { type: "string", default: "2000" }, seed: { type: "string", default: "0" } },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d+$/.test(value)) throw new Error(`--${name} must be a whole number: ${value}`);
}
const { status } = spawnSync(
  process.execPath,
  ["--test", "--test-global-setup=test/support/global-setup.ts", "test/fuzz/api.test.ts"],
  { stdio: "inherit", env: { ...process.env, ROUNDS: values.requests, SEED: values.seed } },
);
process.exitCode = status ?? 1;
