import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { judgeAtLevel } from "../../src/core/seclang/evaluate/judge.ts";
import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";
import type { RuleSet } from "../../src/core/seclang/evaluate/rule.ts";
import { readRuleDirectory } from "../../src/engines/crs-release.ts";
import type { Finding } from "../report.ts";
import { ratios, type Costs } from "../rounds.ts";
import { buildCoraza, buildLibmodsecurity, type Peer } from "./peers.ts";
import { requests } from "./requests.ts";

const size = { rounds: 15, requests: 200, warmUp: 1000 };
/** The share of libmodsecurity's time that a plain GET may take, and the other requests. */
const plainGetMost = 0.4;
const otherMost = 0.5;

/**
 * Five requests judged by the OWASP Core Rule Set at paranoia level 1, beside libmodsecurity and Coraza, on one core
 * each.
 */
export async function crs(): Promise<Finding[]> {
  const directory = mkdtempSync(join(tmpdir(), "zoneward-crs-"));
  const all = Object.values(requests);
  try {
    const peers = [buildLibmodsecurity(directory, all), buildCoraza(directory, all)];
    const findings: Finding[] = [];
    for (const peer of peers) if (peer !== undefined) findings.push(...(await compare(peer)));
    return findings;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function compare(peer: Peer): Promise<Finding[]> {
  const before = process.cpuUsage();
  const rules = await readRuleDirectory(peer.rules);
  const { user, system } = process.cpuUsage(before);
  const loaded = {
    what: `${rules.version}: load, CPU`,
    values: [(user + system) / 1000],
    unit: "ms",
  } as const;
  for (const request of Object.values(requests)) judgeOften(rules, request, size.warmUp);
  const rounds = Array.from({ length: size.rounds }, () => ({
    theirs: peer.measure(size.requests),
    ours: Object.values(requests).map((request) => {
      // The peer warms up in each round too, and its round leaves none of our rules in the caches of the processor.
      judgeOften(rules, request, size.requests);
      return judgeOften(rules, request, size.requests);
    }),
  }));
  const comparisons = Object.keys(requests).flatMap((name, index): Finding[] => {
    const of = (side: "ours" | "theirs"): Costs => rounds.map((round) => round[side][index] ?? Number.NaN);
    const most = index === 0 ? plainGetMost : otherMost;
    return [
      {
        what: `${rules.version}, ${name}: Zoneward / ${peer.name}`,
        values: ratios(of("ours"), of("theirs")),
        unit: "x",
        budget: { most: peer.name === "libmodsecurity" ? most : 1 },
      },
      { what: `${rules.version}, ${name}: CPU`, values: of("ours"), unit: "us" },
    ];
  });
  return [loaded, ...comparisons];
}

/** CPU microseconds a request. */
function judgeOften(rules: RuleSet, request: RuleRequest, count: number): number {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += 1) judgeAtLevel(rules, request, 1);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
