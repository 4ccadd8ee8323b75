import { presetNames } from "../core/test-controls/fault.ts";

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
