import { styleText } from "node:util";

import type { Setting } from "../setting-forms.ts";
import { flagOf, settingNames, settings, variableOf } from "../settings.ts";
import { version } from "../version.ts";

/** What `zoneward --help` says. */
export function generalHelp(): string {
  return `Zoneward ${version()}: the v4 zone-management API as software that anyone can run.

Usage: zoneward COMMAND [FLAGS]

Commands:
  serve       Serve the API. \`zoneward serve --help\` lists its settings.
  token       Create, list and revoke API tokens on this host. \`zoneward token --help\` tells how.
  user        Make another user, or a link to sign in with. \`zoneward user --help\` tells how.
  expression  Check or explain a filter expression, without a server.
  waf         Plan the migration of a zone to the new WAF, migrate many, or replay requests.
  database    Copy a store to another engine, back it up, restore it, check it.
  secrets     Give the store another key for its private keys: \`zoneward secrets rotate\`.
  gateway     Compare an Ethereum node with what the gateway offers: \`zoneward gateway check URL\`.

Flags:
  --help      Show this help; after a command, the help of the command.
  --version   Show the version.
`;
}

/** The help of `zoneward serve`, made from the settings themselves. */
export function serveHelp(): string {
  const rows = settingNames.map((name) => settingHelp(name, settings[name]));
  return `Usage: zoneward serve [FLAGS]

Serves the API until it gets SIGINT or SIGTERM, and then finishes the requests in flight.

Each setting has one name in three places: a flag, an environment variable, and a key (the flag's name
with underscores) in the file that --config names. A flag beats the environment, which beats the file.

${rows.join("\n")}
  --config FILE                       ZONEWARD_CONFIG
      A file of settings, YAML or JSON.
  --print-config
      Print the effective settings, secrets masked, and end.
  --help
      Show this help.
`;
}

/** The help of `zoneward secrets`. */
export function secretsHelp(): string {
  return `Usage: zoneward secrets rotate [--new-key-file FILE] [SETTINGS]

Encrypts every private key in the store anew, with a new secret key. Servers may run meanwhile; those that read the same
key file go on by themselves. Run it again when it was cut short: it goes on.

The new key comes first in the file of the key (secret_key_file, or secret.key in the data directory), the old one stays
readable behind it, and goes to FILE.retired when nothing needs it any more but backups. Where \`secret_key\` gives the
keys, or other machines have files of their own, put the new key before the old one there first.

${bold("  --new-key-file FILE")}
      32 random bytes in base64. ZONEWARD_NEW_SECRET_KEY does the same. Default: the key is made up.
${bold("  --help")}
      Show this help.

The settings are those of \`zoneward serve\` that say where the store and its key are: --data, --database, --secret-key-file,
--config and their variables.
`;
}

/** The help of `zoneward database`. */
export function databaseHelp(): string {
  return `Usage: zoneward database copy --from STORE --to STORE
       zoneward database backup FILE [SETTINGS]
       zoneward database restore FILE [--replace] [SETTINGS]
       zoneward database check [SETTINGS]

copy brings a store to the other engine, or to another place. The target has to be empty. A copy that was cut short goes
on when it is run again, and no server starts on it before. In the end the rows of both are compared by number and
checksum. What a server that still runs on the source changes after the beginning is not in the copy.

backup writes one state of a SQLite store into a file, also while a server runs on it. restore puts such a file in the
place of the store, which no server may run on. PostgreSQL brings pg_dump and pg_restore along.

check looks for what is damaged and changes nothing, also while a server runs on the store. It ends with 1 when it found
something.

${bold("  --from STORE, --to STORE")}
      sqlite:FILE, where the file is the store itself, or postgres://user:password@host:port/name.
${bold("  --replace")}
      Restore although there is a store, which is kept beside it.
${bold("  --help")}
      Show this help.

The store of backup, restore and check is that of the settings of \`zoneward serve\`: --data, --database, --config and
their variables.
`;
}

/** The help of `zoneward gateway`. */
export function gatewayHelp(): string {
  return `Usage: zoneward gateway check URL [--chain-id N] [--header 'NAME: VALUE']

Asks an Ethereum node for every method that the JSON-RPC gateway offers and for its widest ranges, and tells what
it lacks. Nothing on the chain is changed by it. Ends with 1 where the node cannot be an upstream.

  --chain-id N
      The chain that it has to serve.
  --header 'NAME: VALUE'
      Sent with every request; may be given more than once.
`;
}

/** The help of `zoneward token`. */
export function tokenHelp(): string {
  return `Usage: zoneward token create [--template NAME | --policies JSON] [FLAGS] [SETTINGS]
       zoneward token list [FLAGS] [SETTINGS]
       zoneward token revoke ID|NAME [FLAGS] [SETTINGS]

API tokens of the owner, made and revoked on the host of the store, also while a server runs on it. A change
takes effect there within a second, and is in the audit log.

Whose tokens:
  --user EMAIL
      Those of another user.
  --account ID|NAME
      Those that an account owns.

Of create:
  --template create-tokens|edit-dns|read-all|all
      What the token may do: make other tokens and nothing else, edit the DNS records of all zones, read
      everything, do everything; all of it within what its owner may. Default: create-tokens.
  --policies JSON
      Instead of a template: the \`policies\` of POST /user/tokens, or a file that holds them.
  --name TEXT
      Default: the template.
  --not-before TIME, --expires-on TIME
      YYYY-MM-DDThh:mm:ssZ.
  --allow-from CIDR,...
      From where alone the token may be used.

The secret goes to standard output and nothing else does, so it can be taken from there. It is shown this once.

  TOKEN=$(zoneward token create --template edit-dns --name ci --expires-on 2030-01-01T00:00:00Z)

The store is that of the settings \`data\` or \`database\`, which flags, the environment and the file of --config
give as to \`zoneward serve\`.
`;
}

/** The help of \`zoneward user\`. */
export function userHelp(): string {
  return `Usage: zoneward user create --email EMAIL [--account ID|NAME [--role ID|NAME]] [SETTINGS]
       zoneward user sign-in-link --email EMAIL [SETTINGS]

create makes another user, and shows its Global API Key and a sign-in link once. sign-in-link makes another link, also
for who has forgotten its password: in a browser it sets a password, once and within 24 hours. A server may run on the
same store meanwhile. The settings are those of \`zoneward serve\` that say where the store is (--data, --database,
--config and their variables) and where browsers reach the server (--public-url, or --host and --port).

  --email EMAIL
      With which the user signs in, and finds the invites that were sent to it.
  --account ID|NAME
      Make the user a member of this account at once.
  --role ID|NAME
      Its role there. Default: Administrator Read Only.
  --help
      Show this help.
`;
}

/** The help of `zoneward expression`. */
export function expressionHelp(): string {
  return `Usage: zoneward expression check EXPRESSION [--phase PHASE] [--plan PLAN]
       zoneward expression explain EXPRESSION [--context FILE] [--phase PHASE] [--plan PLAN]

Reads a filter expression as rules have it. docs/expressions.md describes the language.

check says nothing and ends with 0 when the text is an expression; otherwise it says what is wrong, and where,
and ends with 1. explain evaluates the expression for a request, and says its value and which comparisons
decided it, each with what it looked at.

${bold("  --context FILE")}
      The request, as a JSON object: the value of each field by its name, the items of a list by $ and its
      name. Default: -, which is standard input.
${bold("  --phase PHASE")}
      Refuse what cannot be used in this phase, such as http_request_firewall_custom.
${bold("  --plan PLAN")}
      Refuse what this plan does not include: free, pro, business or enterprise.
${bold("  --help")}
      Show this help.
`;
}

/** The help of `zoneward waf`. */
export function wafHelp(): string {
  return `Usage: zoneward waf plan --zone NAME|ID [--json] [SETTINGS]
       zoneward waf migrate [--account ID|NAME] [--plan PLAN] [--validate] [--dry-run] [--json] [SETTINGS]
       zoneward waf replay --zone NAME|ID FILE [--host NAME] [--json] [SETTINGS]

plan says what the migration of a zone to the new WAF managed rules would do: each old setting and what it becomes,
what is lost, whether the zone can migrate and why not, and the rules that it would get. It changes nothing.

migrate brings every zone that has the previous version to what plan says of it, and zones that run both to the new one
with the rules that they have. This cannot be undone. A zone that cannot migrate stays as it is; the reasons are told,
and the command ends with 1. Run it again after it was stopped: it goes on with the zones that are left.

replay judges recorded requests, a HAR 1.2 or an access log in the combined format, by the new version and then by the
previous one: what the previous version stops and the new one passes, what the new one acts on, and OWASP scores. The
versions that are in force write security events.

A server may run on the same store meanwhile. The settings are those of \`zoneward serve\` that say where the store is:
--data, --database, --config and their variables.

${bold("  --zone NAME|ID")}
      The zone.
${bold("  --account ID|NAME, --plan free|pro|business|enterprise")}
      Only the zones of this account, or on this plan.
${bold("  --validate")}
      Run both versions in zones that have the previous one alone. Enterprise zones only.
${bold("  --dry-run")}
      Judge each zone, and change none.
${bold("  --host NAME")}
      The host that a log is of. Default: the name of the zone.
${bold("  --json")}
      The plan or the report as JSON; of migrate, a line of JSON for each zone.
${bold("  --help")}
      Show this help.
`;
}

function settingHelp(name: string, { form, help, fallback }: Setting<unknown>): string {
  const flag = `  ${flagOf(name)}${form === "" ? "" : ` ${form}`}`;
  return `${bold(flag.padEnd(37))} ${variableOf(name)}\n      ${help}${defaultOf(name, fallback)}`;
}

function defaultOf(name: string, fallback: unknown): string {
  if (name === "edge_addresses" || (typeof fallback !== "string" && typeof fallback !== "number")) return "";
  return ` Default: ${fallback}.`;
}

function bold(text: string): string {
  return process.stdout.isTTY ? styleText("bold", text) : text;
}
