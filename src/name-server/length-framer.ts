const lengthOctets = 2;
const chunksMax = 64;

/** Cuts a stream into messages, each after its length in two octets (RFC 1035 section 4.2.2). */
export class LengthFramer {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // Many small pieces would take far more memory than their octets.
    if (this.#chunks.length >= chunksMax) this.#chunks = [Buffer.concat(this.#chunks)];
  }

  /** The next message; undefined until it is complete. */
  next(): Buffer | undefined {
    if (this.#length < lengthOctets) return undefined;
    // A message may come in as many pieces as it has octets: they are joined only once it is complete.
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
    // The first piece holds one octet; none is empty.
    return ((first?.[0] ?? 0) << 8) | (second?.[0] ?? 0);
  }
}
