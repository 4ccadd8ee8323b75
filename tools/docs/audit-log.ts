import { auditActions } from "../../src/resources/audit-logs/actions.ts";

/** `docs/operating/audit-log.md`: what is logged, its actions made from those that the code knows. */
export function auditLogPage(): string {
  const rows = Object.entries(auditActions).map(([action, meaning]) => `| \`${action}\` | ${meaning} |`);
  return `# Audit log

<!-- Made by \`npm run docs\`. -->

Every change that is made through the API leaves an entry: who made it, with which token, from which address, when,
and what it was before and after. The entry is stored in the transaction of the change: where the one cannot be
stored, the other is not, and the answer is an error. The header \`cf-auditlog-id\` of an answer is the id of the
entry, of the first one where a request made several changes; an answer without it changed nothing. What was
refused is not logged here but in the request log.

## Reading it

| Request | Shows | Needs |
| --- | --- | --- |
| \`GET /accounts/{account_id}/audit_logs\` | what belongs to the account: its members, its tokens, and its zones with all that is in them, also of zones that are deleted | *Account Settings Read* on the account |
| \`GET /user/audit_logs\` | what is the calling user's own: its tokens, its profile, what it does about its memberships | *User Details Read* |

Filters: \`id\`, \`action.type\`, \`actor.email\`, \`actor.ip\` (an address or a range), \`zone.name\`, \`since\` and
\`before\` (a time as in RFC 3339, or a date in UTC); \`direction\` is \`desc\` unless it is \`asc\`. A range of time and an
id are found by an index; for the other filters the entries of the range are read, a thousand at a time between other
requests: on a large log, say \`since\` too.

Who may read the settings of an account sees the changes of all its zones, whatever else they may do there.

## What an entry never holds

Secrets, keys and their hashes; headers that a purge named; the content of an imported zone file, which is counted
instead.

## Without an entry

The first start and the seed, which fill an empty store; a preset \`owner_key\` or \`owner_token\`; the sign-in link
that a start shows; when a token or a session was last used and when a zone was last looked up; the deletion of old
entries.

What the timer of \`activation=check-ns\` changes has an entry, its \`interface\` \`timer\`, and so has what
\`zoneward token\`, \`zoneward user\` and \`zoneward waf\` do on the host, its \`interface\` \`CLI\`; the actor of both is \`system\`.
What a browser that is signed in changes has the \`interface\` \`UI\`.

## Keeping it

Entries older than \`audit_log_days\` (540; 0 keeps them for ever) are deleted, at most a thousand every ten seconds. An
entry takes about as much room as what it shows, twice where something was edited. Nothing else deletes or changes
entries, the deletion of a zone, a token or a user included.

## Actions

| \`action.type\` | What happened |
| --- | --- |
${rows.join("\n")}
`;
}
