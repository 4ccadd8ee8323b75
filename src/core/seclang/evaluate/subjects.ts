import { addGroups, hasGroup, type GroupSet } from "../operators/literal-filter.ts";
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

/** What the targets of rules select in one request. Rules with the same targets look at the same subjects. */
export class Subjects {
  readonly #select: Select;
  readonly #forms = new Forms();
  /** By the index of the targets. */
  #selected: (readonly Subject[] | undefined)[] = [];
  /** By the index of the targets, then of the chain and of the filter: what is found in any of the subjects. */
  #found: ((GroupSet | undefined)[] | undefined)[] = [];

  constructor(select: Select) {
    this.#select = select;
  }

  /** What was selected is no longer so. */
  forget(): void {
    if (this.#selected.length === 0) return;
    this.#selected = [];
    this.#found = [];
  }

  of(targets: CompiledTargets): readonly Subject[] {
    if (!targets.isFixed) return this.#make(targets, none);
    return (this.#selected[targets.index] ??= this.#make(targets, none));
  }

  /** Without those of the targets that were taken away. */
  without(targets: CompiledTargets, removed: readonly Target[]): readonly Subject[] {
    return this.#make(targets, removed);
  }

  /** Whether none of the subjects has a text that the operator needs. */
  lackLiterals({ targets, transformations, literals, isNegated, isMultiMatch }: Test): boolean {
    if (literals === undefined || isNegated || isMultiMatch || !targets.isFixed) return false;
    const { group, groups } = literals;
    const found = (this.#found[targets.index] ??= []);
    const at = transformations.index * 2 + groups.index;
    const known = found[at];
    if (known !== undefined) return !hasGroup(known, group);
    const made = groups.filter.emptySet();
    for (const { value } of this.of(targets))
      addGroups(made, value.form(transformations).groups(groups.filter));
    found[at] = made;
    return !hasGroup(made, group);
  }

  #make({ included, excluded }: CompiledTargets, removed: readonly Target[]): readonly Subject[] {
    const subjects: Subject[] = [];
    for (const target of included) {
      const entries = this.#remaining(target, excluded, removed);
      if (target.isCount) {
        const value = this.#forms.value(String(entries.length));
        subjects.push({ target, name: target.name ?? "", value });
        continue;
      }
      for (const { name, value } of entries) subjects.push({ target, name, value: this.#forms.value(value) });
    }
    return subjects;
  }

  #remaining(
    target: CompiledTarget,
    excluded: readonly CompiledTarget[],
    removed: readonly Target[],
  ): readonly Entry[] {
    const entries = this.#select(target);
    if (entries.length === 0 || (excluded.length === 0 && removed.length === 0)) return entries;
    const without = excluded.filter(({ variable }) => variable === target.variable);
    const taken = removed.filter(({ variable }) => variable === target.variable);
    if (without.length === 0 && taken.length === 0) return entries;
    return entries.filter(
      ({ name }) =>
        !without.some(({ isSelected }) => isSelected?.(name) !== false) &&
        !taken.some((gone) => isNamed(gone, name)),
    );
  }
}

const none: readonly Target[] = [];

function isNamed({ selector }: Target, name: string): boolean {
  return selector === undefined || (selector.kind === "name" && selector.name === name.toLowerCase());
}
