import { isJsonObject } from "../json-object.ts";
import { isGiven } from "./json.ts";

/**
 * The name of an SRV record that may have been posted in the deprecated form, with `service`, `proto` and
 * `name` in its data instead of a top-level name (docs/contract/dns-records.md#srv). Then it is `_service._proto.name`,
 * for `qualifyName`, and `name` unchanged in every other case.
 */
export function srvRecordName(name: unknown, data: unknown): unknown {
  if ((isGiven(name) && name !== "") || !isJsonObject(data)) return name;
  const { service, proto, name: rest } = data;
  if (!isText(service) || !isText(proto) || !isText(rest)) return name;
  const owner = `${underscored(service)}.${underscored(proto)}`;
  return rest === "@" ? owner : `${owner}.${rest}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function underscored(label: string): string {
  return label.startsWith("_") ? label : `_${label}`;
}
