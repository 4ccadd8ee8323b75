import { appendFile } from "node:fs/promises";
import { decodeText } from "../../core/expression/byte-string.ts";
import { matchedRulesOf, type Met } from "../../core/judging/rule-matches.ts";
import { valuesOf } from "../../core/transforms/request-headers.ts";
import type { Exchange } from "../request/exchange.ts";

interface MatchedRulesLogOptions {
  readonly file: string;
  /** The request header by which a test marks its requests. */
  readonly header: string;
  readonly onFailure: (error: unknown) => void;
}

const markerCharactersMax = 256;

/** Appends a line for each request that rules judged, for tests that compare what matched with what they expect. */
export class MatchedRulesLog {
  readonly #options: MatchedRulesLogOptions;
  /** Requests that have a line. */
  readonly #added = new WeakSet<Exchange>();
  #lines: string[] = [];
  #last: Promise<void> = Promise.resolve();
  /** Writes the waiting lines when the previous write has ended. */
  #next: Promise<void> | undefined;

  constructor({ header, ...options }: MatchedRulesLogOptions) {
    this.#options = { ...options, header: header.toLowerCase() };
  }

  /** Throws where the file cannot be written. */
  async open(): Promise<void> {
    await this.#append("");
  }

  /** Resolves once the line is in the file, or could not be written. Does nothing for a request that has one. */
  add(exchange: Exchange, met: Met): Promise<void> {
    if (this.#added.has(exchange)) return this.#last;
    this.#added.add(exchange);
    const { visitor, zone, ray } = exchange;
    const [octets = ""] = valuesOf(visitor.headers, this.#options.header);
    const marker = decodeText(octets) ?? octets;
    const { ids, coreNumbers } = matchedRulesOf(met);
    const line = {
      marker: marker.slice(0, markerCharactersMax),
      ray_id: ray,
      zone: zone.name,
      host: visitor.host,
      rules: ids,
      core_rules: coreNumbers.map((id) => ({ id })),
    };
    this.#lines.push(`${JSON.stringify(line)}\n`);
    this.#next ??= this.#last = this.#last.then(() => this.#write());
    return this.#next;
  }

  async #write(): Promise<void> {
    const text = this.#lines.join("");
    this.#lines = [];
    this.#next = undefined;
    try {
      await this.#append(text);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  #append(text: string): Promise<void> {
    return appendFile(this.#options.file, text, { mode: 0o600 });
  }
}
