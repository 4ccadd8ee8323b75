import { randomBytes } from "node:crypto";

import { factsOf, htmlPage, uncached, type Asked, type OwnAnswer } from "../errors/block-and-error-pages.ts";
import { challengeScript } from "./challenge-script.ts";
import type { Puzzle } from "./puzzle.ts";

interface Posed {
  readonly puzzle: Puzzle;
  /** Method of the challenged request: the page repeats only a `GET`. */
  readonly method: string;
  /** Whether the visitor has to press a button first. */
  readonly isInteractive: boolean;
}

/**
 * The page that lets a browser pass a challenge. Clients that do not render it recognise it by its status and
 * `cf-mitigated`.
 */
export function challengePage({ puzzle, method, isInteractive }: Posed, asked: Asked): OwnAnswer {
  const nonce = randomBytes(16).toString("base64");
  const { sealed, seed, bits } = puzzle;
  const data = `data-puzzle="${sealed}" data-seed="${seed}" data-bits="${bits}" data-method="${method}"`;
  const content = `<p id="state" role="status">The owner of this site asks for a check of your browser.</p>
<p><button id="go" type="button" hidden>I am a person</button></p>
<noscript><p>The check needs JavaScript.</p></noscript>
<script nonce="${nonce}" ${data}${isInteractive ? " data-interactive" : ""}>${challengeScript}</script>`;
  const { hostname } = asked;
  const page = htmlPage({ title: "Checking your browser", hostname, content, facts: factsOf(asked), nonce });
  return {
    status: 403,
    headers: [
      ["content-type", "text/html; charset=UTF-8"],
      uncached,
      ["cf-mitigated", "challenge"],
      ["content-security-policy", policyWith(nonce)],
      ["referrer-policy", "same-origin"],
      ["x-frame-options", "SAMEORIGIN"],
    ],
    body: Buffer.from(page),
  };
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}
