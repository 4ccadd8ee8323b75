import { encodeText } from "../../core/expression/byte-string.ts";
import type { Header } from "../../core/transforms/request-headers.ts";
import { renderProblem } from "./problem-forms.ts";
import type { Asked, Problem } from "./problem.ts";

/** A response that the edge itself makes. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Octets. */
  readonly body: Buffer;
}

/** For responses that belong to one request alone. */
export const uncached: Header = ["cache-control", "private, max-age=0, no-store, no-cache, must-revalidate"];

/** An error, in the form that the client prefers. */
export function problemAnswer(problem: Problem, asked: Asked): OwnAnswer {
  const { contentType, text } = renderProblem(problem, asked);
  return {
    status: problem.status,
    headers: [
      ["content-type", contentType],
      uncached,
      ["x-frame-options", "SAMEORIGIN"],
      ...retryHeaders(problem),
    ],
    body: Buffer.from(text),
  };
}

/** Says after how many seconds to try again. */
export function retryHeaders({ retryAfter }: Pick<Problem, "retryAfter">): readonly Header[] {
  return retryAfter === undefined ? [] : [["retry-after", String(retryAfter)]];
}

export function redirectAnswer(status: number, location: string): OwnAnswer {
  // Characters that no URL may hold are escaped, so that a target cannot end the header.
  const safe = location.toWellFormed().replaceAll(/[^!-~]/gu, (character) => encodeURIComponent(character));
  return { status, headers: [["location", safe]], body: Buffer.alloc(0) };
}

/** The response whose content a rule sets. */
export function customAnswer(status: number, contentType: string, content: string): OwnAnswer {
  return {
    status,
    headers: [["content-type", encodeText(contentType)]],
    body: Buffer.from(encodeText(content), "latin1"),
  };
}
