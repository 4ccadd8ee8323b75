const lengthOctets = 2;
const chunksMax = 64;

/** Splits a TCP stream into messages; two octets with its length precede each message (RFC 1035 section 4.2.2). */
export class LengthFramer {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // A buffer takes far more memory than the few octets that it may hold.
    if (this.#chunks.length >= chunksMax) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  /** The next message; undefined until it is complete. */
  next(): Buffer | undefined {
    if (this.#length < lengthOctets) return undefined;
    // A client may send each octet in a segment of its own, so a message is joined once, when it is complete.
    const whole = lengthOctets + this.#nextLength();
    if (this.#length < whole) return undefined;
    const joined = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    if (joined === undefined) return undefined;
    this.#chunks = joined.length > whole ? [joined.subarray(whole)] : [];
    this.#length -= whole;
    return joined.subarray(lengthOctets, whole);
  }

  #nextLength(): number {
    const [first, second] = this.#chunks;
    if (first !== undefined && first.length >= lengthOctets) return first.readUInt16BE(0);
    // Here the first chunk holds one octet; no chunk is empty.
    return ((first?.[0] ?? 0) << 8) | (second?.[0] ?? 0);
  }
}
