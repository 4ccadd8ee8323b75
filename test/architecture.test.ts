import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";

interface Import {
  /** Path of the importing file, below the repository. */
  readonly from: string;
  /** A path below the repository, or the name of a package. */
  readonly to: string;
}

/** Reasons why one module may use the front door of another. An edge that nothing uses any more must go. */
const moduleEdges: readonly (readonly [from: string, to: string, why: string])[] = [
  ["authentication", "tokens", "finds the token of a secret"],
  ["authentication", "users", "finds the user of a key"],
  ["authentication", "sessions", "finds the session of a cookie"],
  ["authentication", "memberships", "finds the roles that bound what a user may do"],
  ["authorization", "zones", "what is allowed on an account is allowed on its zones"],
  ["authorization", "users", "some of it is for the owner alone"],
  ["sessions", "two-factor", "signing in takes a second factor where there is one"],
  ["users", "two-factor", "a user shows whether it needs one"],
  ["single-sign-on", "sessions", "starts a session"],
  ["single-sign-on", "users", "finds or creates the user of an e-mail address"],
  ["single-sign-on", "memberships", "claims give roles"],
  ["invite-links", "memberships", "finds and accepts the invite of a link"],
  ["invite-links", "sessions", "sets a password and starts a session"],
  ["invite-links", "users", "makes the user of an invite; some of it is for the owner alone"],
  ["sessions", "users", "a user signs in, and changes its key"],
  ["tokens", "zones", "a policy names zones, which have to be within reach"],
  ["tokens", "memberships", "what a token may do is bounded by the roles of who makes it"],
  ["users", "memberships", "the owner gets a membership; a user shows its own"],
  ["memberships", "accounts", "a membership belongs to an account"],
  ["memberships", "zones", "a resource group names zones of its account"],
  ["request-tracer", "security-events", "what rules make of a request is written down"],
  ["request-tracer", "zones", "finds the zone of a request by its host"],
  ["users", "accounts", "the owner gets an account"],
  ["users", "zones", "a user shows which plans its zones have"],
  ["zones", "accounts", "a zone belongs to an account"],
  ["dns-records", "zones", "a record belongs to a zone, whose plan sets its limits"],
  ["zone-plans", "zones", "a subscription sets the plan of a zone"],
  ["zone-settings", "zones", "the plan of a zone says which settings can be changed"],
  ["previous-waf", "zones", "packages and overrides are those of a zone"],
  ["waf-migration", "zones", "a zone migrates"],
  ["waf-migration", "rulesets", "the entry point of a zone is what it migrates to"],
  ["waf-migration", "previous-waf", "what the previous version is told is carried over"],
  ["waf-migration", "firewall-rules", "a bypass is carried over"],
  ["waf-migration", "page-rules", "a page rule that switches the managed rules is carried over"],
  ["waf-migration", "zone-settings", "a WAF that is off stays off"],
  ["waf-replay", "waf-migration", "what the previous version is told, and the state of the zone"],
  ["waf-replay", "security-events", "what rules make of a request is written down"],
  ["account-lifecycle", "accounts", "accounts are created and deleted"],
  ["account-lifecycle", "memberships", "the owner is a member of a new account"],
  ["account-lifecycle", "users", "only the owner may create accounts"],
  ["access-rules", "memberships", "a user's rules hold in the zones of accounts that it administers"],
  ["access-rules", "accounts", "a rule may hold in all zones of an account"],
  ["page-rules", "zones", "a page rule belongs to a zone, whose plan sets the quota"],
  ["zone-lockdowns", "zones", "the plan of a zone sets the quota"],
  ["user-agent-rules", "zones", "the plan of a zone sets the quota"],
  ["dns-serving", "dns-records", "name servers and edges answer with the records"],
  ["dns-serving", "zones", "a zone is answered as its name, name servers and serial say"],
  ["dns-record-scan", "dns-records", "what a scan finds becomes records"],
  ["certificate-packs", "dns-records", "a CA asks for TXT records as proof"],
  ["certificate-packs", "dns-serving", "the names that changed are looked at again"],
  ["certificate-packs", "zones", "a host belongs to the zone that answers for it"],
  ["zone-holds", "zones", "a hold reaches as far as the zone answers for names"],
  ["web3-hostnames", "zones", "a hostname belongs to a zone, whose plan sets the quota"],
  ["lists", "zones", "the plans of an account's zones bound its lists"],
  ["rulesets", "lists", "rules name lists"],
  ["firewall-rules", "lists", "filters name lists"],
  ["zone-transfers", "dns-records", "what a primary server sends is stored as records"],
  ["zone-transfers", "zones", "what is transferred has the serial of the zone"],
  ["dns-settings", "zones", "the answers of a zone change with its settings"],
  ["dnssec", "zones", "a zone is signed, and its answers change with that"],
  ["request-tracer", "zone-documents", "leads a request through the rules of its zone"],
  ["request-tracer", "rulesets", "judges in the context of rulesets"],
  ["waf-replay", "zone-documents", "the new version judges by the rules of the zone"],
  ["waf-replay", "rulesets", "judges in the context of rulesets"],
  ["zone-documents", "access-rules", "a request meets them before the custom rules"],
  ["zone-documents", "certificate-packs", "visitors get the certificates of packs"],
  ["zone-documents", "custom-certificates", "visitors get the certificates that users uploaded"],
  ["zone-documents", "firewall-rules", "a request meets them before the custom rules"],
  ["zone-documents", "lists", "rules name lists"],
  ["zone-documents", "managed-transforms", "they change a request between two phases"],
  ["zone-documents", "page-rules", "a request meets them after single redirects"],
  ["zone-documents", "previous-waf", "what the previous version is told"],
  ["zone-documents", "rulesets", "requests are judged by entry points and what these execute"],
  ["zone-documents", "url-normalization", "rules see a normalized URL"],
  ["zone-documents", "user-agent-rules", "a request meets them between two phases"],
  ["zone-documents", "zone-lockdowns", "a request meets them between two phases"],
  ["zone-documents", "zone-settings", "settings say how a zone is served"],
  ["zone-documents", "zones", "the facts of a zone"],
  ["cache", "zones", "what is purged belongs to a zone, whose plan sets the limits"],
];

/** Imports that each layer may have besides itself. `server/` puts all together, and may import everything. */
const layers: Readonly<Record<string, readonly string[]>> = {
  "src/core/": ["catalogues/", "ipaddr.js"],
  "src/gateway/": [
    "src/core/",
    "src/network/guarded-lookup.ts",
    "src/wire/answers.ts",
    "src/wire/client-address.ts",
    "src/api/credentials.ts",
    "src/wire/handshake.ts",
    "src/wire/host-header.ts",
    "src/wire/listening.ts",
    "src/wire/metrics.ts",
    "src/wire/request-body.ts",
    "src/wire/unread-answers.ts",
    "@nomicfoundation/edr",
    "pino",
    "prom-client",
    "undici",
    "ws",
    "node:",
  ],
  "src/edge/": [
    "catalogues/",
    "src/core/",
    "src/wire/client-address.ts",
    "src/wire/closing.ts",
    "src/wire/connection-pool.ts",
    "src/wire/handshake.ts",
    "src/wire/listening.ts",
    "src/wire/pipelining.ts",
    "src/wire/ray.ts",
    "pino",
    "prom-client",
    "undici",
    "node:",
  ],
  "src/name-server/": ["src/core/", "pino", "prom-client", "node:"],
  "src/storage/": ["src/core/", "kysely", "pg", "node:"],
  "src/wire/": ["src/core/", "prom-client", "node:"],
  "src/api/": ["src/core/", "src/wire/", "@sinclair/typebox", "ajv", "pino", "prom-client", "node:"],
  "src/process/": [
    "src/config/settings.ts",
    "src/core/",
    "src/engines/",
    "src/files/ownership.ts",
    "src/operation/",
    "src/resources/",
    "src/secrets/",
    "src/storage/",
    "package.json",
    "pino",
    "node:",
  ],
  "src/planes/": [
    "src/config/",
    "src/core/",
    "src/edge/",
    "src/engines/crs-release.ts",
    "src/files/compile-cache.ts",
    "src/name-server/",
    "src/network/",
    "src/operation/",
    "src/process/",
    "src/resources/",
    "src/secrets/secret-box.ts",
    "src/storage/",
    "src/test-controls/traffic.ts",
    "src/wire/",
    "src/workers/",
    "pino",
    "prom-client",
    "node:",
  ],
  "src/operation/": [
    "src/core/",
    "src/storage/",
    "src/api/credentials.ts",
    "src/api/session-cookie.ts",
    "src/api/envelope.ts",
    "src/api/validation.ts",
    "src/api/pagination.ts",
    "src/api/route.ts",
    "src/api/unset-members.ts",
    "@sinclair/typebox",
    "kysely",
    "node:",
  ],
  "src/resources/": [
    "src/operation/",
    "src/core/",
    "src/storage/",
    "src/network/dns-resolver.ts",
    "src/network/guarded-lookup.ts",
    "src/secrets/secrets.ts",
    "src/secrets/secret-box.ts",
    "src/tls/certificate-facts.ts",
    "@simplewebauthn/server",
    "acme-client",
    "graphql",
    "tldts",
    "src/tls/local-ca.ts",
    "@sinclair/typebox",
    "kysely",
    "node:",
  ],
  "src/seed/": [
    "src/config/read-yaml.ts",
    "src/operation/",
    "src/core/",
    "src/api/validation.ts",
    "src/resources/",
    "src/secrets/secrets.ts",
    "src/storage/",
    "@sinclair/typebox",
    "ajv",
  ],
  "src/cli/": [
    "src/config/",
    "src/core/",
    "src/engines/",
    "src/gateway/upstreams/check.ts",
    "src/api/validation.ts",
    "src/name-server/outside-addresses.ts",
    "src/network/dns-resolver.ts",
    "src/planes/active-zones.ts",
    "src/planes/dns/",
    "src/resources/",
    "src/secrets/",
    "src/process/",
    "src/server/",
    "src/storage/",
    "pino",
    "node:",
  ],
  "src/main.ts": ["src/cli/"],
  "src/testing/": [
    "src/cli/logger.ts",
    "src/config/config.ts",
    "src/files/compile-cache.ts",
    "src/secrets/secrets.ts",
    "src/server/app.ts",
    "node:",
  ],
  "src/tls/": ["@peculiar/x509", "reflect-metadata", "node:"],
  "src/config/": [
    "catalogues/",
    "src/core/",
    "src/gateway/chain/networks.ts",
    "src/secrets/",
    "src/tls/certificate-files.ts",
    "yaml",
    "node:",
  ],
  "src/secrets/": ["src/storage/schema/table.ts", "node:"],
  "src/files/": ["node:"],
  "src/engines/": ["src/core/", "src/files/compile-cache.ts", "src/operation/context.ts", "rregex", "node:"],
  "src/network/": ["src/core/", "openid-client", "undici", "node:"],
  "src/test-controls/": [
    "src/core/",
    "src/gateway/chain/errors.ts",
    "src/gateway/chain/json-rpc.ts",
    "src/gateway/rpc/batch.ts",
    "src/gateway/rpc/websocket.ts",
    "src/wire/client-address.ts",
    "src/api/credentials.ts",
    "src/api/envelope.ts",
    "src/api/errors.ts",
    "src/api/validation.ts",
    "src/wire/handshake.ts",
    "src/wire/host-header.ts",
    "src/wire/closing.ts",
    "src/wire/listening.ts",
    "src/api/openapi.ts",
    "src/api/rate-limits.ts",
    "src/api/route.ts",
    "src/api/router.ts",
    "src/api/server-options.ts",
    "src/name-server/listeners.ts",
    "src/name-server/responder.ts",
    "src/operation/",
    "src/secrets/secrets.ts",
    "src/storage/",
    "@sinclair/typebox",
    "node:",
  ],
  "src/workers/": [
    "src/core/",
    "src/engines/crs-release.ts",
    "src/engines/engines.ts",
    "src/files/compile-cache.ts",
    "src/operation/",
    "src/resources/",
    "src/process/open-store.ts",
    "src/process/ruleset-context.ts",
    "src/storage/database.ts",
    "src/storage/open-database.ts",
    "pino",
    "node:",
  ],
};

/** Words that have one meaning (docs/glossary.md), and where names may contain them. */
const words: readonly {
  readonly word: RegExp;
  readonly means: string;
  /** For names of folders and files. */
  readonly within: readonly string[];
  /** For names of exports; anywhere by default. */
  readonly exportedWithin?: readonly string[];
}[] = [
  {
    word: /^forms?$/,
    means: "fields that a client posts as HTML does",
    within: ["src/core/forms/"],
    exportedWithin: ["src/core/forms/", "src/api/validation.ts"],
  },
  {
    word: /^judg(?:es?|ed|ing)$/,
    means: "applies rules to a request, or tells another proxy what they say of it",
    within: [
      "src/core/judging/",
      "src/core/previous-waf/",
      "src/core/seclang/evaluate/",
      "src/edge/judge/",
      "src/resources/rulesets/",
      "src/resources/waf-replay/",
    ],
    exportedWithin: [
      "src/core/expression/context.ts",
      "src/core/judging/",
      "src/core/previous-waf/",
      "src/core/seclang/evaluate/",
      "src/edge/",
      "src/resources/rulesets/",
      "src/resources/security-events/",
      "src/resources/waf-replay/",
    ],
  },
  {
    word: /^served$/,
    means: "as a name server answers",
    within: ["src/core/dns/served/", "src/planes/dns/", "src/resources/dns-settings/"],
  },
  {
    word: /^core$/,
    means: "in the name of a file, the OWASP Core Rule Set",
    within: ["src/core/judging/", "src/planes/edge/", "src/process/core-rules.ts", "src/resources/rulesets/"],
  },
  {
    word: /^snapshots?$/,
    means: "a state as it was at one moment, while the original changes",
    within: ["src/planes/"],
  },
  {
    word: /^journals?$/,
    means: "what happened, in its order, to be read again",
    within: ["src/core/dns/served/", "src/resources/dns-serving/", "src/test-controls/"],
  },
  {
    word: /^delegations?$/,
    means: "the records of a parent zone that lead to a zone's name servers",
    within: [],
  },
];

const files = globSync("src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
const imports = files.flatMap(importsOf);

describe("architecture", () => {
  test("the scan sees the tree: a rule that looks at nothing would always hold", () => {
    assert.ok(files.length > 60, `only ${files.length} files`);
    assert.ok(imports.length > 200, `only ${imports.length} imports`);
    assert.ok(imports.some(({ from, to }) => from === "src/main.ts" && to === "src/cli/cli.ts"));
  });

  test("every file belongs to a layer, and each layer imports only what lies below it", () => {
    const wrong = imports.filter(({ from, to }) => {
      if (from.startsWith("src/server/")) return false;
      const layer = Object.keys(layers).find((prefix) => from.startsWith(prefix));
      if (layer === undefined) return true;
      return ![layer, ...(layers[layer] ?? [])].some((allowed) => isWithin(to, allowed));
    });
    assert.deepEqual(wrong, []);
  });

  test("the core is pure: no clock, no randomness, no waiting", () => {
    const waiting = /\bawait\b|\basync\b/;
    // A time that is given can be computed with: `Date.UTC(`, `Date.parse(` and `new Date(time)` read no clock.
    const clock = /(?<!\bnew )\bDate\b(?!\.(?:UTC|parse)\()|\bnew Date\b(?!\(\s*[^\s)])/;
    const outside = /Math\.random|\bprocess\b|\bfetch\(|\bconsole\b|\bperformance\b/;
    const impure = new RegExp([waiting, clock, outside].map(({ source }) => source).join("|"));
    const wrong = files.filter((file) => file.startsWith("src/core/") && impure.test(codeOf(file)));
    assert.deepEqual(wrong, []);
  });

  test("no module knows the transport, and only its store.ts knows SQL", () => {
    const modules = imports.filter(({ from }) => from.startsWith("src/resources/"));
    const wrong = modules.filter(
      ({ from, to }) => /^src\/(?:api|wire)\//.test(to) || (to === "kysely" && !/[/-]store\.ts$/.test(from)),
    );
    assert.deepEqual(wrong, []);
  });

  test("a module uses another only through its front door, along a listed edge, and every edge is used", () => {
    const used = new Set<string>();
    const wrong: Import[] = [];
    for (const { from, to } of imports) {
      const module = moduleOf(from);
      const other = moduleOf(to);
      if (module === undefined || other === undefined || module === other) continue;
      used.add(`${module} -> ${other}`);
      const isListed = moduleEdges.some(([source, target]) => source === module && target === other);
      if (!isListed || to !== `src/resources/${other}/${other}.ts`) wrong.push({ from, to });
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      moduleEdges.map(([from, to]) => `${from} -> ${to}`).filter((edge) => !used.has(edge)),
      [],
    );
  });

  test("no module can reach itself through others", () => {
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      moduleEdges.some(([source, target]) => {
        if (source !== from || seen.has(target)) return false;
        seen.add(target);
        return target === goal || reaches(target, goal, seen);
      });
    const modules = new Set(moduleEdges.flatMap(([from, to]) => [from, to]));
    assert.deepEqual(
      [...modules].filter((module) => reaches(module, module)),
      [],
    );
  });

  test("no file can reach itself through its imports, not even those of types", () => {
    const dashboard = globSync("dashboard/src/**/*.{ts,tsx}").filter((file) => !file.endsWith(".test.ts"));
    const graph = new Map<string, string[]>();
    for (const { from, to } of [...imports, ...dashboard.flatMap(importsOf)])
      graph.set(from, [...(graph.get(from) ?? []), to]);
    const done = new Set<string>();
    const cycleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
      const start = path.indexOf(file);
      if (start !== -1) return [...path.slice(start), file];
      if (done.has(file)) return undefined;
      for (const next of graph.get(file) ?? []) {
        const cycle = cycleFrom(next, [...path, file]);
        if (cycle !== undefined) return cycle;
      }
      done.add(file);
      return undefined;
    };
    assert.ok(dashboard.length > 100);
    const cycles = [...graph.keys()]
      .map((file) => cycleFrom(file, []))
      .filter((cycle) => cycle !== undefined);
    assert.deepEqual(cycles, []);
  });

  test("no folder can reach itself through the imports of its files", () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      if (!to.startsWith("src/") || dirname(from) === dirname(to)) continue;
      graph.set(dirname(from), (graph.get(dirname(from)) ?? new Set()).add(dirname(to)));
    }
    const reachableFrom = (start: string): ReadonlySet<string> => {
      const reached = new Set<string>();
      const waiting = [start];
      for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
        for (const next of graph.get(folder) ?? [])
          if (!reached.has(next)) {
            reached.add(next);
            waiting.push(next);
          }
      return reached;
    };
    const reach = new Map([...graph.keys()].map((folder) => [folder, reachableFrom(folder)]));
    assert.deepEqual(
      [...reach].filter(([folder, reached]) => reached.has(folder)).map(([folder]) => folder),
      [],
    );
  });

  test("a word has one meaning in the names of folders, files and exports, and the glossary says it", () => {
    const glossary = readFileSync("docs/glossary.md", "utf8");
    for (const { word, means, within, exportedWithin } of words) {
      const named = files.filter((file) =>
        file
          .replace(/^src\/core\//, "")
          .split(/[/.-]/)
          .some((part) => word.test(part)),
      );
      assert.deepEqual(
        named.filter((file) => !within.some((place) => file.startsWith(place))),
        [],
        `${word} means: ${means}`,
      );
      assert.deepEqual(
        within.filter((place) => !named.some((file) => file.startsWith(place))),
        [],
        "no name there has the word any more: take it off the list",
      );
      const exporting = files.filter((file) => exportedWordsOf(file).some((part) => word.test(part)));
      assert.deepEqual(
        exportedWithin && exporting.filter((file) => !exportedWithin.some((place) => file.startsWith(place))),
        exportedWithin && [],
        `${word} means: ${means}`,
      );
      assert.ok(glossary.includes(means), `docs/glossary.md says of ${word}: ${means}`);
    }
  });

  test("one module finds out where a request comes from", () => {
    const finding = /\brequest\.ips?\b|"x-forwarded-for"/;
    const transport = files.filter((file) => /^src\/(?:wire|api|gateway)\//.test(file));
    assert.deepEqual(
      transport.filter((file) => finding.test(readFileSync(file, "utf8"))),
      ["src/wire/client-address.ts"],
    );
  });

  test("two files alone start worker threads, so that their number is bounded", () => {
    const starting = files.filter((file) => /\bnew Worker\(/.test(codeOf(file)));
    assert.deepEqual(starting.toSorted(), ["src/workers/kept-threads.ts", "src/workers/worker-thread.ts"]);
  });

  test("no folder or file has a name that says nothing", () => {
    const empty = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|types)(?:\/|\.ts$)/;
    assert.deepEqual(
      files.filter((file) => empty.test(file)),
      [],
    );
  });
});

function importsOf(file: string): Import[] {
  const specifiers = readFileSync(file, "utf8").matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/g,
  );
  return [...specifiers].map(([, fixed, lazy]) => {
    const specifier = fixed ?? lazy ?? "";
    return {
      from: file,
      to: specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier,
    };
  });
}

function codeOf(file: string): string {
  return readFileSync(file, "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\/\/.*$/gm, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}

function isWithin(target: string, allowed: string): boolean {
  return allowed.endsWith("/") || allowed.endsWith(":") ? target.startsWith(allowed) : target === allowed;
}

function moduleOf(path: string): string | undefined {
  return /^src\/resources\/([^/]+)\//.exec(path)?.[1];
}

/** The words in the names that a file exports, in lower case: `formOf` is "form of". */
function exportedWordsOf(file: string): string[] {
  const names = codeOf(file).matchAll(
    /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
  );
  return [...names]
    .flatMap(([, name = ""]) => name.match(/[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])/g) ?? [])
    .map((part) => part.toLowerCase());
}
