import { labelOctetsMax, nameOctetsMax, pushEscaped } from "./names.ts";
import { sliceOctets, WireError } from "./octets.ts";

const pointerBits = 0xc0;
/** A name has at most 127 labels, so more pointers than that are an error. */
const pointersMax = 127;

/** Reads a message from beginning to end. Every method throws a WireError beyond the end. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#at = 0;
    this.#end = bytes.length;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  octet(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  twoOctets(): number {
    const at = this.#take(2);
    return ((this.#bytes[at] as number) << 8) | (this.#bytes[at + 1] as number);
  }

  fourOctets(): number {
    return this.twoOctets() * 0x1_0000 + this.twoOctets();
  }

  octets(length: number): string {
    const at = this.#take(length);
    return sliceOctets(this.#bytes, at, at + length);
  }

  rest(): string {
    return this.octets(this.#end - this.#at);
  }

  /** Lets `read` read the next `length` octets; throws a WireError unless it reads all of them. */
  within<T>(length: number, read: () => T): T {
    const outerEnd = this.#end;
    if (length > outerEnd - this.#at) throw new WireError("the message ends early");
    this.#end = this.#at + length;
    const value = read();
    if (!this.isAtEnd) throw new WireError("a record is longer than its data");
    this.#end = outerEnd;
    return value;
  }

  /**
   * A name (`names.ts`), compressed or not. Each pointer must point before the labels that it follows, so
   * loops are impossible.
   */
  name(): string {
    const codes: number[] = [];
    let at = this.#at;
    let limit = this.#end;
    let partStart = at;
    let octets = 1;
    let pointers = 0;
    for (;;) {
      if (at >= limit) throw new WireError("a name ends early");
      const length = this.#bytes[at] as number;
      if (length === 0) {
        if (pointers === 0) this.#at = at + 1;
        break;
      }
      if ((length & pointerBits) === pointerBits) {
        if (at + 1 >= limit) throw new WireError("a name ends early");
        const target = ((length & ~pointerBits) << 8) | (this.#bytes[at + 1] as number);
        if (target >= partStart) throw new WireError("a pointer does not lead back");
        if (pointers === 0) this.#at = at + 2;
        pointers += 1;
        if (pointers > pointersMax) throw new WireError("a name has too many pointers");
        limit = partStart;
        partStart = at = target;
        continue;
      }
      octets += length + 1;
      if (length > labelOctetsMax) throw new WireError("a label has an unknown kind");
      if (octets > nameOctetsMax) throw new WireError("a name has more than 255 octets");
      if (at + length >= limit) throw new WireError("a name ends early");
      if (codes.length > 0) codes.push(46);
      for (const end = at + 1 + length; (at += 1) < end;) pushEscaped(codes, this.#bytes[at] as number);
    }
    return codes.length === 0 ? "." : String.fromCharCode(...codes);
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#end - at) throw new WireError("the message ends early");
    this.#at = at + length;
    return at;
  }
}
