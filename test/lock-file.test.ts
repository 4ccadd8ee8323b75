import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

interface LockedPackage {
  readonly engines?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  /** Whether it stands for a workspace. */
  readonly link?: true;
  readonly resolved?: string;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, LockedPackage>;
};
const installed = Object.entries(packages).filter(([path]) => path !== "");
/** Ranges that begin with Node.js 20 or before, or list it. */
const admitsNode20 = /(?:^|\|\|)\s*(?:>=?\s*v?(?:\d|1\d|20)(?!\d)|[\^~]?v?20(?!\d)|\*)/;

describe("the lock file", () => {
  test("lets npm run on Node.js 20 without a warning: Zoneward runs on the Node.js that npm installs", () => {
    // npm warns of others, and passes over optional ones without a word.
    const others = installed.filter(([, { engines }]) => !admitsNode20.test(engines?.["node"] ?? "*"));
    assert.deepEqual(
      others.map(([path, { engines }]) => `${path}: ${engines?.["node"]}`),
      [],
      "leave out the `engines` of these",
    );
  });

  test("leaves out the engines of the development chain, which is optional", () => {
    const chain = installed.filter(([path]) => path.startsWith("node_modules/@nomicfoundation/edr"));
    assert.ok(chain.length > 1);
    assert.deepEqual(
      chain.filter(([, { engines }]) => engines !== undefined),
      [],
    );
  });

  test("holds the hash of every package that npm may download, for any platform", () => {
    const downloaded = installed.filter(
      ([path, { link }]) => path.startsWith("node_modules/") && link === undefined,
    );
    assert.ok(downloaded.length > 300);
    assert.deepEqual(
      downloaded.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "")),
      [],
    );
  });

  test("holds no download address", () => {
    assert.deepEqual(
      installed.filter(([, { resolved }]) => resolved?.startsWith("http")),
      [],
    );
  });
});
