/** A block of Terraform's language: its keyword, its labels and its arguments. */
export interface HclBlock {
  readonly keyword: string;
  readonly labels: readonly string[];
  readonly arguments: Readonly<Record<string, HclValue>>;
  readonly blocks: readonly HclBlock[];
}

/** A value whose references are resolved when it is asked for. */
export type HclValue = (resolve: (reference: string) => unknown) => unknown;

const tokens =
  /\s+|#[^\n]*|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*|[{}[\](),=]/gy;

/** Reads the part of the language that the documents use: no operators, loops or heredocs. */
export function parseHcl(text: string): HclBlock[] {
  return new Parser(text).blocksToEnd();
}

class Parser {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    tokens.lastIndex = 0;
    while (tokens.lastIndex < text.length) {
      const start = tokens.lastIndex;
      const [token] = tokens.exec(text) ?? [];
      if (token === undefined) throw new SyntaxError(`not understood: ${text.slice(start, start + 40)}`);
      if (!/^(?:\s|#)/.test(token)) this.#tokens.push(token);
    }
  }

  blocksToEnd(): HclBlock[] {
    const blocks: HclBlock[] = [];
    while (this.#at < this.#tokens.length) blocks.push(this.#block(this.#next()));
    return blocks;
  }

  #block(keyword: string): HclBlock {
    const labels: string[] = [];
    while (this.#peek().startsWith('"')) labels.push(JSON.parse(this.#next()) as string);
    this.#expect("{");
    const values: Record<string, HclValue> = {};
    const blocks: HclBlock[] = [];
    while (!this.#takes("}")) {
      const name = this.#next();
      if (this.#takes("=")) values[name] = this.#value();
      else blocks.push(this.#block(name));
    }
    return { keyword, labels, arguments: values, blocks };
  }

  #value(): HclValue {
    const token = this.#next();
    if (token === "{") return this.#object();
    if (token === "[") return this.#list();
    if (token.startsWith('"')) return textOf(JSON.parse(token) as string);
    if (/^-?\d/.test(token)) return () => Number(token);
    if (["true", "false", "null"].includes(token)) return () => JSON.parse(token) as unknown;
    if (!this.#takes("(")) return (resolve) => resolve(token);
    if (token !== "jsonencode") throw new SyntaxError(`no function is known as ${token}`);
    const value = this.#value();
    this.#expect(")");
    return (resolve) => JSON.stringify(value(resolve));
  }

  #list(): HclValue {
    const items: HclValue[] = [];
    while (!this.#takes("]")) {
      items.push(this.#value());
      this.#takes(",");
    }
    return (resolve) => items.map((item) => item(resolve));
  }

  #object(): HclValue {
    const entries: [HclValue, HclValue][] = [];
    while (!this.#takes("}")) {
      const key = this.#next();
      this.#expect("=");
      entries.push([key.startsWith('"') ? textOf(JSON.parse(key) as string) : () => key, this.#value()]);
      this.#takes(",");
    }
    return (resolve) => Object.fromEntries(entries.map(([key, value]) => [key(resolve), value(resolve)]));
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #next(): string {
    const token = this.#peek();
    if (token === "") throw new SyntaxError("the text ends too early");
    this.#at += 1;
    return token;
  }

  #takes(token: string): boolean {
    const isThere = this.#peek() === token;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw new SyntaxError(`${token} expected before ${this.#peek()}`);
  }
}

const textOf =
  (text: string): HclValue =>
  (resolve) =>
    text.replaceAll(/\$\{([\w.-]+)\}/g, (_, reference: string) => String(resolve(reference)));
