import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { createDnsRecord } from "../src/resources/dns-records/operations.ts";

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

const dist = `${import.meta.dirname}/dist`;
const entryScriptBytesMax = 120_000;
const startPageBytesMax = 350_000;
const manifest = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, "utf8")) as Record<string, Chunk>;

/** The files of chunks, with what they import and their styles. */
function filesOf(...names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const follow = (name: string): void => {
    const chunk = manifest[name];
    assert.ok(chunk, `${name} is in the manifest`);
    if (files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) follow(imported);
  };
  names.forEach(follow);
  return files;
}

/** The entry loads the application, which has the start page in it. */
function startPageFiles(): Set<string> {
  return filesOf("index.html", ...(manifest["index.html"]?.dynamicImports ?? [])).add("index.html");
}

function gzippedBytes(files: Iterable<string>): number {
  let sum = 0;
  for (const file of files) sum += gzipSync(readFileSync(`${dist}/${file}`)).length;
  return sum;
}

test("the script of the entry is at most 120 kB gzipped, and the start page 350 kB with all that it needs", () => {
  const entry = gzippedBytes(filesOf("index.html"));
  assert.ok(entry <= entryScriptBytesMax, `${entry} bytes`);
  const bytes = gzippedBytes(startPageFiles());
  assert.ok(bytes <= startPageBytesMax, `${bytes} bytes`);
});

test("the dashboard knows method and path of operations, and has nothing else of the server's", () => {
  const scripts = globSync(`${dist}/assets/*.js`).map((file) => readFileSync(file, "utf8"));
  const { path, summary } = createDnsRecord;
  assert.equal(scripts.filter((script) => script.includes(path)).length, 1);
  assert.ok(!scripts.some((script) => script.includes(summary)));
});

test("the dashboard loads nothing from outside", () => {
  const outside = /(?:src|href)="(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|@import/;
  for (const file of startPageFiles())
    if (/\.(?:html|css)$/.test(file))
      assert.doesNotMatch(readFileSync(`${dist}/${file}`, "utf8"), outside, file);
});
