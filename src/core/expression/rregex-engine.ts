import { decodeText, encodeText, toOctets } from "./byte-string.ts";
import { fromCharacters, toCharacters, translatePattern, type Translation } from "./regex-dialect.ts";
import { PatternError, type Regex, type RegexEngine } from "./engines.ts";

export interface Rregex {
  readonly RRegex: new (pattern: string) => Compiled;
  readonly __wasm: { readonly memory: { readonly buffer: { readonly byteLength: number } } };
}

interface Compiled {
  readonly isMatch: (text: string) => boolean;
  readonly replace: (text: string, replacement: string) => string;
  readonly free: () => void;
}

/** Octets of growth after which an instance is replaced, unless the patterns in use need more. */
const growthMax = 64 * 1024 * 1024;
/** Octets that a compiled pattern takes, without and with each of its parts, as measured. */
const octetsOfPattern = 256 * 1024;
const octetsOfPart = 1_024;
/** The package's allocator reuses the memory of haystacks up to about this length. */
const reusedLengthMax = 1000;

/**
 * Rust's `regex` in WebAssembly: linear time for every pattern. `load` is called with the first pattern; if
 * it returns a new instance each time, memory stays bounded.
 */
export function createRregexEngine(load: () => Rregex): RegexEngine {
  const instances = new Instances(load);
  return {
    compile(pattern) {
      const regex = new OwnedRegex(instances, pattern);
      instances.add(regex);
      return regex;
    },
  };
}

/**
 * Owns the WebAssembly memory, which cannot shrink and whose allocator reuses little of it. An instance that
 * has grown is dropped as a whole; expressions in use are recompiled when next needed.
 */
class Instances {
  readonly #load: () => Rregex;
  readonly #inUse = new Set<OwnedRegex>();
  #current: Rregex | undefined;
  #octetsAtLoad = 0;
  /** The last long haystack, which the patterns of many rules search in turn. */
  #haystack:
    | { readonly bytes: string; readonly kind: Translation["haystack"]; readonly text: string }
    | undefined;
  #octetsInUse = 0;

  constructor(load: () => Rregex) {
    this.#load = load;
  }

  add(regex: OwnedRegex): void {
    this.#inUse.add(regex);
    this.#octetsInUse += regex.octets;
  }

  remove(regex: OwnedRegex): void {
    if (this.#inUse.delete(regex)) this.#octetsInUse -= regex.octets;
  }

  /** Throws PatternError about the pattern before translation. */
  compile(translated: string, pattern: string): Compiled {
    this.replaceGrown();
    const current = this.#current ?? this.#load();
    if (this.#current === undefined) this.#octetsAtLoad = octetsOf(current);
    this.#current = current;
    const { RRegex } = current;
    try {
      return new RRegex(translated);
    } catch (error) {
      throw new PatternError(issueIn(RRegex, pattern) ?? messageOf(error));
    }
  }

  /** The text that a pattern searches: octets as characters, or their text. */
  haystackOf(bytes: string, kind: Translation["haystack"]): string {
    const make = kind === "text" ? textOf : toCharacters;
    if (bytes.length <= reusedLengthMax) return make(bytes);
    if (this.#haystack?.kind !== kind || this.#haystack.bytes !== bytes)
      this.#haystack = { bytes, kind, text: make(bytes) };
    return this.#haystack.text;
  }

  replaceGrown(): void {
    if (this.#current === undefined) return;
    const grown = octetsOf(this.#current) - this.#octetsAtLoad;
    if (grown <= growthMax) return;
    if (grown <= 2 * this.#octetsInUse) return;
    this.#current = undefined;
    for (const regex of this.#inUse) regex.forget();
  }
}

function octetsOf({ __wasm: wasm }: Rregex): number {
  return wasm.memory.buffer.byteLength;
}

class OwnedRegex implements Regex {
  readonly #instances: Instances;
  readonly #pattern: string;
  readonly #translation: Translation;
  readonly octets: number;
  #compiled: Compiled | undefined;
  #isFree = false;

  constructor(instances: Instances, pattern: string) {
    this.#instances = instances;
    this.#pattern = pattern;
    this.#translation = translatePattern(pattern);
    this.octets = octetsOfPattern + octetsOfPart * this.#translation.parts;
    this.#compiled = instances.compile(this.#translation.pattern, pattern);
  }

  isMatch(bytes: string): boolean {
    return this.#ready(bytes).isMatch(this.#haystack(bytes));
  }

  replaceFirst(bytes: string, replacement: string): string {
    const replaced = this.#ready(bytes).replace(this.#haystack(bytes), this.#haystack(replacement));
    return this.#translation.haystack === "text" ? encodeText(replaced) : fromCharacters(replaced);
  }

  free(): void {
    this.#compiled?.free();
    this.forget();
    this.#isFree = true;
    this.#instances.remove(this);
  }

  /** Called when its instance is dropped. */
  forget(): void {
    this.#compiled = undefined;
  }

  #ready(bytes: string): Compiled {
    if (this.#isFree) throw new Error("this regular expression was freed");
    if (bytes.length > reusedLengthMax) this.#instances.replaceGrown();
    this.#compiled ??= this.#instances.compile(this.#translation.pattern, this.#pattern);
    return this.#compiled;
  }

  #haystack(bytes: string): string {
    return this.#instances.haystackOf(bytes, this.#translation.haystack);
  }
}

function issueIn(RRegex: Rregex["RRegex"], pattern: string): string | undefined {
  try {
    new RRegex(pattern).free();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf(bytes: string): string {
  return decodeText(bytes) ?? lenient.decode(toOctets(bytes));
}
