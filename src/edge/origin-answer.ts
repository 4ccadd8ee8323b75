import type { Transform } from "node:stream";

import type { ActionParameters } from "../core/rulesets/action-parameters.ts";
import type { RuleMatch } from "../core/rulesets/rule-matches.ts";
import { valueIn, type Header } from "../core/transforms/request-headers.ts";
import type { Inspection, Passage } from "./held-answer.ts";
import type { JudgedVisit } from "./judge-visitor.ts";
import { chooseEncoding, encodedHeaders } from "./compression.ts";
import { endToEnd } from "./origin-headers.ts";
import { problemAnswer, type OwnAnswer } from "./pages.ts";
import { problems } from "./problems.ts";
import { responseFirewall, type ResponseFirewall } from "./response-firewall.ts";
import { applyResponseRules } from "./response-rules.ts";
import { answer, edgeHeaders, OwnAnswerDue, securityHeaders, type Serving, type Way } from "./serving.ts";
import { cut, writeHead } from "./visit.ts";
import { askedOf } from "./visited.ts";

/**
 * Called with the status of the origin's response, the status of the visitor's, and what response rules did.
 */
export type Note = (originStatus: number, edgeStatus: number, matches?: readonly RuleMatch[]) => void;

interface OriginHead {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly text: string;
}

/** Answers with the origin's response, or with what rules put in its place. Throws OwnAnswerDue. */
export function answerAsOrigin(
  serving: Serving,
  way: Way,
  judged: JudgedVisit,
  note: Note,
  { status, headers, text }: OriginHead,
): Passage | Inspection {
  if (isBadlyFramed(headers)) throw new OwnAnswerDue(problems.badOriginAnswer);
  const { visit, zone, ray } = way;
  const came = endToEnd(headers);
  const {
    headers: ruled,
    instead,
    compression,
    answered,
  } = applyResponseRules(zone, judged.request, status, came);
  const more: Header[] = [...securityHeaders(way), ["cf-cache-status", "DYNAMIC"]];
  const answerInstead = (own: OwnAnswer, its: readonly Header[], matches?: readonly RuleMatch[]): Passage => {
    note(status, own.status, matches);
    // If the origin failed meanwhile, the visitor already has an error page.
    if (!visit.response.headersSent) void answer(serving, visit, ray, own, its).catch(() => cut(visit));
    return "is answered";
  };
  const passOn = (matches?: readonly RuleMatch[]): Passage => {
    note(status, status, matches);
    if (visit.response.headersSent) return "is answered";
    const sent = replaced(ruled, [...more, ...edgeHeaders(ray)]);
    const { headers: encoded, compressor } = compress(serving, way, compression, { status, headers: sent });
    try {
      writeHead(visit, status, encoded, text);
    } catch (error) {
      compressor?.destroy();
      throw error;
    }
    serving.answered(status);
    return compressor ?? "goes on";
  };
  const decide = async (start: Buffer, firewall: ResponseFirewall): Promise<Passage> => {
    try {
      const { own, matches } = await firewall.judge(start);
      return own === undefined ? passOn(matches) : answerInstead(own, securityHeaders(way), matches);
    } catch (error) {
      serving.logger.error({ err: error, ray }, "an answer could not be judged");
      return answerInstead(problemAnswer(problems.internal, askedOf(serving, way.visitor, way)), []);
    }
  };
  if (instead !== undefined) {
    const own = insteadOf(ruled, instead, [...more, ...edgeHeaders(ray)]);
    const told = serving.matchedRules?.add(way, judged);
    if (told === undefined) return answerInstead(own, more);
    return { bytesMax: 0, decide: () => told.then(() => answerInstead(own, more)) };
  }
  const firewall = responseFirewall(serving, way, judged, { status, headers: came, ruled: answered });
  if (firewall === undefined) return passOn();
  return { bytesMax: firewall.bytesMax, decide: (start) => decide(start, firewall) };
}

/** The headers of a response as the visitor gets it, and what compresses its body; undefined for nothing. */
function compress(
  { compressors }: Serving,
  { visitor, zone }: Way,
  rules: ActionParameters,
  answered: Pick<OriginHead, "status" | "headers">,
): { readonly headers: readonly Header[]; readonly compressor: Transform | undefined } {
  const { hasBrotli } = zone.settings;
  const { encoding, isVaried } = chooseEncoding(visitor, answered, { hasBrotli, rules });
  const isStreamed = valueIn(answered.headers, "content-length") === "";
  const compressor =
    encoding && visitor.method !== "HEAD" ? compressors.open(encoding, isStreamed) : undefined;
  const isEncoded = compressor !== undefined || visitor.method === "HEAD";
  const headers = encodedHeaders(answered.headers, {
    encoding: isEncoded ? encoding : undefined,
    isVaried,
  });
  return { headers, compressor };
}

const describingContent: ReadonlySet<string> = new Set([
  "content-type",
  "content-length",
  "content-encoding",
]);

/** A rule's response keeps the origin's headers, except those that describe the content. */
function insteadOf(ruled: readonly Header[], instead: OwnAnswer, own: readonly Header[]): OwnAnswer {
  const kept = ruled.filter(([name]) => !describingContent.has(name));
  return { ...instead, headers: [...without(kept, own), ...instead.headers] };
}

/**
 * Whether the length of a response is ambiguous (RFC 9112 section 6.3), or its body in a transfer coding that
 * nobody decodes.
 */
function isBadlyFramed(headers: readonly Header[]): boolean {
  let lengths = 0;
  for (const [name, value] of headers) {
    if (name === "content-length" || name === "transfer-encoding") lengths += 1;
    if (name === "transfer-encoding" && !/^\s*(?:chunked|identity)\s*$/i.test(value)) return true;
  }
  return lengths > 1;
}

/** The origin's headers, with the edge's in place of those of the same name. */
export function replaced(headers: readonly Header[], own: readonly Header[]): Header[] {
  return [...without(headers, own), ...own];
}

/** Drops headers of an origin that are meant for proxies such as this one, or that the edge sets itself. */
function without(headers: readonly Header[], own: readonly Header[]): Header[] {
  return headers.filter(
    ([name]) => !name.startsWith("x-accel-") && own.every((header) => header[0] !== name),
  );
}
