import catalogue from "../../../catalogues/expression-fields.json" with { type: "json" };
import { bodyPhases, responsePhases, type Availability } from "./phases.ts";
import type { ValueType } from "./value-type.ts";

export interface FieldDefinition extends Availability {
  readonly name: string;
  readonly type: ValueType;
  readonly replacedBy?: string;
}

const phasesOf = { body: bodyPhases, response: responsePhases };

interface CatalogueField extends Omit<FieldDefinition, "name" | "phases"> {
  readonly phases?: keyof typeof phasesOf;
}

/** Every documented field by name, except those of packets (Magic Firewall). */
export const fields: readonly FieldDefinition[] = Object.entries(
  catalogue.fields as Readonly<Record<string, CatalogueField>>,
).map(definitionOf);

/** Fields and functions share one namespace. */
const fieldsByName = new Map(fields.map((field) => [field.name, field]));

const slots = new Map(fields.map((field, slot) => [field, slot]));

export function findField(name: string): FieldDefinition | undefined {
  return fieldsByName.get(name);
}

export function slotOf(field: FieldDefinition): number {
  return slots.get(field) ?? fields.length;
}

function definitionOf([name, { phases, ...field }]: [string, CatalogueField]): FieldDefinition {
  return { name, ...field, ...(phases && { phases: phasesOf[phases] }) };
}
