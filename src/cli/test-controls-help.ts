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
