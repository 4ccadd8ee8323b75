import { lowerAscii } from "../../expression/byte-string.ts";
import { GroupUnion, type GroupSet, type LiteralFilter } from "../operators/literal-filter.ts";
import type { Chain, Step } from "./chain.ts";

/** A text of a request: a value as it was sent, or after transformations. */
export class Form {
  readonly text: string;
  /** The same text in another letter case: literal filters find the same groups in both. */
  readonly #origin: Form | undefined;
  readonly #all: Forms;
  readonly #afterChain: (Form | undefined)[] = [];
  readonly #afterStep: (Form | undefined)[] = [];
  #filter: LiteralFilter | undefined;
  #found: GroupSet | undefined;

  constructor(text: string, origin: Form | undefined, all: Forms) {
    this.text = text;
    this.#origin = origin;
    this.#all = all;
  }

  after({ index, before, step }: Chain): Form {
    if (before === undefined) return this;
    return (this.#afterChain[index] ??= this.after(before).afterStep(step));
  }

  afterStep(step: Step): Form {
    return (this.#afterStep[step.index] ??= this.#make(step));
  }

  /** The literal groups that the filter finds. */
  groups(filter: LiteralFilter): GroupSet {
    if (this.#origin !== undefined) return this.#origin.groups(filter);
    if (this.#found === undefined || this.#filter !== filter) {
      this.#filter = filter;
      this.#found = filter.scan(this.text);
    }
    return this.#found;
  }

  #make({ apply }: Step): Form {
    const text = apply(this.text);
    return text === this.text ? this : this.#all.of(text, apply === lowerAscii ? this : undefined);
  }
}

/** The texts of one request, each kept once. */
export class Forms {
  readonly #forms = new Map<string, Form>();

  of(text: string, origin?: Form): Form {
    const known = this.#forms.get(text);
    if (known !== undefined) return known;
    const form = new Form(text, origin, this);
    this.#forms.set(text, form);
    return form;
  }
}

/** Distinct texts that are inspected together: the values of a target, or their transformed forms. */
export class FormList {
  readonly forms: readonly Form[];
  readonly #afterChain: (FormList | undefined)[] = [];
  #filter: LiteralFilter | undefined;
  #found: GroupSet | undefined;

  constructor(forms: ReadonlySet<Form>) {
    this.forms = [...forms];
  }

  after(chain: Chain): FormList {
    if (chain.before === undefined) return this;
    return (this.#afterChain[chain.index] ??= this.after(chain.before).#afterStep(chain.step));
  }

  /** The literal groups that the filter finds in any of the texts. */
  groups(filter: LiteralFilter): GroupSet {
    if (this.#found === undefined || this.#filter !== filter) {
      this.#filter = filter;
      this.#found = this.#find(filter);
    }
    return this.#found;
  }

  #afterStep(step: Step): FormList {
    const { forms } = this;
    if (forms.every((form) => form.afterStep(step) === form)) return this;
    return new FormList(new Set(forms.map((form) => form.afterStep(step))));
  }

  #find(filter: LiteralFilter): GroupSet {
    const union = new GroupUnion(filter);
    for (const form of this.forms) union.add(form.groups(filter));
    return union.found;
  }
}
