import type { PlanName } from "../zones/zones.ts";
import { oneOf, onOrOff, type ValueForm } from "./value-forms.ts";

/** A setting of a zone, as the catalogue describes it. */
export interface Setting {
  readonly description: string;
  readonly form: ValueForm;
  /** Its value until it is changed. */
  readonly initial: unknown;
  /** Plans on which it begins with another value. */
  readonly initialOn?: Readonly<Partial<Record<PlanName, unknown>>>;
  /** The least plan on which it can be changed; Free unless it says so. */
  readonly editableFrom?: PlanName | "no plan";
  /** Values that only a higher plan has, each with the least one. */
  readonly valuesFrom?: Readonly<Record<string | number, PlanName>>;
  /** What holds the value in a change, and beside `value` in the answer; `value` unless it says so. */
  readonly key?: "enabled";
}

type Rest = Omit<Setting, "description" | "form" | "initial">;

/** A setting whose values have any form. */
export function setting(description: string, form: ValueForm, initial: unknown, rest: Rest = {}): Setting {
  return { description, form, initial, ...rest };
}

/** A setting that is `on` or `off`. */
export function toggle(description: string, initial: "on" | "off", rest: Rest = {}): Setting {
  return { description, form: onOrOff, initial, ...rest };
}

/** A setting with a few values. */
export function choice<const Value extends string | number>(
  description: string,
  values: readonly Value[],
  initial: NoInfer<Value>,
  rest: Rest = {},
): Setting {
  return { description, form: oneOf(...values), initial, ...rest };
}

/** What a zone of that plan has until the setting is changed. */
export function initialValue({ initial, initialOn = {} }: Setting, plan: PlanName): unknown {
  return Object.hasOwn(initialOn, plan) ? initialOn[plan] : initial;
}

/** Whether a zone of that plan may change the setting. */
export function isEditable({ editableFrom = "free" }: Setting, plan: PlanName): boolean {
  return editableFrom !== "no plan" && isAtLeast(plan, editableFrom);
}

/** Whether the plan has the value, which is one of the setting's. */
export function hasValue({ valuesFrom = {} }: Setting, plan: PlanName, value: unknown): boolean {
  const least = typeof value === "string" || typeof value === "number" ? valuesFrom[value] : undefined;
  return least === undefined || isAtLeast(plan, least);
}

const ranks: Readonly<Record<PlanName, number>> = { free: 0, pro: 1, business: 2, enterprise: 3 };

function isAtLeast(plan: PlanName, least: PlanName): boolean {
  return ranks[plan] >= ranks[least];
}
