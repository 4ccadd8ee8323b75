import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface LockedPackage {
  readonly engines?: unknown;
  readonly resolved?: string;
}

test("the lock file lets every npm install the development chain, and holds no download address", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const entries = Object.entries(packages);
  const chain = entries.filter(([path]) => path.startsWith("node_modules/@nomicfoundation/edr"));
  assert.ok(chain.length > 1);
  // An optional package whose engines do not fit the Node.js that npm runs on is passed over without a word.
  assert.deepEqual(
    chain.filter(([, { engines }]) => engines !== undefined),
    [],
  );
  assert.deepEqual(
    entries.filter(([, { resolved }]) => resolved?.startsWith("http")),
    [],
  );
});
