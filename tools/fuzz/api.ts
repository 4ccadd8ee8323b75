import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// Sends requests that deviate from valid ones to every operation, as many to SQLite as to PostgreSQL:
// `npm run fuzz -- --requests 200000 --seed 7`. Ends with 1 when an answer is an internal error or off its schema; with
// `--contract` also when one differs from the public document or the SDK without a reason.
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "2000" },
    seed: { type: "string", default: "0" },
    contract: { type: "boolean", default: false },
  },
});
for (const [name, value] of [
  ["requests", values.requests],
  ["seed", values.seed],
] as const) {
  if (!/^\d+$/.test(value)) throw new Error(`--${name} must be a whole number: ${value}`);
}
const { status } = spawnSync(
  process.execPath,
  ["--test", "--test-global-setup=test/support/global-setup.ts", "test/fuzz/api.test.ts"],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      ROUNDS: values.requests,
      SEED: values.seed,
      ...(values.contract && { CONTRACT: "1" }),
    },
  },
);
process.exitCode = status ?? 1;
