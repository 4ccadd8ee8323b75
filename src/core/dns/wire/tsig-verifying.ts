import type { Message } from "./message.ts";
import { foldName } from "./names.ts";
import { toBytes, twoOctets, WireError } from "./octets.ts";
import { isSameMac, readSigned, timers, variables, type Hmac, type TsigKey } from "./tsig-signing.ts";
import { tsigAlgorithms } from "./tsig.ts";

/** The most messages in a row that may be unsigned (RFC 8945 section 5.3.1). */
const unsignedMax = 99;

/** Verifies the messages of a response of several messages (RFC 8945 section 5.3). */
export class TsigVerifier {
  readonly #key: TsigKey;
  readonly #hmac: Hmac;
  readonly #nowSeconds: () => number;
  #priorMac: string;
  #isFirst = true;
  #unsigned: Uint8Array[] = [];

  /** `requestMac` is the MAC of the request. */
  constructor(key: TsigKey, requestMac: string, nowSeconds: () => number, hmac: Hmac) {
    this.#key = key;
    this.#priorMac = requestMac;
    this.#nowSeconds = nowSeconds;
    this.#hmac = hmac;
  }

  /**
   * Throws a WireError for a message that another key signed or whose signature is wrong, and for too many
   * unsigned ones.
   */
  verify(bytes: Uint8Array, message: Message): void {
    const signed = readSigned(bytes, message);
    if (signed === undefined) {
      this.#unsigned.push(bytes);
      if (this.#isFirst || this.#unsigned.length > unsignedMax)
        throw new WireError("a message is not signed");
      return;
    }
    const { tsig, keyName } = signed;
    const { name, algorithm, secret } = this.#key;
    if (keyName !== name || foldName(tsig.algorithm) !== algorithm) {
      throw new WireError("a message is signed with another key");
    }
    if (tsig.error !== 0) throw new WireError(`the signature was refused with the error ${tsig.error}`);
    const parts = [
      toBytes(twoOctets(this.#priorMac.length) + this.#priorMac),
      ...this.#unsigned,
      signed.bytes,
      toBytes(this.#isFirst ? variables(name, tsig) : timers(tsig)),
    ];
    const mac = this.#hmac(tsigAlgorithms[algorithm].hash, secret, parts);
    if (!isSameMac(mac, toBytes(tsig.mac))) throw new WireError("a signature is wrong");
    if (Math.abs(this.#nowSeconds() - tsig.timeSigned) > tsig.fudgeSeconds) {
      throw new WireError("a message was signed at another time");
    }
    this.#priorMac = tsig.mac;
    this.#isFirst = false;
    this.#unsigned = [];
  }

  /** Throws a WireError if the last message was not signed. */
  end(): void {
    if (this.#isFirst || this.#unsigned.length > 0) throw new WireError("the last message is not signed");
  }
}
