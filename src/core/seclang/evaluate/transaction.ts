import { lowerAscii } from "../../expression/byte-string.ts";
import type { Entry } from "../bodies/url-encoded.ts";
import { type Target, isFixed, type Variable } from "../parse/targets.ts";
import { toNumber } from "../operators/compile-operator.ts";
import type { Operator, ReadVariable } from "../operators/operator.ts";
import {
  type Control,
  type Rules,
  type CompiledTarget,
  type CompiledTargets,
  type Rule,
  type Test,
  type SetVariable,
  isStoredCollection,
  type StoredCollection,
} from "./rule.ts";
import { Subjects, type Subject, type SubjectList } from "./subjects.ts";

const none: readonly Entry[] = [];
const noMatch: Entry = { name: "", value: "" };
const noTargets: readonly Target[] = [];
const capturesMax = 10;

/** Variables about the last match of the current rule. */
const matchedValues: Readonly<Partial<Record<Variable, (matched: readonly Entry[]) => readonly Entry[]>>> = {
  MATCHED_VAR: (matched) => matched.slice(-1).map(({ value }) => ({ name: "", value })),
  MATCHED_VAR_NAME: (matched) => matched.slice(-1).map(({ name }) => ({ name: "", value: name })),
  MATCHED_VARS: (matched) => [...matched],
  MATCHED_VARS_NAMES: (matched) => matched.map(({ name }) => ({ name, value: name })),
};

/** The state of one request while rules are evaluated. */
export class Transaction {
  readonly read: ReadVariable;
  /** The processor of the body: `URLENCODED`, `MULTIPART`, `JSON`, `XML`, or empty for none. */
  bodyProcessor = "";
  isBodyForced = false;
  isOff = false;
  readonly #subjects = new Subjects((target) => this.#select(target));
  #score = 0;
  readonly #values = new Map<Variable, readonly Entry[]>();
  readonly #named = new WeakMap<readonly Entry[], ReadonlyMap<string, readonly Entry[]>>();
  readonly #stored = new Map<StoredCollection, Map<string, string>>();
  readonly #removedRules: Rules[] = [];
  readonly #removedTargets: { readonly rules: Rules; readonly target: Target }[] = [];
  #matched: Entry[] = [];
  /** The last capture, until a rule reads it. */
  #captured: { readonly operator: Operator; readonly value: string } | undefined;

  constructor() {
    this.read = (variable, name) => {
      if (isStoredCollection(variable) && name !== undefined) return this.#storedValue(variable, name);
      const values = this.values(variable);
      return (name === undefined ? values[0] : values.find((entry) => lowerAscii(entry.name) === name))
        ?.value;
    };
  }

  set(variable: Variable, values: readonly Entry[] | string): void {
    this.#subjects.forget();
    this.#values.set(variable, typeof values === "string" ? [{ name: "", value: values }] : values);
  }

  values(variable: Variable): readonly Entry[] {
    const values = this.#values.get(variable);
    if (values !== undefined) return values;
    if (isStoredCollection(variable)) {
      this.#fillCaptures();
      return Array.from(this.#stored.get(variable) ?? [], ([name, value]) => ({ name, value }));
    }
    return matchedValues[variable]?.(this.#matched) ?? none;
  }

  subjects(targets: CompiledTargets, removed: readonly Target[]): readonly SubjectList[] {
    return removed.length === 0 ? this.#subjects.of(targets) : this.#subjects.without(targets, removed);
  }

  /** Whether the test is known to match none of the values, without running its operator. */
  cannotMatch(test: Test): boolean {
    return this.#subjects.lackLiterals(test);
  }

  /** The entries of a target. A single name is looked up without reading all entries. */
  #select({ variable, name, isSelected }: CompiledTarget): readonly Entry[] {
    if (isStoredCollection(variable) && name !== undefined) {
      const value = this.#storedValue(variable, name);
      return value === undefined ? none : [{ name, value }];
    }
    const values = this.values(variable);
    if (isSelected === undefined || values.length === 0) return values;
    return name !== undefined && isFixed(variable)
      ? (this.#namedEntries(values).get(name) ?? none)
      : values.filter((entry) => isSelected(entry.name));
  }

  /** The entries by lower-case name, as dozens of rules look for one name each. */
  #namedEntries(values: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
    const known = this.#named.get(values);
    if (known !== undefined) return known;
    const made = Map.groupBy(values, ({ name }) => lowerAscii(name));
    this.#named.set(values, made);
    return made;
  }

  /** The sum of the scores of all paranoia levels. */
  get score(): number {
    return this.#score;
  }

  /** The last entry that the current rule matched, by its full name. */
  get lastMatch(): Entry {
    return this.#matched.at(-1) ?? noMatch;
  }

  startRule(): void {
    if (this.#matched.length > 0) this.#matched = [];
  }

  noteMatch({ variable, name }: Subject, value: string): void {
    this.#matched.push({ name: `${variable}${name === "" ? "" : `:${name}`}`, value });
  }

  /**
   * Sets `TX:0` to `TX:9` to the operator's captures. They are computed only when a rule reads them, as few
   * do.
   */
  capture(operator: Operator, value: string): void {
    this.#captured = { operator, value };
    this.#subjects.forgetStored();
  }

  #fillCaptures(): void {
    if (this.#captured === undefined) return;
    const { operator, value } = this.#captured;
    this.#captured = undefined;
    const found = operator.find(value, this.read);
    const tx = this.#collection("TX");
    for (let index = 0; index < capturesMax; index += 1) {
      const group = found[index];
      if (group === undefined) tx.delete(String(index));
      else tx.set(String(index), group);
    }
  }

  setVariable({ collection, name, isScore, change, value }: SetVariable): void {
    this.#subjects.forgetStored();
    const stored = this.#collection(collection);
    const key = lowerAscii(name(this.read));
    if (isCaptureName(key)) this.#fillCaptures();
    if (change === "remove") {
      stored.delete(key);
      return;
    }
    const text = value(this.read);
    if (change === "set") {
      stored.set(key, text);
      return;
    }
    const step = change === "add" ? toNumber(text) : -toNumber(text);
    stored.set(key, String(toNumber(stored.get(key) ?? "0") + step));
    if (isScore) this.#score += step;
  }

  control(control: Control): void {
    switch (control.kind) {
      case "remove-rules":
        this.#removedRules.push(control.rules);
        break;
      case "remove-target":
        this.#removedTargets.push(control);
        break;
      case "body-processor":
        this.bodyProcessor = control.processor;
        this.set("REQBODY_PROCESSOR", control.processor);
        break;
      case "force-body":
        this.isBodyForced = control.isForced;
        break;
      case "engine":
        this.isOff = control.isOff;
        break;
      default:
        control satisfies never;
    }
  }

  isRemoved(rule: Rule): boolean {
    return this.#removedRules.some((rules) => isMeant(rule, rules));
  }

  removedTargets(rule: Rule): readonly Target[] {
    if (this.#removedTargets.length === 0) return noTargets;
    return this.#removedTargets.filter(({ rules }) => isMeant(rule, rules)).map(({ target }) => target);
  }

  #storedValue(collection: StoredCollection, name: string): string | undefined {
    if (isCaptureName(name)) this.#fillCaptures();
    return this.#stored.get(collection)?.get(name);
  }

  #collection(name: StoredCollection): Map<string, string> {
    const known = this.#stored.get(name);
    if (known !== undefined) return known;
    const made = new Map<string, string>();
    this.#stored.set(name, made);
    return made;
  }
}

function isCaptureName(name: string): boolean {
  return name.length === 1 && name >= "0" && name <= "9";
}

function isMeant({ id, tags }: Rule, rules: Rules): boolean {
  return rules.kind === "ids"
    ? id >= rules.first && id <= rules.last
    : tags.some((tag) => tag.includes(rules.tag));
}
