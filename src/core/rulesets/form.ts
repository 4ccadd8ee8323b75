import type { ExpressionUse } from "./rule-context.ts";

/** A shape described as data, from which the dashboard builds forms without knowing the fields. */
export type Form =
  | { readonly kind: "text"; readonly lengthMin: number; readonly lengthMax: number }
  | { readonly kind: "integer"; readonly min: number; readonly max: number }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly choices: readonly (string | number | boolean)[] }
  | { readonly kind: "expression"; readonly use: ExpressionUse }
  | { readonly kind: "list"; readonly item: Form }
  | { readonly kind: "record"; readonly item: Form }
  | ObjectForm;

export interface ObjectForm {
  readonly kind: "object";
  readonly fields: Readonly<Record<string, FormField>>;
  /** Fields exactly one of which must be given. */
  readonly alternatives?: readonly string[];
}

export interface FormField {
  readonly form: Form;
  readonly isRequired: boolean;
}

/** A function with the form of what it reads. */
export function described<Read extends (...parameters: never[]) => unknown>(
  read: Read,
  form: Form | undefined,
): Read & { readonly form?: Form } {
  return form === undefined ? read : Object.assign(read, { form });
}

/** The form of an object of which exactly one of these fields is given. */
export function withAlternatives(form: Form | undefined, alternatives: readonly string[]): Form | undefined {
  return form?.kind === "object" ? { ...form, alternatives } : form;
}
