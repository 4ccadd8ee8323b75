import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { findSqlInjection, readingsOf } from "../../src/core/seclang/sql-injection/find.ts";
import { mulberry32 } from "../fuzz/random.ts";
import { Libinjection } from "./libinjection.ts";
import { kinds, sequencesOf, valueOf } from "./sql-values.ts";

// Derives the shapes of attacks: `npm run crs:sql-shapes`. Values of every sequence of one to five kinds are put to
// libinjection, which says what it takes for an attack; then values near the shapes found, until no shape is new.
// Writes them where `@detectSQLi` reads them, and lists the values that are still answered differently. `--passes`
// says how many values each sequence gets.

const { values: options } = parseArgs({
  options: { passes: { type: "string", default: "2" }, seed: { type: "string", default: "1" } },
});
const lengthMax = 5;
const batch = 5_000;
const file = new URL("../../src/core/seclang/sql-injection/attack-shapes.ts", import.meta.url);

const random = mulberry32(Number(options.seed));
const oracle = new Libinjection();
const shapes = new Set<string>();
const tried = new Set<string>();

for (let pass = 0; pass < Number(options.passes); pass += 1)
  for (let length = 1; length <= lengthMax; length += 1) await learn(sequencesOf(length), 1);
for (let before = -1; before < shapes.size;) {
  before = shapes.size;
  console.log(`${before} shapes`);
  await learn(neighbours(), 60);
}
writeShapes();
await listDifferences();
oracle.end();

/**
 * Keeps the shapes of attacks among values of these sequences; with several tries, the first three that read as the
 * sequence.
 */
async function learn(sequences: Iterable<string>, tries: number): Promise<void> {
  let values: string[] = [];
  for (const sequence of sequences) {
    let hits = 0;
    for (let attempt = 0; attempt < tries && hits < 3; attempt += 1) {
      const value = valueOf(sequence, random);
      if (tries > 1 && [...readingsOf(value)].some(({ shape }) => shape === sequence)) hits += 1;
      values.push(value);
    }
    if (values.length < batch) continue;
    await keepAttacks(values);
    values = [];
  }
  await keepAttacks(values);
}

async function keepAttacks(values: readonly string[]): Promise<void> {
  for (const { sqlShape } of await oracle.ask(values)) if (sqlShape !== undefined) shapes.add(sqlShape);
}

/** Shapes that differ from one that was found in one kind, or that are longer or shorter by one; each once. */
function* neighbours(): Generator<string> {
  const found = Array.from(shapes);
  for (const shape of found) {
    const near = [shape.slice(1), shape.slice(0, -1)];
    for (const kind of kinds) {
      for (let at = 0; at < shape.length; at += 1) near.push(shape.slice(0, at) + kind + shape.slice(at + 1));
      if (shape.length < lengthMax) near.push(shape + kind);
    }
    for (const other of near) {
      if (other === "" || shapes.has(other) || tried.has(other)) continue;
      tried.add(other);
      yield other;
    }
  }
}

function writeShapes(): void {
  // Values with a token of this kind are attacks, whatever stands beside it.
  shapes.delete("X");
  const shorter = [...shapes].filter((shape) => shape.length < lengthMax);
  const fifths = new Map<string, string>();
  for (const shape of [...shapes].toSorted()) {
    if (shape.length < lengthMax) continue;
    fifths.set(shape.slice(0, 4), (fifths.get(shape.slice(0, 4)) ?? "") + shape.slice(4));
  }
  const words = [...shorter, ...[...fifths].map(([four, rest]) => four + rest)].toSorted();
  const lines = [" "];
  for (const word of words) {
    if ((lines.at(-1) ?? "").length + word.length > 126) lines.push(" ");
    lines.push(`${lines.pop()} ${word}`);
  }
  writeFileSync(
    file,
    `/**
 * The kinds of the folded tokens of attacks. A word of up to four letters is a shape; a longer one stands for the shapes that
 * begin with its first four letters and end with one of the others. Made by \`npm run crs:sql-shapes\`, which puts values of
 * every sequence of kinds to libinjection.
 */
const words = String.raw\`
${lines.join("\n")}
\`;

const shorter = new Set<string>();
/** The fifth letters of shapes, by their first four. */
const fifths = new Map<string, string>();
for (const word of words.trim().split(/\\s+/)) {
  if (word.length > 4) fifths.set(word.slice(0, 4), word.slice(4));
  else shorter.add(word);
}

export function isAttackShape(shape: string): boolean {
  if (shape.length < 5) return shorter.has(shape);
  return fifths.get(shape.slice(0, 4))?.includes(shape.charAt(4)) ?? false;
}
`,
  );
}

/**
 * Judges values of every sequence by what this process read at its start: run it again to see what the new shapes
 * change.
 */
async function listDifferences(): Promise<void> {
  const differences = new Map<string, string>();
  let values: string[] = [];
  let asked = 0;
  const compare = async () => {
    const answers = await oracle.ask(values);
    for (const [index, value] of values.entries()) {
      const [ours, theirs] = [findSqlInjection(value), answers[index]?.sqlShape];
      if ((ours === undefined) !== (theirs === undefined))
        differences.set(`here ${ours ?? "none"}, libinjection ${theirs ?? "none"}`, value);
    }
    asked += values.length;
    values = [];
  };
  for (let length = 1; length <= lengthMax; length += 1) {
    for (const sequence of sequencesOf(length)) {
      values.push(valueOf(sequence, random));
      if (values.length === batch) await compare();
    }
  }
  await compare();
  console.log(`${asked} values, ${differences.size} kinds of differences`);
  for (const [difference, value] of differences) console.log(`${difference}: ${JSON.stringify(value)}`);
}
