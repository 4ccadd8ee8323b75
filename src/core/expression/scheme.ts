import { fields, type FieldDefinition } from "./fields.ts";
import { functions, type FunctionDefinition } from "./functions.ts";

/** Fields and functions share one namespace. */
const fieldsByName = new Map(fields.map((field) => [field.name, field]));
const functionsByName = new Map(functions.map((definition) => [definition.name, definition]));
const slots = new Map(fields.map((field, slot) => [field, slot]));

export function findField(name: string): FieldDefinition | undefined {
  return fieldsByName.get(name);
}

export function findFunction(name: string): FunctionDefinition | undefined {
  return functionsByName.get(name);
}

export function slotOf(field: FieldDefinition): number {
  return slots.get(field) ?? fields.length;
}
