import { styleText } from "node:util";

import { commandNames, commandTable } from "./command-table.ts";
import type { Setting } from "../config/setting-kinds.ts";
import { flagOf, settingNames, settings, variableOf } from "../config/settings.ts";
import { presetNames } from "../core/test-controls/fault.ts";
import { version } from "../process/version.ts";

export function generalHelp(): string {
  return `Zoneward ${version()}: the v4 zone-management API as software that anyone can run.

Usage: zoneward COMMAND [FLAGS]

Commands:
${commandNames.map((name) => `  ${name.padEnd(11)} ${commandTable[name].summary}`).join("\n")}

Flags:
  --help      Show this help, or that of a command: \`zoneward token --help\`.
  --version   Show the version.
`;
}

export function serveHelp(): string {
  const rows = settingNames.map((name) => settingHelp(name, settings[name]));
  return `Usage: zoneward serve [FLAGS]

Serves the API until it gets SIGINT or SIGTERM, then finishes the requests in flight. A second signal ends it at once.

Every setting can be given as a flag, as an environment variable, or as a key (the flag's name with underscores)
of the file that --config names. Flags override the environment, which overrides the file.

${rows.join("\n")}
  --config FILE                       ZONEWARD_CONFIG
      File of settings, YAML or JSON.
  --print-config
      Print the settings in effect, with secrets masked, and exit.
  --help
      Show this help.
`;
}

export function edgeHelp(): string {
  return `Usage: zoneward edge --database postgres://... --secret-key-file FILE [SETTINGS]

Serves the proxied names of active zones, and proxies that ask (--edge-http, --edge-https, --edge-judge), without
the API: as many processes as there are visitors, on one PostgreSQL database. A change takes effect within a second.
While the database is away, it goes on with what it read last, also after a restart: that is kept, encrypted, in the
data directory (--data). /healthz, /readyz and /metrics are at --host and --port.

SETTINGS are those of \`zoneward serve\`; the ones that are about the API alone mean nothing here.
`;
}

export function secretsHelp(): string {
  return `Usage: zoneward secrets rotate [--new-key-file FILE] [SETTINGS]

Encrypts every secret in the store again, with a new secret key. Servers may keep running; those that read the same
key file pick up the new key by themselves. If the command is interrupted, run it again.

The new key is put first in the key file (secret_key_file, or secret.key in the data directory). The old key stays
after it until only old backups need it, then moves to FILE.retired. If \`secret_key\` holds the keys, or other machines
have key files of their own, put the new key before the old one there first.

${bold("  --new-key-file FILE")}
      The new key, 32 random bytes in base64; or set ZONEWARD_NEW_SECRET_KEY. Default: a generated key.
${bold("  --help")}
      Show this help.

SETTINGS are those of \`zoneward serve\` that say where the store and its key are: --data, --database,
--secret-key-file, --config and their variables.
`;
}

export function databaseHelp(): string {
  return `Usage: zoneward database copy --from STORE --to STORE
       zoneward database backup FILE [SETTINGS]
       zoneward database restore FILE [--replace] [SETTINGS]
       zoneward database check [SETTINGS]

copy copies a store to the other engine, or to another place. The target must be empty. If a copy is interrupted,
run it again to continue; until it is complete no server starts on the target. At the end the rows of both stores are
compared by number and checksum. If a server still runs on the source, its later changes are not in the copy.

backup writes a snapshot of a SQLite store to a file, even while a server runs on the store. restore puts such a file
in place of the store; no server may run on it. For PostgreSQL use pg_dump and pg_restore.

check looks for damage and changes nothing, even while a server runs on the store. It exits with 1 if it finds any.

${bold("  --from STORE, --to STORE")}
      sqlite:FILE, the path of the store's file, or postgres://user:password@host:port/name.
${bold("  --replace")}
      Restore even if there is a store, which is kept beside the new one.
${bold("  --help")}
      Show this help.

SETTINGS are those of \`zoneward serve\` that say where the store is: --data, --database, --config and their variables.
`;
}

export function dnsHelp(): string {
  return `Usage: zoneward dns query NAME [TYPE] [SETTINGS]
       zoneward dns import ZONE FILE [--proxied] [SETTINGS]

${bold("query")} shows what the name server answers to a question, and each step to that: the zone, a wildcard that stands for the name, a
CNAME that is followed or flattened, a delegation. It asks no server but reads the store, while one runs on it or not.
Targets of flattened CNAMEs in no zone of the store are looked up.

${bold("import")} adds the records of a BIND zone file to a zone, and names each that is not added with the reason, as the API does.
Nothing is added of a file that is no zone file.

${bold("  NAME")}
      A complete name, such as www.example.com.
${bold("  TYPE")}
      Such as AAAA, ANY or TYPE65280. Default: A.
${bold("  ZONE")}
      The name or id of a zone.
${bold("  --proxied")}
      Proxy records that can be proxied, where the file does not say it itself.
${bold("  --help")}
      Show this help.

SETTINGS are those of \`zoneward serve\` that say where the store is (--data, --database, --config and their variables) and
what is answered (--edge-addresses, --name-servers, --vendor, --resolvers).
`;
}

export function gatewayHelp(): string {
  return `Usage: zoneward gateway check URL [--chain-id N] [--header 'NAME: VALUE']

Asks an Ethereum node for every method that the JSON-RPC gateway offers, and for the widest ranges, and reports what
the node lacks. It changes nothing on the chain. It exits with 1 if the node cannot be an upstream.

  --chain-id N
      The chain that the node must serve.
  --header 'NAME: VALUE'
      Sent with every request; may be repeated.
`;
}

export function tokenHelp(): string {
  return `Usage: zoneward token create [--template NAME | --policies JSON] [FLAGS] [SETTINGS]
       zoneward token list [FLAGS] [SETTINGS]
       zoneward token revoke ID|NAME [FLAGS] [SETTINGS]

Creates, lists and revokes API tokens on the host of the store, even while a server runs on it. The server applies a
change within a second. Changes are in the audit log.

Whose tokens (default: the owner's):
  --user EMAIL
      Those of another user.
  --account ID|NAME
      Those that an account owns.

Flags of create:
  --template create-tokens|edit-dns|read-all|all
      What the token may do: only create other tokens, edit the DNS records of all zones, read everything, or do
      everything, always within what its owner may do. Default: create-tokens.
  --policies JSON
      Instead of a template: the \`policies\` of POST /user/tokens, or a file that holds them.
  --name TEXT
      Default: the name of the template, or policies.
  --not-before TIME, --expires-on TIME
      YYYY-MM-DDThh:mm:ssZ.
  --allow-from CIDR,...
      The only addresses from which the token may be used.

Only the secret is printed to standard output, so a script can capture it. It is shown only this once.

  TOKEN=$(zoneward token create --template edit-dns --name ci --expires-on 2030-01-01T00:00:00Z)

SETTINGS are those of \`zoneward serve\` that say where the store is: --data, --database, --config and their variables.
`;
}

export function userHelp(): string {
  return `Usage: zoneward user create --email EMAIL [--account ID|NAME [--role ID|NAME]] [SETTINGS]
       zoneward user sign-in-link --email EMAIL [SETTINGS]
       zoneward user reset-two-factor --email EMAIL [SETTINGS]

create adds a user, and shows the user's Global API Key and a sign-in link, both only once. sign-in-link makes another
link, for example for a forgotten password: opened in a browser, it sets a password, once and within 24 hours.
reset-two-factor removes the second factors of a user who has lost them. A server may run on the same store meanwhile.

  --email EMAIL
      The address that the user signs in with and is invited by.
  --account ID|NAME
      Make the user a member of this account at once.
  --role ID|NAME
      The user's role there. Default: Administrator Read Only.
  --help
      Show this help.

SETTINGS are those of \`zoneward serve\` that say where the store is (--data, --database, --config and their variables)
and where browsers reach the server (--public-url, or --host and --port).
`;
}

export function expressionHelp(): string {
  return `Usage: zoneward expression check EXPRESSION [--phase PHASE] [--plan PLAN]
       zoneward expression explain EXPRESSION [--context FILE] [--phase PHASE] [--plan PLAN]

Checks or explains a filter expression, as rules use them. docs/expressions.md describes the language.

check prints nothing and exits with 0 if the expression is valid. Otherwise it says what is wrong and where, and exits
with 1. explain evaluates the expression for a request. It prints the value and the comparisons that decided it, each
with the values it looked at.

${bold("  --context FILE")}
      The request, as a JSON object that maps field names to values, and the items of a list to $ and its
      name. Default: -, which is standard input.
${bold("  --phase PHASE")}
      Refuse what cannot be used in this phase, such as http_request_firewall_custom.
${bold("  --plan PLAN")}
      Refuse what this plan does not include: free, pro, business or enterprise.
${bold("  --help")}
      Show this help.
`;
}

export function crsHelp(): string {
  return `Usage: zoneward crs check DIR
       zoneward crs request DIR URL [--method METHOD] [--header "NAME: VALUE"]... [--data TEXT | --data-file FILE]
                            [--paranoia LEVEL]

Loads the rules of an official release of the OWASP Core Rule Set, without a server. DIR holds rules/*.conf and
crs-setup.conf, or its example; Debian's are in /usr/share/modsecurity-crs.

check says how many rules there are. If a file cannot be loaded, it says where and why, and exits with 1. request prints
the rules that a request matches, each with its score, and the value that matched; then the score of the request.

${bold("  --method METHOD")}
      Default: GET, or POST with a body.
${bold('  --header "NAME: VALUE"')}
      A header of the request; may be repeated. Host, User-Agent and Accept are added where missing.
${bold("  --data TEXT, --data-file FILE")}
      The body; a form unless a header says otherwise.
${bold("  --paranoia LEVEL")}
      1 to 4. Default: 1.
${bold("  --help")}
      Show this help.
`;
}

export function wafHelp(): string {
  return `Usage: zoneward waf plan --zone NAME|ID [--json] [SETTINGS]
       zoneward waf migrate [--account ID|NAME] [--plan PLAN] [--validate] [--dry-run] [--json] [SETTINGS]
       zoneward waf replay --zone NAME|ID FILE [--host NAME] [--json] [SETTINGS]

plan shows what migrating a zone to the new WAF managed rules would do: what becomes of each old setting, what is lost,
whether the zone can migrate and if not why, and the rules that it would get. It changes nothing.

migrate migrates every zone that has the previous version, as plan shows it, and moves zones that run both versions to
the new one with the rules that they have. This cannot be undone. A zone that cannot migrate is left as it is; the
reasons are printed, and the command exits with 1. If it is stopped, run it again to continue with the other zones.

replay runs recorded requests, from a HAR 1.2 file or an access log in the combined format, through the new version and
then the previous one. It shows what the previous version stops and the new one passes, what the new one acts on, and
OWASP scores. Versions in force write security events.

A server may run on the same store meanwhile.

${bold("  --zone NAME|ID")}
      The zone.
${bold("  --account ID|NAME, --plan free|pro|business|enterprise")}
      Only the zones of this account, or on this plan.
${bold("  --validate")}
      Run both versions in zones that only have the previous one. Enterprise zones only.
${bold("  --dry-run")}
      Check each zone, but change none.
${bold("  --host NAME")}
      The host that the log comes from. Default: the name of the zone.
${bold("  --json")}
      Print the plan or report as JSON; for migrate, one line of JSON per zone.
${bold("  --help")}
      Show this help.

SETTINGS are those of \`zoneward serve\` that say where the store is: --data, --database, --config and their variables.
`;
}

export function doctorHelp(): string {
  return `Usage: zoneward doctor [SETTINGS]

Looks at what a server with these settings needs: the settings themselves, Node.js, the port, the data directory, the
database, the clock, name resolution, certificates. It says of each what is wrong and what to do, changes nothing, and
exits with 1 if something keeps the server from running. Run it while no server runs, or its port is found taken.

SETTINGS are those of \`zoneward serve\`.
`;
}

export function completionHelp(): string {
  return `Usage: zoneward completion bash|zsh|fish

Prints a script that completes commands, actions, flags and the values of settings.

  eval "$(zoneward completion bash)"      in ~/.bashrc
  eval "$(zoneward completion zsh)"       in ~/.zshrc
  zoneward completion fish | source       in ~/.config/fish/config.fish
`;
}

function settingHelp(name: string, { notation, help, fallback }: Setting<unknown>): string {
  const flag = `  ${flagOf(name)}${notation === "" ? "" : ` ${notation}`}`;
  return `${bold(flag.padEnd(37))} ${variableOf(name)}\n      ${help}${defaultOf(name, fallback)}`;
}

function defaultOf(name: string, fallback: unknown): string {
  if (name === "edge_addresses" || (typeof fallback !== "string" && typeof fallback !== "number")) return "";
  return ` Default: ${fallback}.`;
}

function bold(text: string): string {
  return process.stdout.isTTY ? styleText("bold", text) : text;
}

const where = `  --url URL
      Where the server is. Default: where the settings put it.
  --token TOKEN
      Default: test_controls_token, owner_token, or owner_email and owner_key, as the settings have them. Set them in
      the environment rather than here, where other users of the machine can see them.

SETTINGS are those of \`zoneward serve\`: --host, --port, --config and their variables.
`;

export function faultHelp(): string {
  return `Usage: zoneward fault list [FLAGS] [SETTINGS]
       zoneward fault add RULES [FLAGS] [SETTINGS]
       zoneward fault preset NAME [FLAGS] [SETTINGS]
       zoneward fault on|off|remove ID [FLAGS] [SETTINGS]
       zoneward fault clear [FLAGS] [SETTINGS]

Makes requests fail on a server that runs with --test-controls; docs/testing/faults.md describes rules and presets.

  RULES
      A rule or a list of rules as JSON, or a file of them.
  NAME
      ${presetNames.join(", ")}.
  ID
      As \`zoneward fault list\` shows it.

${where}`;
}

export function journalHelp(): string {
  return `Usage: zoneward journal [--limit N] [--follow] [FLAGS] [SETTINGS]
       zoneward journal --clear [FLAGS] [SETTINGS]

Shows the newest requests that a server with --test-controls got, one line each: time, status, method, path, operation,
and the fault that acted.

  --limit N
      So many. Default: 20.
  --follow
      Then show requests as they come, until it is stopped.
  --clear
      Forget all requests.
${where}`;
}

export function resetHelp(): string {
  return `Usage: zoneward reset [FLAGS] [SETTINGS]

Puts back the state with which a server with --test-controls started, removes all faults and clears the journal.

${where}`;
}

export function snapshotHelp(): string {
  return `Usage: zoneward snapshot list [FLAGS] [SETTINGS]
       zoneward snapshot save|restore|delete NAME [FLAGS] [SETTINGS]
       zoneward snapshot export|import NAME FILE [FLAGS] [SETTINGS]

Saves the state of a server that runs with --test-controls, and puts it back; docs/testing/README.md says what the state
is. Another server can import the file that this one exports.

${where}`;
}

export function clockHelp(): string {
  return `Usage: zoneward clock show|resume [FLAGS] [SETTINGS]
       zoneward clock freeze [TIME] [FLAGS] [SETTINGS]
       zoneward clock set TIME|now [FLAGS] [SETTINGS]
       zoneward clock advance DURATION [FLAGS] [SETTINGS]

Moves the clock of a server that runs with --test-controls. What becomes due on the way is done before it ends.

  TIME
      Such as 2030-01-31T12:00:00Z; \`now\` is the time of the machine.
  DURATION
      Such as 90d, 1h30m or 500ms.

${where}`;
}
