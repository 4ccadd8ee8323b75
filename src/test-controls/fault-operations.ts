import { Type } from "@sinclair/typebox";

import { errorCodes } from "../core/error-codes.ts";
import { invalidIdentifier, invalidRequest } from "../core/error.ts";
import { isJsonObject } from "../core/json-object.ts";
import { presetNames, presets, type FaultRule, type PresetName } from "../core/test-controls/fault.ts";
import { faultRuleCheck } from "../core/test-controls/fault-check.ts";
import type { Fault, FaultSet } from "../core/test-controls/fault-set.ts";
import type { OperationNames } from "../core/test-controls/match.ts";
import { follows, listOf, objectOf, type Check } from "../core/validate/check.ts";
import { oneOf } from "../core/validate/rules.ts";
import { FaultSchema, NewFaults } from "./fault-schema.ts";
import { refuseUnless } from "./issues.ts";
import { checkedTestControl, testControl } from "./operation.ts";

export interface FaultContext {
  readonly faults: FaultSet;
  readonly operationNames: OperationNames;
}

const faultsMax = 10_000;
const ids = { fault_id: /^\d{1,10}$/ };
const Id = Type.Object({ id: Type.String() });
const Ids = Type.Object({ ids: Type.Array(Type.String()) });

export const listFaults = testControl({
  name: "listFaults",
  summary: "List the faults, the one that is asked first at the top",
  method: "GET",
  path: "/faults",
  result: Type.Array(FaultSchema),
  run: async ({ faults }: FaultContext) => faults.list().map(toWire),
});

export const createFaults = checkedTestControl({
  name: "createFaults",
  summary: "Add a fault, several, or those of a preset: all of them, or none where one is wrong",
  method: "POST",
  path: "/faults",
  body: NewFaults,
  readBody: (body, { operationNames }: FaultContext) => {
    refuseUnless(newFaultsCheck(body, operationNames), body);
    return body as NewFaultsBody;
  },
  result: Type.Array(FaultSchema),
  run: async ({ faults }: FaultContext, body) => {
    const rules = rulesOf(body);
    if (faults.size + rules.length > faultsMax) {
      throw invalidRequest(errorCodes.request.invalid, `There can be at most ${faultsMax} faults`);
    }
    return rules.map((rule) => toWire(faults.add(rule)));
  },
});

export const switchFault = testControl({
  name: "switchFault",
  summary: "Switch a fault off, or on again with its counts at zero",
  method: "PATCH",
  path: "/faults/{fault_id}",
  ids,
  body: Type.Object({ on: Type.Boolean() }),
  result: FaultSchema,
  run: async ({ faults }: FaultContext, { params: { fault_id: id }, body }) => {
    const fault = faults.switch(id, body.on);
    if (fault === undefined) throw invalidIdentifier("fault");
    return toWire(fault);
  },
});

export const deleteFault = testControl({
  name: "deleteFault",
  summary: "Remove a fault",
  method: "DELETE",
  path: "/faults/{fault_id}",
  ids,
  result: Id,
  run: async ({ faults }: FaultContext, { params: { fault_id: id } }) => {
    if (!faults.remove(id)) throw invalidIdentifier("fault");
    return { id };
  },
});

export const deleteFaults = testControl({
  name: "deleteFaults",
  summary: "Remove all faults",
  method: "DELETE",
  path: "/faults",
  result: Ids,
  run: async ({ faults }: FaultContext) => {
    const removed = faults.list().map(({ id }) => id);
    faults.clear();
    return { ids: removed };
  },
});

type NewFaultsBody = FaultRule | readonly FaultRule[] | { readonly preset: PresetName };

const preset = objectOf({ preset: follows(oneOf(...presetNames)) });

function newFaultsCheck(body: unknown, operations: OperationNames): Check {
  if (isPreset(body)) return preset;
  const rule = faultRuleCheck(operations);
  return Array.isArray(body) ? listOf(rule, faultsMax) : rule;
}

function isPreset(body: unknown): body is { readonly preset: PresetName } {
  return isJsonObject(body) && "preset" in body;
}

function rulesOf(body: NewFaultsBody): readonly FaultRule[] {
  if (isPreset(body)) return presets[body.preset];
  return "effect" in body ? [body] : body;
}

function toWire({ id, rule, isOn, matched, acted }: Fault): object {
  const { name = null, match = {}, effect } = rule;
  return { id, name, match, effect, on: isOn, matched, acted };
}
