import { readFile } from "node:fs/promises";

import { isIpv4Mapped, parseIpAddress, type IpAddress } from "../core/net/ip-address.ts";

/** Thrown for a file that is no database in the MaxMind DB format, or is damaged. */
export class MaxMindDatabaseError extends Error {
  override readonly name = "MaxMindDatabaseError";
}

/** The mark before the metadata, which end the file. */
const metadataMark = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const separatorBytes = 16;
/** Types of values that are read; the others are skipped (integers of 128 bits, say). */
const types = {
  extended: 0,
  pointer: 1,
  text: 2,
  double: 3,
  octets: 4,
  uint16: 5,
  uint32: 6,
  map: 7,
} as const;
const extendedTypes = { int32: 8, uint64: 9, uint128: 10, array: 11, boolean: 14, float: 15 } as const;
/** The depth of pointers, maps and arrays within one another. */
const levelsMax = 16;
/** Values of one entry. A damaged file may lead in circles. */
const valuesMax = 4_096;

/**
 * A database of addresses in the MaxMind DB format, version 2.0 (https://maxmind.github.io/MaxMind-DB/), held
 * in memory.
 */
export class MaxMindDatabase {
  readonly #file: Buffer;
  readonly #nodeCount: number;
  readonly #recordBits: number;
  readonly #data: Buffer;
  readonly #isIpv6: boolean;

  /** Throws MaxMindDatabaseError. */
  constructor(file: Buffer) {
    const mark = file.lastIndexOf(metadataMark);
    if (mark === -1) throw new MaxMindDatabaseError("the file is no database in the MaxMind DB format");
    const read = new Reader(file.subarray(mark + metadataMark.length)).valueAt(0).value;
    const metadata = (read ?? {}) as Readonly<Record<string, unknown>>;
    this.#nodeCount = Number(metadata["node_count"]);
    this.#recordBits = Number(metadata["record_size"]);
    this.#isIpv6 = metadata["ip_version"] === 6;
    const treeBytes = (this.#nodeCount * this.#recordBits) / 4;
    if (![24, 28, 32].includes(this.#recordBits) || !(treeBytes + separatorBytes <= mark))
      throw new MaxMindDatabaseError("the database is damaged");
    this.#file = file;
    this.#data = file.subarray(treeBytes + separatorBytes, mark);
  }

  /** The entry of an address; undefined for none. Throws MaxMindDatabaseError. */
  find(text: string): unknown {
    const address = parseIpAddress(text);
    if (address === undefined) return undefined;
    let node = 0;
    for (const bit of bitsOf(address, this.#isIpv6)) {
      if (node >= this.#nodeCount) break;
      node = this.#child(node, bit);
    }
    if (node <= this.#nodeCount) return undefined;
    return new Reader(this.#data).valueAt(node - this.#nodeCount - separatorBytes).value;
  }

  #child(node: number, bit: number): number {
    const at = (node * this.#recordBits) / 4;
    if (this.#recordBits === 24) return this.#file.readUIntBE(at + bit * 3, 3);
    if (this.#recordBits === 32) return this.#file.readUInt32BE(at + bit * 4);
    const middle = this.#file.readUInt8(at + 3);
    return bit === 0
      ? ((middle >> 4) << 24) | this.#file.readUIntBE(at, 3)
      : ((middle & 15) << 24) | this.#file.readUIntBE(at + 4, 3);
  }
}

/** Reads a database. Throws MaxMindDatabaseError, and the errors of reading. */
export async function readMaxMindDatabase(path: string): Promise<MaxMindDatabase> {
  return new MaxMindDatabase(await readFile(path));
}

/** The path of an address in the tree. In a tree for IPv6, IPv4 addresses lie below `::`. */
function* bitsOf(address: IpAddress, isIpv6: boolean): Generator<0 | 1> {
  const isIpv4 = address.version === 4 || isIpv4Mapped(address);
  if (!isIpv6 && !isIpv4) return;
  const words = isIpv4 ? [0, 0, 0, address.words[3]] : address.words;
  for (const word of isIpv6 ? words : words.slice(3)) {
    for (let shift = 31; shift >= 0; shift -= 1) yield ((word >>> shift) & 1) as 0 | 1;
  }
}

interface Read {
  readonly value: unknown;
  readonly next: number;
}

/** Reads values of a data section. */
class Reader {
  readonly #data: Buffer;
  #values = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  /** Throws MaxMindDatabaseError. */
  valueAt(at: number): Read {
    try {
      return this.#read(at, 0);
    } catch (error) {
      throw new MaxMindDatabaseError("the database is damaged", { cause: error });
    }
  }

  #read(at: number, level: number): Read {
    this.#values += 1;
    if (level > levelsMax || this.#values > valuesMax) throw new RangeError("too many values");
    const control = this.#data.readUInt8(at);
    let type = control >> 5;
    let next = at + 1;
    if (type === types.pointer) return this.#follow(control, next, level);
    if (type === types.extended) {
      type = 7 + this.#data.readUInt8(next);
      next += 1;
    }
    let size = control & 31;
    if (size >= 29) {
      const bytes = size - 28;
      const least = [29, 285, 65_821][bytes - 1] ?? 0;
      size = least + this.#data.readUIntBE(next, bytes);
      next += bytes;
    }
    if (type === types.map) return this.#map(size, next, level);
    if (type === extendedTypes.array) return this.#array(size, next, level);
    // The size field of a boolean is its value.
    if (type === extendedTypes.boolean) return { value: size === 1, next };
    if (next + size > this.#data.length) throw new RangeError("a value is cut off");
    return { value: this.#scalar(type, next, size), next: next + size };
  }

  #follow(control: number, next: number, level: number): Read {
    const bytes = ((control >> 3) & 3) + 1;
    const high = bytes === 4 ? 0 : control & 7;
    const base = [0, 2_048, 526_336, 0][bytes - 1] ?? 0;
    const target = base + high * 256 ** bytes + this.#data.readUIntBE(next, bytes);
    return { value: this.#read(target, level + 1).value, next: next + bytes };
  }

  #map(size: number, at: number, level: number): Read {
    const map: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    let next = at;
    for (let entry = 0; entry < size; entry += 1) {
      const key = this.#read(next, level + 1);
      const value = this.#read(key.next, level + 1);
      map[String(key.value)] = value.value;
      next = value.next;
    }
    return { value: map, next };
  }

  #array(size: number, at: number, level: number): Read {
    const array: unknown[] = [];
    let next = at;
    for (let entry = 0; entry < size; entry += 1) {
      const read = this.#read(next, level + 1);
      array.push(read.value);
      next = read.next;
    }
    return { value: array, next };
  }

  /** Reads a scalar; undefined for types that are not needed. */
  #scalar(type: number, at: number, size: number): unknown {
    if (type === types.text) return this.#data.toString("utf8", at, at + size);
    if (type === types.uint16 || type === types.uint32)
      return size === 0 ? 0 : this.#data.readUIntBE(at, size);
    return undefined;
  }
}
