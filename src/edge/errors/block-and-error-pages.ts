import { encodeText } from "../../core/expression/byte-string.ts";
import type { Header } from "../../core/transforms/request-headers.ts";
import { rayIdOf } from "../../wire/ray.ts";
import type { Problem, ProblemCategory } from "./problems.ts";

/** Everything that a response of the edge itself needs to know of its request. */
export interface Asked {
  /** The `Accept` header of the request; undefined for none. */
  readonly accept: string | undefined;
  readonly hostname: string;
  readonly address: string;
  /** With the location code. */
  readonly ray: string;
  readonly now: Date;
}

/** A response that the edge itself makes. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Octets. */
  readonly body: Buffer;
}

/** For responses that belong to one request alone. */
export const uncached: Header = ["cache-control", "private, max-age=0, no-store, no-cache, must-revalidate"];

/** An error, in the format that the client prefers. */
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

interface Format {
  readonly contentType: string;
  readonly render: (problem: Problem, asked: Asked) => string;
}

const html: Format = { contentType: "text/html; charset=UTF-8", render: asHtml };
const markdown: Format = { contentType: "text/markdown; charset=utf-8", render: asMarkdown };

/** By the media type that a client accepts. */
const formats: ReadonlyMap<string, Format> = new Map([
  ["text/html", html],
  ["*/*", html],
  ["text/markdown", markdown],
  ["text/*", markdown],
  ["text/plain", { contentType: "text/plain; charset=UTF-8", render: asText }],
  ...["application/json", "application/problem+json"].map((type): [string, Format] => [
    type,
    { contentType: `${type}; charset=utf-8`, render: asJson },
  ]),
  ...["application/xml", "text/xml", "application/problem+xml"].map((type): [string, Format] => [
    type,
    { contentType: `${type}; charset=utf-8`, render: asXml },
  ]),
]);

/** Advice for the client about each kind of error, and whether the owner of the site has to mend its cause. */
const remedies: Readonly<Record<ProblemCategory, { readonly advice: string; readonly isForOwner: boolean }>> =
  {
    access_denied: {
      advice:
        "Do not repeat the request. If it should be let through, tell the owner of the site its ray id.",
      isForOwner: false,
    },
    cloudflare: { advice: "Wait, and repeat the request.", isForOwner: false },
    config: {
      advice: "Repeating the request does not help until the owner of the site changes its configuration.",
      isForOwner: true,
    },
    dns: {
      advice: "Repeating the request does not help until the owner of the site changes its DNS records.",
      isForOwner: true,
    },
    origin: {
      advice:
        "Wait, and repeat the request. If the error stays, the owner of the site has to mend the origin.",
      isForOwner: true,
    },
    rate_limit: { advice: "Wait, and then send fewer requests.", isForOwner: false },
    request: { advice: "Change the request before you send it again.", isForOwner: false },
    rewrite: {
      advice:
        "Repeating the request does not help until the owner of the site changes the rule that rewrites it.",
      isForOwner: true,
    },
    ssl: {
      advice: "Repeating the request does not help until the owner of the site mends the TLS of the origin.",
      isForOwner: true,
    },
  };

const footer = "The edge made this response on behalf of the owner of the site.";

/**
 * An error as the client prefers it: HTML, JSON or XML ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)),
 * Markdown or text. [The members](../../../docs/operating/edge.md#what-visitors-get) are those of the public service.
 */
export function renderProblem(
  problem: Problem,
  asked: Asked,
): { readonly contentType: string; readonly text: string } {
  const { contentType, render } = preferredFormat(asked.accept);
  return { contentType, text: render(problem, asked) };
}

/** The first accepted type of the highest quality (RFC 9110 section 12.5.1); a page for clients without `Accept`. */
function preferredFormat(accept = ""): Format {
  let best = { format: html, quality: 0 };
  for (const entry of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight) || 0;
    const format = formats.get(type);
    if (format !== undefined && quality > best.quality) best = { format, quality };
  }
  return best.format;
}

/** The members that are the same in every format for programs. */
function membersOf(
  { status, code, name, category, retryAfter }: Problem,
  { hostname, ray, now }: Asked,
): Readonly<Record<string, string | number | boolean>> {
  return {
    error_code: code,
    error_name: name,
    error_category: category,
    status,
    ray_id: rayIdOf(ray),
    timestamp: now.toISOString(),
    zone: hostname,
    cloudflare_error: true,
    retryable: retryAfter !== undefined,
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    owner_action_required: remedies[category].isForOwner,
  };
}

/** With the members of RFC 9457 and the advice. */
function allMembersOf(problem: Problem, asked: Asked): ReturnType<typeof membersOf> {
  return {
    type: "about:blank",
    title: headingOf(problem),
    status: problem.status,
    detail: problem.detail,
    instance: rayIdOf(asked.ray),
    ...membersOf(problem, asked),
    what_you_should_do: remedies[problem.category].advice,
    footer,
  };
}

function asJson(problem: Problem, asked: Asked): string {
  return JSON.stringify(allMembersOf(problem, asked));
}

function asXml(problem: Problem, asked: Asked): string {
  const members = Object.entries(allMembersOf(problem, asked)).map(
    ([name, value]) => `  <${name}>${escaped(String(value))}</${name}>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807">\n${members.join("")}</problem>\n`;
}

function asMarkdown(problem: Problem, asked: Asked): string {
  const front = Object.entries(membersOf(problem, asked)).map(
    ([name, value]) => `${name}: ${String(value)}\n`,
  );
  return `---
${front.join("")}---

# ${headingOf(problem)}

## What Happened

${problem.detail}

## What You Should Do

${remedies[problem.category].advice}

---

${footer}
`;
}

function asText(problem: Problem, { ray }: Asked): string {
  return `${headingOf(problem)}\n\n${problem.detail}\n\nRay ID: ${ray}\n`;
}

function asHtml({ code, title, detail }: Problem, asked: Asked): string {
  return htmlPage({
    title,
    content: `<p>${escaped(detail)}</p>`,
    facts: [["Error", String(code)], ...factsOf(asked)],
    hostname: asked.hostname,
  });
}

const headingOf = ({ code, title }: Problem): string => `Error ${code}: ${title}`;

interface HtmlPage {
  readonly title: string;
  readonly hostname: string;
  /** Markup, inserted unescaped. */
  readonly content: string;
  /** Pairs of a term and its value. */
  readonly facts: readonly (readonly [string, string])[];
  /** The nonce of the content security policy, for the styles. */
  readonly nonce?: string;
}

/** Renders a page that loads no other files. */
export function htmlPage({ title, hostname, content, facts, nonce }: HtmlPage): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
<title>${escaped(hostname === "" ? title : `${title} | ${hostname}`)}</title>
<style${nonce === undefined ? "" : ` nonce="${nonce}"`}>
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1f2933; background: #f5f7fa; }
main { max-width: 38rem; margin: 12vh auto; padding: 2rem; background: #fff; border-top: 4px solid #2f6fed; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
button { padding: .5rem 1.25rem; font: inherit; color: #fff; background: #1d56c9; border: 0; border-radius: .25rem; cursor: pointer; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1.5rem 0 0; font-size: .875rem; color: #52606d; }
dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
<dl>
${facts.map(([term, description]) => `<dt>${escaped(term)}</dt><dd>${escaped(description)}</dd>`).join("\n")}
</dl>
</main>
</body>
</html>
`;
}

/** Facts that a visitor can report to the owner of the site. */
export function factsOf({
  ray,
  address,
  now,
}: {
  readonly ray: string;
  readonly address: string;
  readonly now: Date;
}): HtmlPage["facts"] {
  return [
    ["Ray ID", ray],
    ["Your address", address],
    ["Time", now.toISOString()],
  ];
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
