import { classCodes, flagBits } from "../wire/codes.ts";
import { ednsRecord, optRecordOctets, type Edns } from "../wire/edns.ts";
import type { Question } from "../wire/message.ts";
import type { WireWriter } from "../wire/writer.ts";
import type { OwnedSet } from "../wire/record-data.ts";
import type { Answer } from "./sources.ts";

export interface Response {
  readonly id: number;
  /** The flags of the header without the response code, AA and TC. */
  readonly flags: number;
  /** Echoed in the client's letter case; undefined if it could not be read. */
  readonly question: Question | undefined;
  readonly answer: Answer;
  /** The OPT record without the upper bits of the response code; undefined for no OPT record. */
  readonly edns: Omit<Edns, "extendedRcode"> | undefined;
  /** The largest size of the message in octets. */
  readonly sizeMax: number;
}

/**
 * Writes a response. If the required records do not fit, it sends none and sets TC, so that the resolver asks
 * again over TCP. Optional additional records are dropped as needed (RFC 2181 section 9).
 */
export function writeResponse(
  writer: WireWriter,
  { id, flags: given, question, answer, edns, sizeMax }: Response,
): Uint8Array {
  const { answers, authorities, additionals, additionalsNeeded, rcode, isAuthoritative } = answer;
  const opt = edns && ednsRecord({ ...edns, extendedRcode: rcode >>> 4 });
  const optOctets = opt === undefined ? 0 : optRecordOctets + opt.rdata.length;
  const flags = given | (rcode & flagBits.rcode) | (isAuthoritative ? flagBits.authoritative : 0);
  writer.begin(id, flags, sizeMax - optOctets);
  if (question !== undefined) writer.question(question.name, question.type, question.class);
  const mark = writer.mark();
  const isWhole =
    answers.every((owned) => writeSet(writer, "answer", owned)) &&
    authorities.every((owned) => writeSet(writer, "authority", owned)) &&
    additionals.slice(0, additionalsNeeded).every((owned) => writeSet(writer, "additional", owned));
  if (isWhole) {
    for (const owned of additionals.slice(additionalsNeeded)) {
      const before = writer.mark();
      if (!writeSet(writer, "additional", owned)) writer.goBack(before);
    }
  } else {
    writer.goBack(mark);
    writer.setFlags(flags | flagBits.truncated);
  }
  if (opt !== undefined) {
    writer.reserve(-optOctets);
    writer.record("additional", opt);
  }
  return writer.finish();
}

function writeSet(
  writer: WireWriter,
  section: "answer" | "authority" | "additional",
  { name, set: { type, ttl, rdatas } }: OwnedSet,
): boolean {
  for (const rdata of rdatas) {
    if (!writer.record(section, { name, type, class: classCodes.IN, ttl, rdata })) return false;
  }
  return true;
}
