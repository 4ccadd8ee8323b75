import { encodeText } from "../core/expression/byte-string.ts";
import type { Header } from "../core/transforms/request-headers.ts";
import { escaped, factsOf, htmlPage } from "./html-page.ts";

/** A response that the edge itself makes. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Octets. */
  readonly body: Buffer;
}

/** An error that the edge answers itself. */
export interface Problem {
  readonly status: number;
  /** The number of the error in the public documentation; the status where it has none. */
  readonly code: number;
  readonly title: string;
  readonly detail: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export interface Asked {
  /** The `Accept` header of the request; undefined for none. */
  readonly accept: string | undefined;
  readonly hostname: string;
  readonly address: string;
  /** With the location code. */
  readonly ray: string;
  readonly now: Date;
}

/** For responses that belong to one request alone. */
export const uncached: Header = ["cache-control", "private, max-age=0, no-store, no-cache, must-revalidate"];

const forms = {
  "text/html": { type: "text/html; charset=UTF-8", render: asHtml },
  "application/json": { type: "application/problem+json", render: asJson },
  "application/problem+json": { type: "application/problem+json", render: asJson },
  "text/plain": { type: "text/plain; charset=UTF-8", render: asText },
} as const;

/** An HTML page, or a problem object (RFC 9457) or text for a client that prefers it. */
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

/**
 * The first accepted type of the highest quality (RFC 9110 section 12.5.1); a page for clients without
 * `Accept`.
 */
function preferred(accept = ""): keyof typeof forms {
  const wanted = accept.split(",").map((entry) => {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
  const known = wanted.filter(({ type, quality }) => Object.hasOwn(forms, type) && quality > 0);
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
