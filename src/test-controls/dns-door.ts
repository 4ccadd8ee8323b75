import { flagBits, rcodes, typeName } from "../core/dns/wire/codes.ts";
import { decodeMessage, encodeMessage, type Message, type Question } from "../core/dns/wire/message.ts";
import { foldName } from "../core/dns/wire/names.ts";
import { WireError } from "../core/dns/wire/octets.ts";
import type { Exchange } from "../core/test-controls/exchange.ts";
import type { Effect } from "../core/test-controls/fault.ts";
import type { FaultSet } from "../core/test-controls/fault-set.ts";
import { isTransfer, type Query, type Respond, type Response } from "../name-server/listeners.ts";
import { nothing } from "./kept-entries.ts";
import type { Recorded } from "./journal-entry.ts";
import type { RequestJournal } from "./request-journal.ts";

interface DnsDoorOptions {
  readonly faults: FaultSet;
  readonly journal: RequestJournal;
  readonly now: () => Date;
}

/** The zone of ours that encloses a folded name, with its account. */
export type FindZone = (name: string) => { readonly id: string; readonly accountId: string } | undefined;

/** A question and its outcome. */
class DnsExchange implements Exchange, Recorded {
  readonly number: number;
  readonly at: number;
  readonly path: string;
  readonly query = "";
  readonly headers: { readonly transport: string };
  readonly rawHeaders: readonly string[];
  readonly listener = "dns";
  readonly method = "QUERY";
  readonly operation = undefined;
  readonly token = undefined;
  readonly identity = undefined;
  readonly body = nothing;
  readonly answer = nothing;
  status: number | undefined;
  fault: string | undefined;
  ms = 0;
  readonly #name: string;
  readonly #zoneOf: FindZone;

  constructor({ name, type }: Question, transport: string, { number, at, zoneOf }: Origin) {
    this.number = number;
    this.at = at;
    this.#name = foldName(name);
    this.path = `/${this.#name}/${typeName(type)}`;
    this.headers = { transport };
    this.rawHeaders = ["transport", transport];
    this.#zoneOf = zoneOf;
  }

  get zone(): string | undefined {
    return this.#zoneOf(this.#name)?.id;
  }

  get zoneAccountId(): string | undefined {
    return this.#zoneOf(this.#name)?.accountId;
  }
}

interface Origin {
  readonly number: number;
  readonly at: number;
  readonly zoneOf: FindZone;
}

/** Passes questions of DNS through faults and journal. Octets that are no message pass unchanged. */
export function watchQuestions(
  respond: Respond,
  zoneOf: FindZone,
  { faults, journal, now }: DnsDoorOptions,
): Respond {
  return (query) => {
    const message = readMessage(query.bytes);
    const question = message?.questions[0];
    if (message === undefined || question === undefined) return respond(query);
    const exchange = new DnsExchange(question, query.transport, {
      number: journal.nextNumber(),
      at: now().getTime(),
      zoneOf,
    });
    const { latencyMs, fault, effect } = faults.decide(exchange);
    exchange.fault = fault?.id;
    exchange.ms = latencyMs;
    const finish = (response: Response): Response => {
      exchange.status = rcodeOf(response);
      journal.add(exchange);
      return response;
    };
    const answer = (): ReturnType<Respond> => answered(effect, message, query, respond);
    const response = latencyMs > 0 ? later(latencyMs, answer) : answer();
    return response instanceof Promise ? response.then(finish) : finish(response);
  };
}

/** The code of a response; a transfer that begins is no error. */
function rcodeOf(response: Response): number | undefined {
  if (response === undefined) return undefined;
  return isTransfer(response) ? rcodes.NOERROR : (response[3] ?? 0) & flagBits.rcode;
}

function readMessage(bytes: Uint8Array): Message | undefined {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

async function later(ms: number, answer: () => ReturnType<Respond>): Promise<Response> {
  await new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
  return answer();
}

function answered(
  effect: Effect | undefined,
  message: Message,
  query: Query,
  respond: Respond,
): ReturnType<Respond> {
  if (effect?.type === "close" || effect?.type === "lost_answer") return undefined;
  if (effect?.type === "error") return codeAlone(message, (effect.code ?? rcodes.SERVFAIL) & flagBits.rcode);
  if (effect?.type !== "bad_json") return respond(query);
  return effect.form === "truncated" ? codeAlone(message, flagBits.truncated) : halved(respond(query));
}

/** A response with nothing but its header and flags. */
function codeAlone({ id, flags, questions }: Message, further: number): Uint8Array {
  const echoed = flags & (flagBits.opcode | flagBits.recursionDesired);
  return encodeMessage({
    id,
    flags: flagBits.response | echoed | further,
    questions,
    answers: [],
    authorities: [],
    additionals: [],
  });
}

function halved(response: ReturnType<Respond>): ReturnType<Respond> {
  const half = (whole: Response): Response =>
    isTransfer(whole) ? whole : whole?.subarray(0, Math.floor(whole.length / 2));
  return response instanceof Promise ? response.then(half) : half(response);
}
