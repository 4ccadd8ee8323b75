import { lowerAscii } from "../../expression/byte-string.ts";
import type { GroupSet, LiteralFilter } from "../operators/literal-filter.ts";
import type { Chain } from "./chain.ts";

/** A text of a request: a value as it was sent, or what a chain made of it. */
export class Form {
  readonly text: string;
  /** The text in other cases of letters, of which filters tell the same. */
  readonly #origin: Form | undefined;
  #filter: LiteralFilter | undefined;
  #found: GroupSet | undefined;

  constructor(text: string, origin: Form | undefined) {
    this.text = text;
    this.#origin = origin;
  }

  /** The groups of texts that the filter finds. */
  groups(filter: LiteralFilter): GroupSet {
    if (this.#origin !== undefined) return this.#origin.groups(filter);
    if (this.#found === undefined || this.#filter !== filter) {
      this.#filter = filter;
      this.#found = filter.scan(this.text);
    }
    return this.#found;
  }
}

/** A value of a request, with what chains made of it so far. */
export class Value {
  readonly sent: Form;
  readonly #forms: (Form | undefined)[] = [];
  readonly #all: Forms;

  constructor(text: string, all: Forms) {
    this.#all = all;
    this.sent = all.of(text, undefined);
  }

  form(chain: Chain): Form {
    if (chain.before === undefined) return this.sent;
    return (this.#forms[chain.index] ??= this.#make(chain, chain.before));
  }

  /** The value, and what it is after each step of the chain that changes it. */
  everyForm(chain: Chain): Form[] {
    const forms = chain.before === undefined ? [] : this.everyForm(chain.before);
    const form = this.form(chain);
    return forms.at(-1) === form ? forms : [...forms, form];
  }

  #make({ step }: Chain, before: Chain): Form {
    const origin = this.form(before);
    const text = step(origin.text);
    return text === origin.text ? origin : this.#all.of(text, step === lowerAscii ? origin : undefined);
  }
}

/** The texts of one request, each kept once. */
export class Forms {
  readonly #forms = new Map<string, Form>();
  readonly #values = new Map<string, Value>();

  of(text: string, origin: Form | undefined): Form {
    const known = this.#forms.get(text);
    if (known !== undefined) return known;
    const form = new Form(text, origin);
    this.#forms.set(text, form);
    return form;
  }

  value(text: string): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = new Value(text, this);
    this.#values.set(text, value);
    return value;
  }
}
