import { auditActions } from "../../src/operation/audit-actions.ts";

/** `docs/operating/audit-log.md`: what is logged, its actions made from those that the code knows. */
export function auditLogPage(): string {
  const rows = Object.entries(auditActions).map(
    ([action, { subject, meaning }]) => `| \`${action}\` | \`${subject}\` | ${meaning} |`,
  );
  return `# Audit log

<!-- Made by \`npm run docs\`. -->

Every change through the API leaves an entry: who made it, with which token, from which address, when, and the values
before and after. The entry is stored in the same transaction as the change: if one cannot be stored, neither is, and the
answer is an error. The answer's header \`cf-auditlog-id\` is the id of the entry, or of the first one if a request made
several changes; without the header nothing was changed. Refused requests are not here but in the request log.

## Reading it

| Request | Shows | Needs |
| --- | --- | --- |
| \`GET /accounts/{account_id}/audit_logs\` | changes to the account: its members, its tokens, and its zones with everything in them, including deleted zones | *Account Settings Read* on the account |
| \`GET /user/audit_logs\` | changes to the calling user: its tokens, its profile, what it does about its memberships | *User Details Read* |

Filters: \`id\`, \`action.type\`, \`actor.email\`, \`actor.ip\` (an address or a range), \`zone.name\`, \`since\` and
\`before\` (an RFC 3339 time, or a date in UTC). \`direction\` is \`desc\` by default, or \`asc\`. Times and ids are looked up in
an index. The other filters read the entries of the time range, a thousand at a time between other requests, so add
\`since\` on a large log.

Anybody who may read an account's settings sees the changes to all of its zones, even without rights on those zones.

## What an entry never holds

Secrets, keys and their hashes; headers that a purge named; the content of an imported zone file, whose records are counted
instead.

## What has no entry

The first start and the seed, which fill an empty store; a preset \`owner_key\` or \`owner_token\`; the sign-in link
that a start shows; when a token or a session was last used and when a zone was last looked up; the deletion of old
entries.

## Changes outside of the API

Changes by a timer (\`activation=check-ns\`, issuing and renewing certificates) have the \`interface\` \`timer\`; those by
\`zoneward token\`, \`zoneward user\` and \`zoneward waf\` on the host have \`CLI\`. The actor of both is \`system\`. Changes by a
signed-in browser have the \`interface\` \`UI\`.

## Keeping it

Entries older than \`audit_log_days\` (540; 0 keeps them for ever) are deleted, at most a thousand every ten seconds. An
entry takes about as much room as the object it shows, twice as much for an edit. Nothing else deletes or changes entries,
not even the deletion of the zone, token or user that they are about.

## Actions

| \`action.type\` | \`resource.type\` | What happened |
| --- | --- | --- |
${rows.join("\n")}
`;
}
