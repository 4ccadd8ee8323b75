import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const dist = `${import.meta.dirname}/dist`;
const initialBytesMax = 350_000;

test("the start page loads in less than 350 kB gzipped, and nothing from outside", () => {
  const manifest = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, "utf8")) as Record<string, Chunk>;
  const files = new Set(["index.html", "zoneward.svg"]);
  const follow = (name: string): void => {
    const chunk = manifest[name];
    assert.ok(chunk, `${name} is in the manifest`);
    if (files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) follow(imported);
  };
  follow("index.html");
  follow("src/features/home/home-page.tsx");

  const texts = [...files].map((file) => ({ file, text: readFileSync(`${dist}/${file}`) }));
  const bytes = texts.reduce((sum, { text }) => sum + gzipSync(text).length, 0);
  assert.ok(bytes < initialBytesMax, `${bytes} bytes`);

  const outside = /(?:src|href)="(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|@import/;
  for (const { file, text } of texts)
    if (/\.(html|css)$/.test(file)) assert.doesNotMatch(text.toString(), outside, file);
});
