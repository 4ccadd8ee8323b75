import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OneOf } from "../../operation/schema.ts";

/** One change, in the form of the public API's audit log, version 1. */
export const AuditLog = Type.Object({
  id: Type.String({ description: "A UUID, sent as `cf-auditlog-id` with the answer to the request." }),
  action: Type.Object({
    result: Type.Literal(true, { description: "Only successes are logged." }),
    type: Type.String({ description: "`rec_add`, `token_roll`." }),
  }),
  actor: Type.Object({
    id: Nullable(Type.String({ description: "The user, or the account that owns the token." })),
    email: Nullable(Type.String()),
    ip: Nullable(Type.String({ description: "Address of the client." })),
    type: OneOf(["user", "account", "system"]),
  }),
  interface: OneOf(["API", "UI", "CLI", "timer"]),
  metadata: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "`token_id`: the token that the change was made with. `zone_id`, `zone_name`: of what belongs to a zone. More, depending on the action.",
  }),
  newValue: Type.String({ description: "JSON text of the value after the change; empty if it was deleted." }),
  newValueJson: Type.Unknown({ description: "The same as a value; null if it was deleted." }),
  oldValue: Type.String({
    description: "JSON text of the value before the change; empty if it was created.",
  }),
  oldValueJson: Type.Unknown({ description: "The same as a value; null if it was created." }),
  owner: Type.Object({ id: Type.String({ description: "The account or user that it belongs to." }) }),
  resource: Type.Object({ id: Type.String(), type: Type.String({ description: "`zone`, `dns_record`." }) }),
  when: Type.String({ format: "date-time" }),
});
export type AuditLog = Static<typeof AuditLog>;

const time = "A time as in RFC 3339, or a date, which is its beginning in UTC.";

export const ListAuditLogsQuery = Type.Object({
  id: Type.Optional(Type.String({ description: "Only the entry with this id." })),
  "action.type": Type.Optional(Type.String()),
  "actor.email": Type.Optional(Type.String({ description: "Case does not matter." })),
  "actor.ip": Type.Optional(Type.String({ description: "An address, or a range in CIDR notation." })),
  "zone.name": Type.Optional(Type.String({ description: "Name of the zone, which may be deleted." })),
  since: Type.Optional(Type.String({ description: `Not before. ${time}` })),
  before: Type.Optional(Type.String({ description: `Earlier than. ${time}` })),
  export: Type.Optional(Type.Boolean({ description: "Accepted, but the answer is always JSON." })),
  hide_user_logs: Type.Optional(
    Type.Boolean({ description: "Accepted; a user's own entries are never in an account's log." }),
  ),
});
export type ListAuditLogsQuery = Static<typeof ListAuditLogsQuery>;
