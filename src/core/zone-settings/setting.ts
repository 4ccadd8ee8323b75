import { includesPlan, type Plan } from "../expression/phases.ts";
import { oneOf, onOrOff, type ValidValues } from "./valid-values.ts";

export interface Setting {
  readonly description: string;
  readonly values: ValidValues;
  /** Value until it is changed. */
  readonly initial: unknown;
  readonly initialOn?: Readonly<Partial<Record<Plan, unknown>>>;
  /** The lowest plan that can change it; Free by default. */
  readonly editableFrom?: Plan | "no plan";
  /** The lowest plan that allows certain values. */
  readonly valuesFrom?: Readonly<Record<string | number, Plan>>;
  /** The field of the value in changes, and in answers beside `value`; `value` by default. */
  readonly key?: "enabled";
}

type Rest = Omit<Setting, "description" | "values" | "initial">;

export function setting(
  description: string,
  values: ValidValues,
  initial: unknown,
  rest: Rest = {},
): Setting {
  return { description, values, initial, ...rest };
}

export function toggle(description: string, initial: "on" | "off", rest: Rest = {}): Setting {
  return { description, values: onOrOff, initial, ...rest };
}

export function choice<const Value extends string | number>(
  description: string,
  values: readonly Value[],
  initial: NoInfer<Value>,
  rest: Rest = {},
): Setting {
  return { description, values: oneOf(...values), initial, ...rest };
}

/** The value on a plan until the setting is changed. */
export function initialValue({ initial, initialOn = {} }: Setting, plan: Plan): unknown {
  return Object.hasOwn(initialOn, plan) ? initialOn[plan] : initial;
}

export function isEditable({ editableFrom = "free" }: Setting, plan: Plan): boolean {
  return editableFrom !== "no plan" && includesPlan(plan, editableFrom);
}

export function hasValue({ valuesFrom = {} }: Setting, plan: Plan, value: unknown): boolean {
  const least = typeof value === "string" || typeof value === "number" ? valuesFrom[value] : undefined;
  return least === undefined || includesPlan(plan, least);
}
