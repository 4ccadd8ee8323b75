import type { Transform } from "node:stream";

import type { ActionParameters } from "../../core/rulesets/action-parameters.ts";
import { failedMatches, type RuleMatch } from "../../core/judging/rule-matches.ts";
import { valueIn, type Header } from "../../core/transforms/request-headers.ts";
import type { Inspection, Passage } from "./held-answer.ts";
import { countAnswer, logFailures, type JudgedVisit } from "../judging/judge-visitor.ts";
import { chooseEncoding, encodedHeaders } from "./compression.ts";
import { endToEnd, withOwn, without } from "../origin/origin-headers.ts";
import { problemAnswer, type OwnAnswer } from "../errors/pages.ts";
import { problems } from "../errors/problems.ts";
import { responseFirewall, type ResponseFirewall } from "./response-firewall.ts";
import { applyResponseRules, type Ruled } from "./response-rules.ts";
import { answer, edgeHeaders, OwnAnswerDue, securityHeaders, type Serving, type Way } from "../serving.ts";
import { cut, writeHead } from "../connections/visit.ts";
import { askedOf, ownersOf } from "../request/visited.ts";

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
  head: OriginHead,
): Passage | Inspection {
  if (isBadlyFramed(head.headers)) throw new OwnAnswerDue(problems.badOriginAnswer);
  const { status } = head;
  const forwarded = endToEnd(head.headers);
  // A 204 has no length (RFC 9110 section 8.6): clients of HTTP/2 reset the stream.
  const came = status === 204 ? forwarded.filter(([name]) => name !== "content-length") : forwarded;
  countAnswer(serving, way, judged, { status, headers: came });
  const applied = applyResponseRules(way, judged.request, { status, headers: came });
  if (applied.failures.length > 0) logFailures(serving, way, applied.failures);
  const isUnjudged = applied.failures.length > 0 && serving.failMode === "closed";
  const ruled = isUnjudged
    ? { ...applied, instead: problemAnswer(problems.unjudged, askedOf(serving, way.visitor, way)) }
    : applied;
  const answering = new Answering(serving, way, judged, note, head, ruled);
  if (ruled.instead !== undefined) return answering.errorOf(ruled.instead);
  const firewall = responseFirewall(serving, way, judged, { status, headers: came, ruled: ruled.answered });
  if (firewall === undefined) return answering.passOn();
  return { bytesMax: firewall.bytesMax, decide: (start) => answering.decide(start, firewall) };
}

/** Sends the head of an origin's response, or another response in its place. */
class Answering {
  readonly #serving: Serving;
  readonly #way: Way;
  readonly #judged: JudgedVisit;
  readonly #note: Note;
  readonly #head: OriginHead;
  readonly #ruled: Ruled;
  /** Of rules for the response that could not be judged. */
  readonly #failed: readonly RuleMatch[];

  constructor(serving: Serving, way: Way, judged: JudgedVisit, note: Note, head: OriginHead, ruled: Ruled) {
    this.#serving = serving;
    this.#way = way;
    this.#judged = judged;
    this.#note = note;
    this.#head = head;
    this.#ruled = ruled;
    this.#failed = failedMatches(ruled.failures, serving.failMode);
  }

  passOn(matches: readonly RuleMatch[] = []): Passage {
    const { status, text } = this.#head;
    const { visit, ray } = this.#way;
    this.#note(status, status, [...this.#failed, ...matches]);
    if (visit.response.headersSent) return "is answered";
    const headers = withOwn(this.#ruled.headers, [...this.#own(), ...edgeHeaders(ray)]);
    headers.push(...this.#judged.cookies);
    const { headers: encoded, compressor } = compress(this.#serving, this.#way, this.#ruled.compression, {
      status,
      headers,
    });
    try {
      writeHead(visit, status, encoded, text);
    } catch (error) {
      compressor?.destroy();
      throw error;
    }
    this.#serving.answered(status);
    return compressor ?? "goes on";
  }

  /** Answers with what a rule says instead of an error of the origin. */
  errorOf(instead: OwnAnswer): Passage | Inspection {
    const own = this.#own();
    const headers = without(instead.headers, [...own, ...edgeHeaders(this.#way.ray)]);
    const error = { ...instead, headers };
    const told = this.#serving.matchedRules?.add(this.#way, this.#judged);
    if (told === undefined) return this.#answerInstead(error, own);
    return { bytesMax: 0, decide: () => told.then(() => this.#answerInstead(error, own)) };
  }

  async decide(start: Buffer, firewall: ResponseFirewall): Promise<Passage> {
    const { visitor, ray } = this.#way;
    try {
      const { own, matches } = await firewall.judge(start);
      if (own === undefined) return this.passOn(matches);
      return this.#answerInstead(own, securityHeaders(this.#way), matches);
    } catch (error) {
      this.#serving.logger.error({ err: error, ray }, "an answer could not be judged");
      const asked = askedOf(this.#serving, visitor, this.#way);
      return this.#answerInstead(problemAnswer(problems.internal, asked), []);
    }
  }

  #own(): readonly Header[] {
    return [...securityHeaders(this.#way), uncachedAnswer];
  }

  #answerInstead(own: OwnAnswer, more: readonly Header[], matches: readonly RuleMatch[] = []): Passage {
    const { visit, ray } = this.#way;
    this.#note(this.#head.status, own.status, [...this.#failed, ...matches]);
    // If the origin failed meanwhile, the visitor already has an error page.
    if (!visit.response.headersSent)
      void answer(this.#serving, visit, ray, own, [...more, ...this.#judged.cookies]).catch(() => cut(visit));
    return "is answered";
  }
}

const uncachedAnswer: Header = ["cf-cache-status", "DYNAMIC"];

/** The headers of a response as the visitor gets it, and what compresses its body; undefined for nothing. */
function compress(
  { compressors }: Serving,
  way: Way,
  rules: ActionParameters,
  answered: Pick<OriginHead, "status" | "headers">,
): { readonly headers: readonly Header[]; readonly compressor: Transform | undefined } {
  const { visitor, zone } = way;
  const { hasBrotli } = zone.settings;
  const { encoding, isVaried } = chooseEncoding(visitor, answered, { hasBrotli, rules });
  const isStreamed = valueIn(answered.headers, "content-length") === "";
  const compressor =
    encoding && visitor.method !== "HEAD" ? compressors.open(ownersOf(way), encoding, isStreamed) : undefined;
  const isEncoded = compressor !== undefined || visitor.method === "HEAD";
  const headers = encodedHeaders(answered.headers, {
    encoding: isEncoded ? encoding : undefined,
    isVaried,
  });
  return { headers, compressor };
}

/**
 * Whether the length of a response is ambiguous (RFC 9112 section 6.3), or its body in a transfer coding that
 * nobody decodes.
 */
function isBadlyFramed(headers: readonly Header[]): boolean {
  let lengths = 0;
  for (const header of headers) {
    const isCoding = header[0] === "transfer-encoding";
    if (isCoding && !/^\s*(?:chunked|identity)\s*$/i.test(header[1])) return true;
    if (isCoding || header[0] === "content-length") lengths += 1;
  }
  return lengths > 1;
}
