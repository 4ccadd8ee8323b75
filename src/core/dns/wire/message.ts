import { readRdata } from "./rdata-layouts.ts";
import { WireReader } from "./reader.ts";
import { WireWriter, type Section, type WrittenRecord } from "./writer.ts";
import { WireError } from "./octets.ts";
import { flagBits } from "./codes.ts";

export interface Question {
  /** In the form of `names.ts` and the letter case of the message. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
}

/**
 * A record of a message. Names in its data are uncompressed; data of an unknown type is left as it is (RFC
 * 3597).
 */
export type ResourceRecord = WrittenRecord;

/** A message (RFC 1035 section 4). `flags` is the second word of its header (`flagBits`). */
export interface Message {
  readonly id: number;
  readonly flags: number;
  readonly questions: readonly Question[];
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
  readonly additionals: readonly ResourceRecord[];
}

/** Octets of a header; fewer octets are no message. */
export const headerOctets = 12;

/** The id and flags of at least `headerOctets`. */
export function readHeader(bytes: Uint8Array): Pick<Message, "id" | "flags"> {
  const wordAt = (at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return { id: wordAt(0), flags: wordAt(2) };
}

/** Reads a message. Throws a WireError for malformed octets, and for any after its end. */
export function decodeMessage(bytes: Uint8Array): Message {
  const reader = new WireReader(bytes);
  const id = reader.twoOctets();
  const flags = reader.twoOctets();
  const questions = reader.twoOctets();
  const answers = reader.twoOctets();
  const authorities = reader.twoOctets();
  const additionals = reader.twoOctets();
  const message = {
    id,
    flags,
    questions: many(questions, readQuestion, reader),
    answers: many(answers, readRecord, reader),
    authorities: many(authorities, readRecord, reader),
    additionals: many(additionals, readRecord, reader),
  };
  if (!reader.isAtEnd) throw new WireError("there are octets behind the message");
  return message;
}

/** Reading stops with an error at the end of the message, so a count that is too large costs nothing. */
function many<T>(count: number, read: (reader: WireReader) => T, reader: WireReader): T[] {
  const items: T[] = [];
  while (items.length < count) items.push(read(reader));
  return items;
}

function readQuestion(reader: WireReader): Question {
  return { name: reader.name(), type: reader.twoOctets(), class: reader.twoOctets() };
}

function readRecord(reader: WireReader): ResourceRecord {
  const name = reader.name();
  const type = reader.twoOctets();
  const classCode = reader.twoOctets();
  const ttl = reader.fourOctets();
  const length = reader.twoOctets();
  return { name, type, class: classCode, ttl, rdata: readRdata(reader, type, length) };
}

const ownWriter = new WireWriter();

/**
 * Writes a message; one above `sizeMax` is cut after a record and has TC set. Throws a WireError for names
 * and data that no message can hold.
 */
export function encodeMessage(message: Message, sizeMax: number = 65_535, writer = ownWriter): Uint8Array {
  writer.begin(message.id, message.flags, sizeMax);
  const isWhole =
    message.questions.every(({ name, type, class: classCode }) => writer.question(name, type, classCode)) &&
    everyRecord(writer, "answer", message.answers) &&
    everyRecord(writer, "authority", message.authorities) &&
    everyRecord(writer, "additional", message.additionals);
  if (!isWhole) writer.setFlags(message.flags | flagBits.truncated);
  return writer.finish();
}

function everyRecord(
  writer: WireWriter,
  section: Exclude<Section, "question">,
  records: readonly ResourceRecord[],
): boolean {
  return records.every((record) => writer.record(section, record));
}
