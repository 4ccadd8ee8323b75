import { addGroups, hasGroup, type GroupSet, type LiteralFilter } from "../operators/literal-filter.ts";
import { Forms, type Value } from "../transform/form.ts";
import type { Entry } from "../bodies/entry.ts";
import type { Target } from "../parse/targets.ts";
import type { CompiledTarget, CompiledTargets, Test } from "./rule.ts";

/** A value that a rule looks at. */
export interface Subject {
  readonly target: CompiledTarget;
  readonly name: string;
  readonly value: Value;
}

type Select = (target: CompiledTarget) => readonly Entry[];
/** Those of each of the targets. */
type SubjectLists = readonly (readonly Subject[])[];

/** What the targets of rules select in one request. Rules with the same targets look at the same subjects. */
export class Subjects {
  readonly #select: Select;
  readonly #forms = new Forms();
  /** By the index of the target. */
  #ofTarget: (readonly Subject[] | undefined)[] = [];
  /** By the index of the targets. */
  #ofTargets: (SubjectLists | undefined)[] = [];
  /** By the index of the targets, of what rules store. */
  readonly #ofStored = new Map<number, SubjectLists>();
  /** By the shared index of tests: what is found in any of the subjects. */
  #found: (GroupSet | undefined)[] = [];

  constructor(select: Select) {
    this.#select = select;
  }

  /** What was selected is no longer so. */
  forget(): void {
    if (this.#ofTarget.length === 0) return;
    this.#ofTarget = [];
    this.#ofTargets = [];
    this.#found = [];
  }

  /** What rules have stored is no longer so. */
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

  #makeAll({ included }: CompiledTargets): SubjectLists {
    return included.map((target) => this.#make(target, this.#select(target)));
  }

  /** Without those of the targets that were taken away. */
  without({ included, excluded }: CompiledTargets, removed: readonly Target[]): SubjectLists {
    return included.map((target) => {
      const entries = this.#select(target).filter(
        ({ name }) => !isExcluded(target, name, excluded) && !isRemoved(target, name, removed),
      );
      return this.#make(target, entries);
    });
  }

  /** Whether none of the subjects has a text that the operator needs. */
  lackLiterals(test: Test): boolean {
    const { sharedIndex, literals } = test;
    if (sharedIndex === undefined || literals === undefined) return false;
    const found = (this.#found[sharedIndex] ??= this.#find(test, literals.groups.filter));
    return !hasGroup(found, literals.group);
  }

  #find({ targets, transformations }: Test, filter: LiteralFilter): GroupSet {
    let last = filter.none;
    let found: GroupSet | undefined;
    for (const subjects of this.of(targets)) {
      for (const { value } of subjects) {
        const groups = value.form(transformations).groups(filter);
        if (groups === filter.none || groups === last) continue;
        last = groups;
        if (found === undefined) found = groups.slice();
        else addGroups(found, groups);
      }
    }
    return found ?? filter.none;
  }

  #collect({ included, excluded }: CompiledTargets): SubjectLists {
    const lists: (readonly Subject[])[] = [];
    for (const target of included) {
      const isWhole = !excluded.some(({ variable }) => variable === target.variable);
      const subjects = isWhole
        ? (this.#ofTarget[target.index] ??= this.#make(target, this.#select(target)))
        : this.#make(
            target,
            this.#select(target).filter(({ name }) => !isExcluded(target, name, excluded)),
          );
      if (subjects.length > 0) lists.push(subjects);
    }
    return lists;
  }

  #make(target: CompiledTarget, entries: readonly Entry[]): readonly Subject[] {
    if (target.isCount) {
      return [{ target, name: target.name ?? "", value: this.#forms.value(String(entries.length)) }];
    }
    if (entries.length === 0) return noSubjects;
    return entries.map(({ name, value }) => ({ target, name, value: this.#forms.value(value) }));
  }
}

const noSubjects: readonly Subject[] = [];

function isExcluded(
  { variable }: CompiledTarget,
  name: string,
  excluded: readonly CompiledTarget[],
): boolean {
  return excluded.some((target) => target.variable === variable && target.isSelected?.(name) !== false);
}

function isRemoved({ variable }: CompiledTarget, name: string, removed: readonly Target[]): boolean {
  return removed.some((target) => target.variable === variable && isNamed(target, name));
}

function isNamed({ selector }: Target, name: string): boolean {
  return selector === undefined || (selector.kind === "name" && selector.name === name.toLowerCase());
}
