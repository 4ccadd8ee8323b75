import { rayIdOf } from "../../wire/ray.ts";
import { escaped, factsOf, htmlPage } from "./html-page.ts";
import type { Asked, Problem, ProblemCategory } from "./problem.ts";

interface Form {
  readonly contentType: string;
  readonly render: (problem: Problem, asked: Asked) => string;
}

const html: Form = { contentType: "text/html; charset=UTF-8", render: asHtml };
const markdown: Form = { contentType: "text/markdown; charset=utf-8", render: asMarkdown };

/** By the media type that a client accepts. */
const forms: ReadonlyMap<string, Form> = new Map([
  ["text/html", html],
  ["*/*", html],
  ["text/markdown", markdown],
  ["text/*", markdown],
  ["text/plain", { contentType: "text/plain; charset=UTF-8", render: asText }],
  ...["application/json", "application/problem+json"].map((type): [string, Form] => [
    type,
    { contentType: `${type}; charset=utf-8`, render: asJson },
  ]),
  ...["application/xml", "text/xml", "application/problem+xml"].map((type): [string, Form] => [
    type,
    { contentType: `${type}; charset=utf-8`, render: asXml },
  ]),
]);

/** What a client should do about an error, and whether its cause is for the owner of the site to mend. */
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
 * An error in the form that the client prefers: HTML, JSON or XML ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)),
 * Markdown or text. [The members](../../../docs/operating/edge.md#what-visitors-get) are those of the public service.
 */
export function renderProblem(
  problem: Problem,
  asked: Asked,
): { readonly contentType: string; readonly text: string } {
  const { contentType, render } = preferredForm(asked.accept);
  return { contentType, text: render(problem, asked) };
}

/** The first accepted type of the highest quality (RFC 9110 section 12.5.1); a page for clients without `Accept`. */
function preferredForm(accept = ""): Form {
  let best = { form: html, quality: 0 };
  for (const entry of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight) || 0;
    const form = forms.get(type);
    if (form !== undefined && quality > best.quality) best = { form, quality };
  }
  return best.form;
}

/** The members that are the same in every form for programs. */
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
