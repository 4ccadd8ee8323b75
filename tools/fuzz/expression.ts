import * as fc from "fast-check";

import { compileExpression } from "../../src/core/expression/compile/compile.ts";
import { ExpressionError } from "../../src/core/expression/expression-error.ts";
import { expressionText, fragments } from "../../test/support/arbitraries/expressions.ts";
import { createEngines } from "../../src/engines/engines.ts";
import { mulberry32 } from "./random.ts";

// Breaks valid filter expressions at random and compiles them: `npm run fuzz:expressions -- [COUNT] [SEED]`. Ends with
// 1 when something else than an ExpressionError is thrown.

const count = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 1);
const slowestKept = 20;

const engines = createEngines();
const random = mulberry32(seed);
const valid = fc.sample(expressionText, { numRuns: 5000, seed });
const counts = { read: 0, refused: 0, crashed: 0 };
const slowest: { readonly text: string; readonly milliseconds: number }[] = [];

const began = performance.now();
for (let run = 0; run < count; run += 1) {
  const text = nextText();
  const milliseconds = timed(text, true);
  if (slowest.length < slowestKept || milliseconds > (slowest.at(-1)?.milliseconds ?? 0)) {
    slowest.push({ text, milliseconds });
    slowest.sort((one, other) => other.milliseconds - one.milliseconds);
    slowest.length = Math.min(slowest.length, slowestKept);
  }
}
const seconds = (performance.now() - began) / 1000;

// Once more, so that the collection of garbage and the like do not count.
const again = slowest.map(({ text }) => ({
  text,
  milliseconds: Math.min(...Array.from({ length: 3 }, () => timed(text, false))),
}));
again.sort((one, other) => other.milliseconds - one.milliseconds);
const [worst] = again;
process.stdout.write(
  `${count} texts in ${seconds.toFixed(0)} s: ${counts.read} read, ${counts.refused} refused, ${counts.crashed} crashed
slowest when it ran: ${slowest[0]?.milliseconds.toFixed(1)} ms of CPU time; of the ${slowestKept} slowest, run again: ${worst?.milliseconds.toFixed(1)} ms
${JSON.stringify(worst?.text)}
`,
);
process.exitCode = counts.crashed === 0 ? 0 : 1;

/** Milliseconds of CPU time. */
function timed(text: string, isCounted: boolean): number {
  const start = process.cpuUsage();
  try {
    compileExpression(text, engines).free();
    if (isCounted) counts.read += 1;
  } catch (error) {
    if (error instanceof ExpressionError) counts.refused += isCounted ? 1 : 0;
    else {
      counts.crashed += 1;
      process.stderr.write(`${JSON.stringify(text)}: ${String(error)}\n`);
    }
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function nextText(): string {
  let text = pick(valid);
  for (let left = Math.floor(random() * 5); left > 0; left -= 1) {
    const start = Math.floor(random() * (text.length + 1));
    const deleted = random() < 0.5 ? 0 : Math.floor(random() * 12);
    text = text.slice(0, start) + insertion() + text.slice(start + deleted);
  }
  return text;
}

/** A fragment, a fragment many times, or a part of another text. */
function insertion(): string {
  const kind = random();
  if (kind < 0.7) return pick(fragments);
  if (kind < 0.75) return pick(fragments).repeat(Math.floor(random() * 300));
  const other = pick(valid);
  const start = Math.floor(random() * other.length);
  return other.slice(start, start + Math.floor(random() * 60));
}

function pick(texts: readonly string[]): string {
  return texts[Math.floor(random() * texts.length)] ?? "";
}
