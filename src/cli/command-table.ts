/** The flags and arguments of a command. The files of `cli/` hold the commands themselves. */
export interface CommandSyntax {
  readonly summary: string;
  /** The flags of each action; those of a command without actions are under the empty name. */
  readonly actions: Readonly<Record<string, readonly string[]>>;
  /** Whether settings of `zoneward serve` may follow. */
  readonly takesSettings: boolean;
}

const tokenOwner = ["--user", "--account"] as const;
const server = ["--url", "--token"] as const;

export const commandTable = {
  serve: {
    summary: "Serve the API. `zoneward serve --help` lists its settings.",
    actions: { "": ["--print-config"] },
    takesSettings: true,
  },
  edge: {
    summary: "Serve visitors alone, by what other processes stored in PostgreSQL.",
    actions: { "": [] },
    takesSettings: true,
  },
  token: {
    summary: "Create, list and revoke API tokens on this host.",
    actions: {
      create: [
        "--template",
        "--policies",
        "--name",
        "--not-before",
        "--expires-on",
        "--allow-from",
        ...tokenOwner,
      ],
      list: tokenOwner,
      revoke: tokenOwner,
    },
    takesSettings: true,
  },
  user: {
    summary: "Create another user, or help one to sign in.",
    actions: {
      create: ["--email", "--account", "--role"],
      "sign-in-link": ["--email"],
      "reset-two-factor": ["--email"],
    },
    takesSettings: true,
  },
  expression: {
    summary: "Check or explain a filter expression, without a server.",
    actions: { check: ["--phase", "--plan"], explain: ["--context", "--phase", "--plan"] },
    takesSettings: false,
  },
  crs: {
    summary: "Check a release of the OWASP Core Rule Set, or judge a request by it.",
    actions: { check: [], request: ["--method", "--header", "--data", "--data-file", "--paranoia"] },
    takesSettings: false,
  },
  waf: {
    summary: "Plan a zone's migration to the new WAF, migrate many zones, or replay requests.",
    actions: {
      plan: ["--zone", "--json"],
      migrate: ["--account", "--plan", "--validate", "--dry-run", "--json"],
      replay: ["--zone", "--host", "--json"],
    },
    takesSettings: true,
  },
  database: {
    summary: "Copy a store to another engine, back it up, restore it, check it.",
    actions: { copy: ["--from", "--to"], backup: [], restore: ["--replace"], check: [] },
    takesSettings: true,
  },
  secrets: {
    summary: "Change the key that encrypts the store's secrets: `zoneward secrets rotate`.",
    actions: { rotate: ["--new-key-file"] },
    takesSettings: true,
  },
  dns: {
    summary: "Explain what the name server answers, or import a zone file.",
    actions: { query: [], import: ["--proxied"] },
    takesSettings: true,
  },
  gateway: {
    summary: "Compare an Ethereum node with what the gateway offers: `zoneward gateway check URL`.",
    actions: { check: ["--chain-id", "--header"] },
    takesSettings: false,
  },
  fault: {
    summary: "Make requests fail, on a server with its test controls on.",
    actions: {
      list: server,
      add: server,
      preset: server,
      on: server,
      off: server,
      remove: server,
      clear: server,
    },
    takesSettings: true,
  },
  journal: {
    summary: "Show the requests that such a server got.",
    actions: { "": ["--follow", "--limit", "--clear", ...server] },
    takesSettings: true,
  },
  reset: {
    summary: "Put such a server back into the state with which it started.",
    actions: { "": server },
    takesSettings: true,
  },
  snapshot: {
    summary: "Save the state of such a server, and put it back.",
    actions: {
      list: server,
      save: server,
      restore: server,
      delete: server,
      export: server,
      import: server,
    },
    takesSettings: true,
  },
  clock: {
    summary: "Freeze, set or advance the clock of such a server.",
    actions: { show: server, freeze: server, resume: server, set: server, advance: server },
    takesSettings: true,
  },
  doctor: {
    summary: "Look for what keeps a server from running here, and say what to do.",
    actions: { "": [] },
    takesSettings: true,
  },
  completion: {
    summary: "Print a script that completes commands and flags: `zoneward completion bash`.",
    actions: { bash: [], zsh: [], fish: [] },
    takesSettings: false,
  },
} as const satisfies Readonly<Record<string, CommandSyntax>>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as readonly CommandName[];
