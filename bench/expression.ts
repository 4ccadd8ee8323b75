import { celEnv, parse as parseCel, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { parse as parseCelJs } from "@marcbachmann/cel-js";
import { compileExpression as compileFiltrex } from "filtrex";

import type { Finding } from "./report.ts";
import { ratios } from "./rounds.ts";
import { compileExpression } from "../src/core/expression/compile/compile.ts";
import { createContext } from "../src/core/expression/context.ts";
import { createEngines } from "../src/engines/engines.ts";

const size = { rounds: 7, evaluations: 200_000, warmUp: 100_000 };

/** The data of the expressions, by the names that the peers have for it. */
interface Event {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly agent: string;
  readonly country: string;
  readonly asnum: number;
  readonly threat: number;
  readonly score: number;
  readonly bot: boolean;
}

const fieldOf: Readonly<Record<keyof Event, string>> = {
  host: "http.host",
  method: "http.request.method",
  path: "http.request.uri.path",
  query: "http.request.uri.query",
  agent: "http.user_agent",
  country: "ip.src.country",
  asnum: "ip.src.asnum",
  threat: "cf.threat_score",
  score: "cf.bot_management.score",
  bot: "cf.client.bot",
};

/** One rule in the languages of all, and by hand. */
interface Comparison {
  readonly what: string;
  readonly zoneward: string;
  readonly filtrex: string;
  readonly cel: string;
  readonly byHand: (event: Event) => boolean;
}

const countries = new Set(["NL", "DE", "FR", "BE", "LU"]);

const comparisons: readonly Comparison[] = [
  {
    what: "a host and the beginning of a path",
    zoneward: `http.host eq "www.example.com" and starts_with(http.request.uri.path, "/blog/")`,
    filtrex: `host == "www.example.com" and startsWith(path, "/blog/")`,
    cel: `host == "www.example.com" && path.startsWith("/blog/")`,
    byHand: ({ host, path }) => host === "www.example.com" && path.startsWith("/blog/"),
  },
  {
    what: "one of five countries, one of two methods",
    zoneward: `ip.src.country in {"NL" "DE" "FR" "BE" "LU"} and http.request.method in {"POST" "PUT"}`,
    filtrex: `country in ("NL", "DE", "FR", "BE", "LU") and method in ("POST", "PUT")`,
    cel: `country in ["NL", "DE", "FR", "BE", "LU"] && method in ["POST", "PUT"]`,
    byHand: ({ country, method }) => countries.has(country) && (method === "POST" || method === "PUT"),
  },
  {
    what: "two scores and a flag",
    zoneward: `cf.threat_score gt 10 and not cf.client.bot and cf.bot_management.score lt 30`,
    filtrex: `threat > 10 and not bot and score < 30`,
    cel: `threat > 10.0 && !bot && score < 30.0`,
    byHand: ({ threat, bot, score }) => threat > 10 && !bot && score < 30,
  },
  {
    what: "three texts that a path or a query contains",
    zoneward: `http.request.uri.path contains "/wp-admin" or http.request.uri.path contains "xmlrpc.php" or http.request.uri.query contains "union"`,
    filtrex: `contains(path, "/wp-admin") or contains(path, "xmlrpc.php") or contains(query, "union")`,
    cel: `path.contains("/wp-admin") || path.contains("xmlrpc.php") || query.contains("union")`,
    byHand: ({ path, query }) =>
      path.includes("/wp-admin") || path.includes("xmlrpc.php") || query.includes("union"),
  },
  {
    what: "a word in lower case, outside of two networks",
    zoneward: `lower(http.user_agent) contains "curl" and not ip.src.asnum in {64496 64500..64511}`,
    filtrex: `contains(lower(agent), "curl") and not (asnum == 64496 or (asnum >= 64500 and asnum <= 64511))`,
    cel: `agent.lowerAscii().contains("curl") && !(asnum == 64496.0 || (asnum >= 64500.0 && asnum <= 64511.0))`,
    byHand: ({ agent, asnum }) =>
      agent.toLowerCase().includes("curl") && !(asnum === 64496 || (asnum >= 64500 && asnum <= 64511)),
  },
];

const events: readonly Event[] = [
  { host: "www.example.com", method: "GET", path: "/blog/2026/a-post.html", query: "", agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", country: "NL", asnum: 64501, threat: 0, score: 95, bot: false },
  { host: "www.example.com", method: "POST", path: "/wp-admin/admin-ajax.php", query: "action=x", agent: "curl/8.5.0", country: "DE", asnum: 13335, threat: 44, score: 1, bot: false },
  { host: "api.example.com", method: "PUT", path: "/v1/items/17", query: "expand=all", agent: "Go-http-client/2.0", country: "US", asnum: 64496, threat: 12, score: 29, bot: false },
  { host: "shop.example.com", method: "GET", path: "/search", query: "q=1%27+union+select", agent: "CURL/7.0", country: "FR", asnum: 64512, threat: 80, score: 3, bot: true },
  { host: "www.example.com", method: "HEAD", path: "/", query: "", agent: "Googlebot/2.1 (+http://www.google.com/bot.html)", country: "BE", asnum: 15169, threat: 0, score: 50, bot: true },
].map((event) => Object.assign(event, { path: unshared(event.path), host: unshared(event.host), agent: unshared(event.agent) })); // prettier-ignore

/** Texts of requests are no literals of the program: comparing them takes more than comparing addresses. */
function unshared(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/** Five rules beside filtrex and two implementations of CEL, and by hand, in one process. */
export async function expression(): Promise<Finding[]> {
  const engines = createEngines();
  const contexts = events.map((event) =>
    createContext(
      Object.fromEntries(Object.entries(event).map(([name, value]) => [fieldOf[name as keyof Event], value])),
    ),
  );
  const environment = celEnv({ funcs: strings });
  return comparisons.flatMap(({ what, zoneward, filtrex, cel, byHand }) => {
    const compiled = compileExpression(zoneward, engines);
    const ofFiltrex = compileFiltrex(filtrex, {
      extraFunctions: {
        startsWith: (text: string, part: string) => text.startsWith(part),
        contains: (text: string, part: string) => text.includes(part),
        lower: (text: string) => text.toLowerCase(),
      },
    }) as (event: Event) => unknown;
    const planned = plan(environment, parseCel(cel));
    const ofCelJs = parseCelJs(cel);
    const contestants = {
      zoneward: { evaluate: compiled.evaluate, inputs: contexts },
      byHand: { evaluate: byHand, inputs: events },
      filtrex: { evaluate: ofFiltrex, inputs: events },
      "cel-js": { evaluate: ofCelJs, inputs: events },
      "@bufbuild/cel": { evaluate: planned, inputs: events },
    } as unknown as Record<string, Contestant>;
    requireEqualAnswers(what, contestants);
    const costs = measure(contestants);
    compiled.free();
    return findings(what, costs);
  });
}

interface Contestant {
  readonly evaluate: (input: unknown) => unknown;
  readonly inputs: readonly unknown[];
}

function requireEqualAnswers(what: string, contestants: Readonly<Record<string, Contestant>>): void {
  const answers = Object.values(contestants).map(({ evaluate, inputs }) =>
    inputs.map((input) => evaluate(input)).join(),
  );
  if (new Set(answers).size > 1) throw new Error(`${what}: ${JSON.stringify(answers)}`);
}

/** CPU nanoseconds an evaluation, in turns (A B A B ...). */
function measure(contestants: Readonly<Record<string, Contestant>>): Record<string, number[]> {
  const costs: Record<string, number[]> = {};
  for (const contestant of Object.values(contestants)) run(contestant, size.warmUp);
  for (let round = 0; round < size.rounds; round += 1) {
    for (const [name, contestant] of Object.entries(contestants)) {
      const before = process.cpuUsage();
      run(contestant, size.evaluations);
      const { user, system } = process.cpuUsage(before);
      costs[name] = [...(costs[name] ?? []), ((user + system) * 1000) / size.evaluations];
    }
  }
  return costs;
}

/** Returns the number of true results, so that no evaluation can be left out. */
function run({ evaluate, inputs }: Contestant, evaluations: number): number {
  let count = 0;
  for (let n = 0; n < evaluations; n += 1) if (evaluate(inputs[n % inputs.length]) === true) count += 1;
  return count;
}

function findings(what: string, costs: Readonly<Record<string, number[]>>): Finding[] {
  const { zoneward = [], byHand = [], ...peers } = costs;
  return [
    {
      what: `${what}: a rule / a function by hand`,
      values: ratios(zoneward, byHand),
      unit: "x",
      budget: { most: 3, aim: 2 },
    },
    ...Object.entries(peers).map(([name, peer]): Finding => ({
      what: `${what}: a rule / ${name}`,
      values: ratios(zoneward, peer),
      unit: "x",
      budget: { most: 1 },
    })),
    { what: `${what}: CPU`, values: zoneward, unit: "ns" },
  ];
}
