import { createRequire } from "node:module";

import { decodeText, encodeText, toOctets } from "./core/expression/byte-string.ts";
import { translatePattern, type Translation } from "./core/expression/regex-dialect.ts";
import { PatternError, type Regex, type RegexEngine } from "./core/expression/regex-engine.ts";

/** The package, with the memory that it does not declare. */
type Rregex = typeof import("rregex") & {
  readonly __wasm: { readonly memory: { readonly buffer: ArrayBuffer } };
};
type Compiled = InstanceType<Rregex["RRegex"]>;

/** Octets of WebAssembly memory above which an instance is replaced, unless what is in use needs more. */
const memoryMax = 64 * 1024 * 1024;
/** The allocator of the package reuses the memory of haystacks up to about this length. */
const reusedLengthMax = 1000;

/**
 * Rust's `regex` in WebAssembly: linear in the text whatever the pattern, and the dialect of the language. It is loaded
 * at the first pattern, which takes some 30 ms. `load` has to give a fresh instance each time.
 */
export function createRegexEngine(load: () => Rregex = loadInstance): RegexEngine {
  const instances = new Instances(load);
  return {
    compile(pattern) {
      const regex = new OwnedRegex(instances, pattern);
      instances.add(regex);
      return regex;
    },
  };
}

function loadInstance(): Rregex {
  const require = createRequire(import.meta.url);
  const path = require.resolve("rregex");
  const loaded = require(path) as Rregex;
  // Else the next call would get the same one, and this one could never be collected.
  delete require.cache[path];
  return loaded;
}

/**
 * Owns the memory of WebAssembly. It cannot shrink, and the allocator in it gives back little of what is freed and of
 * what long haystacks took. So an instance that has grown is dropped as a whole, and those expressions that are in use
 * are compiled again, each when it is next needed.
 */
class Instances {
  readonly #load: () => Rregex;
  readonly #inUse = new Set<OwnedRegex>();
  #current: Rregex | undefined;
  /** Over all instances, so that it is known what one pattern takes. */
  readonly #compiled = { patterns: 0, octets: 0 };

  constructor(load: () => Rregex) {
    this.#load = load;
  }

  add(regex: OwnedRegex): void {
    this.#inUse.add(regex);
  }

  remove(regex: OwnedRegex): void {
    this.#inUse.delete(regex);
  }

  /** Throws a PatternError: it tells of the pattern that was written, not of the one that is compiled. */
  compile(translated: string, pattern: string): Compiled {
    this.replaceGrown();
    this.#current ??= this.#load();
    const { RRegex, __wasm: wasm } = this.#current;
    const before = wasm.memory.buffer.byteLength;
    try {
      return new RRegex(translated);
    } catch (error) {
      throw new PatternError(mistakeIn(RRegex, pattern) ?? messageOf(error));
    } finally {
      this.#compiled.patterns += 1;
      this.#compiled.octets += wasm.memory.buffer.byteLength - before;
    }
  }

  replaceGrown(): void {
    if (this.#current === undefined) return;
    const { __wasm: wasm } = this.#current;
    const octets = wasm.memory.buffer.byteLength;
    if (octets <= memoryMax) return;
    const needed = (this.#compiled.octets / this.#compiled.patterns) * this.#inUse.size;
    if (octets <= 2 * needed) return;
    this.#current = undefined;
    for (const regex of this.#inUse) regex.forget();
  }
}

class OwnedRegex implements Regex {
  readonly #instances: Instances;
  readonly #pattern: string;
  readonly #translation: Translation;
  #compiled: Compiled | undefined;
  #isFree = false;

  constructor(instances: Instances, pattern: string) {
    this.#instances = instances;
    this.#pattern = pattern;
    this.#translation = translatePattern(pattern);
    this.#compiled = instances.compile(this.#translation.pattern, pattern);
  }

  isMatch(bytes: string): boolean {
    return this.#ready(bytes).isMatch(this.#haystack(bytes));
  }

  replaceFirst(bytes: string, replacement: string): string {
    const replaced = this.#ready(bytes).replace(this.#haystack(bytes), this.#haystack(replacement));
    return this.#translation.haystack === "text" ? encodeText(replaced) : replaced;
  }

  free(): void {
    this.#compiled?.free();
    this.forget();
    this.#isFree = true;
    this.#instances.remove(this);
  }

  /** The instance in which it was compiled is dropped. */
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
    return this.#translation.haystack === "text" ? textOf(bytes) : bytes;
  }
}

function mistakeIn(RRegex: Rregex["RRegex"], pattern: string): string | undefined {
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

/** Octets that are no UTF-8 become U+FFFD. */
function textOf(bytes: string): string {
  return decodeText(bytes) ?? lenient.decode(toOctets(bytes));
}
