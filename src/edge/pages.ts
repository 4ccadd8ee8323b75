import { encodeText } from "../core/expression/byte-string.ts";
import type { Header } from "../core/transforms/request-headers.ts";
import { escaped, factsOf, htmlPage } from "./html-page.ts";

/** An answer of the edge itself. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Octets. */
  readonly body: Buffer;
}

/** Why the edge answers by itself. */
export interface Problem {
  readonly status: number;
  /** The number by which the public documentation knows the error; the status where there is none. */
  readonly code: number;
  readonly title: string;
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export interface Asked {
  /** Of the request; undefined for none. */
  readonly accept: string | undefined;
  readonly hostname: string;
  readonly address: string;
  /** With the place. */
  readonly ray: string;
  readonly now: Date;
}

/** For answers that are about one request. */
export const uncached: Header = ["cache-control", "private, max-age=0, no-store, no-cache, must-revalidate"];

const forms = {
  "text/html": { type: "text/html; charset=UTF-8", render: asHtml },
  "application/json": { type: "application/problem+json", render: asJson },
  "application/problem+json": { type: "application/problem+json", render: asJson },
  "text/plain": { type: "text/plain; charset=UTF-8", render: asText },
} as const;

/** A page, or an object by RFC 9457 for a client that would rather have one. */
export function problemAnswer(problem: Problem, asked: Asked): OwnAnswer {
  const { type, render } = forms[preferred(asked.accept)];
  return {
    status: problem.status,
    headers: [
      ["content-type", type],
      uncached,
      ["x-frame-options", "SAMEORIGIN"],
      ...(problem.retryAfter === undefined ? [] : [["retry-after", String(problem.retryAfter)] as const]),
    ],
    body: Buffer.from(render(problem, asked)),
  };
}

export function redirectAnswer(status: number, location: string): OwnAnswer {
  // What stands in no URL is escaped, so that no target ends the header.
  const safe = location.toWellFormed().replaceAll(/[^!-~]/gu, (character) => encodeURIComponent(character));
  return { status, headers: [["location", safe]], body: Buffer.alloc(0) };
}

/** What a rule says that is answered. */
export function customAnswer(status: number, contentType: string, content: string): OwnAnswer {
  return {
    status,
    headers: [["content-type", encodeText(contentType)]],
    body: Buffer.from(encodeText(content), "latin1"),
  };
}

/** The first of the highest quality (RFC 9110 section 12.5.1); a page for clients that say nothing of it. */
function preferred(accept = ""): keyof typeof forms {
  const wanted = accept.split(",").map((entry) => {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
  const known = wanted.filter(({ type, quality }) => type in forms && quality > 0);
  const best = known.toSorted((one, other) => other.quality - one.quality).at(0)?.type;
  return (best ?? "text/html") as keyof typeof forms;
}

function asJson({ status, code, title, detail, retryAfter }: Problem, { hostname, ray, now }: Asked): string {
  return JSON.stringify({
    type: "about:blank",
    title,
    status,
    detail,
    instance: ray,
    error_code: code,
    ray_id: ray,
    timestamp: now.toISOString(),
    zone: hostname,
    retryable: retryAfter !== undefined,
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  });
}

function asText({ code, title, detail }: Problem, { ray }: Asked): string {
  return `Error ${code}: ${title}\n\n${detail}\n\nRay ID: ${ray}\n`;
}

function asHtml({ code, title, detail }: Problem, asked: Asked): string {
  const content = `<p>${escaped(detail)}</p>`;
  return htmlPage({
    title,
    content,
    facts: [["Error", String(code)], ...factsOf(asked)],
    hostname: asked.hostname,
  });
}
