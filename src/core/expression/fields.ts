import catalogue from "../../../catalogues/expression-fields.json" with { type: "json" };
import { bodyPhases, responsePhases, type Availability } from "./phases.ts";
import type { ValueType } from "./value-type.ts";

export interface FieldDefinition extends Availability {
  readonly name: string;
  readonly type: ValueType;
  readonly replacedBy?: string;
}

/** A field in the catalogue, which names the phases together. */
interface CatalogueField extends Pick<FieldDefinition, "type" | "plan" | "replacedBy"> {
  readonly phases?: keyof typeof phasesOf;
}

const phasesOf = { body: bodyPhases, response: responsePhases };

/** Every documented field by name, except those of packets (Magic Firewall). */
export const fields: readonly FieldDefinition[] = Object.entries(
  catalogue.fields as Readonly<Record<string, CatalogueField>>,
).map(([name, { phases, ...field }]) => ({ name, ...field, ...(phases && { phases: phasesOf[phases] }) }));

/** Fields and functions share one namespace. */
const fieldsByName = new Map(fields.map((field) => [field.name, field]));

const slots = new Map(fields.map((field, slot) => [field, slot]));

export function findField(name: string): FieldDefinition | undefined {
  return fieldsByName.get(name);
}

export function slotOf(field: FieldDefinition): number {
  return slots.get(field) ?? fields.length;
}
