/** What an entry of the audit log can be about, by its `action.type`. */
export const auditActions = {
  zone_add: "A zone was made",
  zone_edit: "A property of a zone was changed: paused, type, plan, vanity name servers",
  zone_status: "An activation check or the timer found a zone in another status",
  zone_delete: "A zone was deleted with all that was in it; `metadata.dns_records` says how many records",
  rec_add: "A DNS record was made, alone or in a batch",
  rec_set: "A DNS record was replaced or edited, alone or in a batch",
  rec_del: "A DNS record was deleted, alone or in a batch",
  rec_import: "A zone file was imported; one entry, whose `metadata` says how many records it added",
  rec_scan: "The DNS was scanned for records; one entry, whose `metadata` says how many records it added",
  change_setting: "A setting of a zone was changed",
  change_plan: "A zone was subscribed to a rate plan",
  hold_create: "A zone was held",
  hold_edit: "The hold of a zone was changed",
  hold_delete: "The hold of a zone was released",
  purge: "A purge of the cache was asked for; `metadata` says of what",
  token_create: "An API token was made",
  token_update: "An API token was replaced; its secret stayed",
  token_roll: "An API token got another secret",
  token_delete: "An API token was deleted",
} as const satisfies Readonly<Record<string, string>>;

export type AuditAction = keyof typeof auditActions;
