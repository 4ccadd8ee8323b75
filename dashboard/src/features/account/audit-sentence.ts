import type { AuditLog } from "../../api/audit-logs.ts";
import { counted } from "../../components/counted.ts";

type Entry = Pick<AuditLog, "action" | "resource" | "metadata" | "oldValueJson" | "newValueJson">;
type Value = Readonly<Record<string, unknown>>;

/** What the last word of an action says was done. */
const verbs: Readonly<Record<string, string>> = {
  accept: "Accepted",
  add: "Added",
  change: "Changed",
  create: "Created",
  del: "Deleted",
  delete: "Deleted",
  edit: "Changed",
  import: "Imported",
  issue: "Issued",
  leave: "Left",
  order: "Ordered",
  prioritize: "Changed the priority of",
  purge: "Purged",
  reject: "Rejected",
  remove: "Removed",
  replace: "Replaced",
  roll: "Rolled the secret of",
  scan: "Scanned for",
  send: "Sent",
  set: "Changed",
  update: "Changed",
  view: "Viewed",
};

/** What is said of actions whose words say too little. */
const sentences: Readonly<Record<string, (entry: Entry) => string>> = {
  change_setting: ({ newValueJson, resource }) => {
    const { id = resource.id, value } = asValue(newValueJson);
    return `Set ${spaced(String(id))} to ${shown(value)}`;
  },
  change_plan: () => "Changed the plan",
  invite_link_create: ({ newValueJson }) =>
    `Made a link for the invite of ${shown(asValue(newValueJson)["email"])}`,
  purge: () => "Purged the cache",
  rec_import: ({ metadata }) =>
    `Imported a zone file: ${counted(Number(metadata["recs_added"] ?? 0), "record")} added`,
  rec_scan: ({ metadata }) =>
    `Scanned the DNS: ${counted(Number(metadata["recs_added"] ?? 0), "record")} added`,
  sign_in: () => "Signed in",
  single_sign_on: () => "Signed in through single sign-on",
  sign_out: () => "Signed out",
  sign_in_link_create: () => "Made a one-time link to sign in",
  password_set: () => "Set a password through a one-time link",
  password_change: () => "Changed the password",
  totp_add: () => "Set up an authenticator app",
  totp_remove: () => "Removed the authenticator app",
  passkey_add: () => "Added a passkey",
  passkey_remove: () => "Removed a passkey",
  recovery_codes_make: () => "Made new recovery codes",
  recovery_code_use: () => "Signed in with a recovery code",
  two_factor_reset: () => "Removed the second factors, on the host",
  api_key_view: () => "Viewed the Global API Key",
  api_key_change: () => "Changed the Global API Key",
  waf_migrate: () => "Moved the zone to the new WAF managed rules",
  waf_replay: () => "Replayed recorded requests",
  zone_status: ({ newValueJson }) => `Found the zone to be ${shown(asValue(newValueJson)["status"])}`,
};

/** One change as a sentence without a full stop: "Added the A record www.example.com to 192.0.2.1". */
export function auditSentence(entry: Entry): string {
  const own = sentences[entry.action.type];
  if (own !== undefined) return own(entry);
  const words = entry.action.type.split("_");
  const verb = verbs[words.at(-1) ?? ""];
  return verb === undefined ? sentenceCase(spaced(entry.action.type)) : `${verb} ${thingOf(entry)}`;
}

function thingOf({ resource, oldValueJson, newValueJson }: Entry): string {
  const value = asValue(newValueJson ?? oldValueJson);
  if (resource.type === "dns_record") {
    const { type, name, content } = value;
    return `the ${shown(type)} record ${shown(name)}, ${shown(content)}`;
  }
  const noun = `the ${spaced(resource.type)}`;
  const name = [value["name"], value["email"], value["description"], value["hosts"], value["url"]].find(
    (one) => one !== undefined && one !== null && one !== "",
  );
  return name === undefined ? noun : `${noun} ${shown(name)}`;
}

/** A field that a change gave another value; undefined where there was or is none. */
interface FieldChange {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Fields of a value that differ, by their names; times of the change itself say nothing. */
export function changedFields(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [asValue(before), asValue(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => !["modified_on", "last_updated", "version"].includes(field))
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field: spaced(field), before: textOf(old[field]), after: textOf(now[field]) }));
}

function asValue(json: unknown): Value {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Value) : {};
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : shown(value);
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return value === undefined ? "" : JSON.stringify(value);
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
