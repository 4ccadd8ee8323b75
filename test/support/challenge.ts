import assert from "node:assert/strict";
import { hash } from "node:crypto";

import type { EdgeApp, VisitOptions, VisitorAnswer } from "./edge-app.ts";

const answerPath = "/cdn-cgi/challenge-platform/answer";

/** The puzzle on a page, as its script gets it, with its answer. */
export function solvePage({ text }: Pick<VisitorAnswer, "text">): URLSearchParams {
  const data = (name: string) => new RegExp(`data-${name}="([^"]*)"`).exec(text)?.[1] ?? "";
  const [seed, bits] = [data("seed"), Number(data("bits"))];
  assert.ok(seed !== "" && bits > 0, text);
  for (let answer = 0; ; answer += 1) {
    // As text: to make a buffer takes twice as long as the hash.
    const firstWord = Number.parseInt(hash("sha256", `${seed}.${answer}`, "hex").slice(0, 8), 16);
    if (Math.clz32(firstWord) >= bits)
      return new URLSearchParams({ puzzle: data("puzzle"), answer: String(answer) });
  }
}

/** Sends the answer to a puzzle as a browser does. */
export function sendAnswer(
  { visit }: EdgeApp,
  answer: URLSearchParams,
  options: VisitOptions = {},
): Promise<VisitorAnswer> {
  return visit(answerPath, { ...options, method: "POST", body: answer.toString() });
}

/** The cookie of an answer, as it is sent back. */
export function cookieOf({ headers }: VisitorAnswer): string {
  return headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
}

/** Passes the challenge of a path; returns the cookie for it. */
export async function passChallenge(edge: EdgeApp, path: string, options?: VisitOptions): Promise<string> {
  return cookieOf(await sendAnswer(edge, solvePage(await edge.visit(path, options)), options));
}
