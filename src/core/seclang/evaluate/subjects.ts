import type { Entry } from "../bodies/url-encoded.ts";
import { GroupUnion, hasGroup, type GroupSet, type LiteralFilter } from "../operators/literal-filter.ts";
import type { Target } from "../parse/targets.ts";
import type { Chain } from "../transform/chain.ts";
import { TransformedList, TransformedValues, type Transformed } from "../transform/transformed.ts";
import type { CompiledTarget, CompiledTargets, Test } from "./rule.ts";

export interface Subject {
  /** `ARGS`, or `&ARGS` for their number. */
  readonly variable: string;
  readonly name: string;
  /** The value as it was sent. */
  readonly value: Transformed;
}

/** The length of lists beyond which the values are searched for literals together. */
const fewSubjects = 8;

export class SubjectList {
  readonly subjects: readonly Subject[];
  #values: TransformedList | undefined;

  constructor(subjects: readonly Subject[]) {
    this.subjects = subjects;
  }

  /** The distinct values; undefined for a short list, whose values are inspected one by one. */
  get values(): TransformedList | undefined {
    if (this.subjects.length <= fewSubjects) return undefined;
    return (this.#values ??= new TransformedList(new Set(this.subjects.map(({ value }) => value))));
  }

  /** Adds the literal groups that the filter finds in any of the values after the chain. */
  addGroups(chain: Chain, filter: LiteralFilter, union: GroupUnion): void {
    const { subjects, values } = this;
    if (values !== undefined) union.add(values.after(chain).groups(filter));
    else for (const { value } of subjects) union.add(value.after(chain).groups(filter));
  }
}

type Select = (target: CompiledTarget) => readonly Entry[];
type SubjectLists = readonly SubjectList[];

/** A cache of the values that targets select in one request. Rules with equal targets share a list. */
export class Subjects {
  readonly #select: Select;
  readonly #transformed = new TransformedValues();
  /** The lists of whole collections, shared by targets without exclusions. */
  readonly #ofEntries = new WeakMap<readonly Entry[], SubjectList>();
  #ofTarget: (SubjectList | undefined)[] = [];
  #ofTargets: (SubjectLists | undefined)[] = [];
  /** Lists of values that rules store, by the index of the targets. */
  readonly #ofStored = new Map<number, SubjectLists>();
  /** The literal groups found in any of the values, by the shared index of tests. */
  #found: (GroupSet | undefined)[] = [];

  constructor(select: Select) {
    this.#select = select;
  }

  /** Drops the lists; called when the request or the response is set. */
  forget(): void {
    if (this.#ofTarget.length === 0) return;
    this.#ofTarget = [];
    this.#ofTargets = [];
    this.#found = [];
  }

  /** Drops the lists of stored values; called when a rule stores one. */
  forgetStored(): void {
    if (this.#ofStored.size > 0) this.#ofStored.clear();
  }

  of(targets: CompiledTargets): SubjectLists {
    if (targets.isFixed) return (this.#ofTargets[targets.index] ??= this.#collect(targets));
    if (!targets.isStored) return this.#makeAll(targets);
    const known = this.#ofStored.get(targets.index);
    if (known !== undefined) return known;
    const made = this.#makeAll(targets);
    this.#ofStored.set(targets.index, made);
    return made;
  }

  /** The lists without the entries of removed targets. */
  without({ included }: CompiledTargets, removed: readonly Target[]): SubjectLists {
    return included.map((target) =>
      this.#make(
        target,
        this.#entries(target).filter(({ name }) => !isRemoved(target, name, removed)),
      ),
    );
  }

  /** Whether no value contains any of the literals that the operator needs. */
  lackLiterals(test: Test): boolean {
    const { sharedIndex, literals } = test;
    if (sharedIndex === undefined || literals === undefined) return false;
    const found = (this.#found[sharedIndex] ??= this.#find(test, literals.groups.filter));
    return !hasGroup(found, literals.group);
  }

  #find({ targets, chains }: Test, filter: LiteralFilter): GroupSet {
    const union = new GroupUnion(filter);
    for (const list of this.of(targets)) {
      for (const chain of chains) list.addGroups(chain, filter, union);
    }
    return union.found;
  }

  #collect({ included }: CompiledTargets): SubjectLists {
    return included
      .map((target) => (this.#ofTarget[target.index] ??= this.#makeOnce(target)))
      .filter(({ subjects }) => subjects.length > 0);
  }

  #makeAll({ included }: CompiledTargets): SubjectLists {
    return included.map((target) => this.#make(target, this.#entries(target)));
  }

  #entries(target: CompiledTarget): readonly Entry[] {
    const entries = this.#select(target);
    const { isExcluded } = target;
    if (isExcluded === undefined || entries.length === 0) return entries;
    const kept = entries.filter(({ name }) => !isExcluded(name));
    return kept.length === entries.length ? entries : kept;
  }

  #makeOnce(target: CompiledTarget): SubjectList {
    const entries = this.#entries(target);
    if (target.isCount || entries.length === 0) return this.#make(target, entries);
    const made = this.#ofEntries.get(entries) ?? this.#make(target, entries);
    this.#ofEntries.set(entries, made);
    return made;
  }

  #make({ variable, name = "", isCount }: CompiledTarget, entries: readonly Entry[]): SubjectList {
    return isCount
      ? this.#list(`&${variable}`, [{ name, value: String(entries.length) }])
      : this.#list(variable, entries);
  }

  #list(variable: string, entries: readonly Entry[]): SubjectList {
    return new SubjectList(
      entries.map(({ name, value }) => ({ variable, name, value: this.#transformed.of(value) })),
    );
  }
}

function isRemoved({ variable }: CompiledTarget, name: string, removed: readonly Target[]): boolean {
  return removed.some((target) => target.variable === variable && isNamed(target, name));
}

function isNamed({ selector }: Target, name: string): boolean {
  return selector === undefined || (selector.kind === "name" && selector.name === name.toLowerCase());
}
