import { parseArgs } from "node:util";

import { checkUpstream, type UpstreamCheck } from "../gateway/upstreams/check.ts";
import { runToEnd, UsageError, printable } from "./command-line.ts";

interface Asked {
  readonly url: string;
  readonly chainId: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** `zoneward gateway check URL`: lists the gateway's methods and ranges that a node supports. */
export async function gateway(args: readonly string[]): Promise<number> {
  return runToEnd(async () => {
    const { url, chainId, headers } = readArguments(args);
    const check = await checkUpstream(url, headers, () => new Date()).catch((error: unknown) => {
      throw unusable(error instanceof Error ? error.message : String(error));
    });
    process.stdout.write(report(check));
    if (chainId !== undefined && chainId !== check.chainId) {
      throw unusable(`its chain id is ${check.chainId}, not ${chainId}`);
    }
  });
}

function unusable(why: string): Error {
  return new Error(`the node cannot be used: ${why}`);
}

function readArguments(args: readonly string[]): Asked {
  const { values, positionals } = parse(args);
  const [action, url = "", ...rest] = positionals;
  const chainId = values["chain-id"];
  const headers = values.header.map((header) => /^([^:\s]+):\s*(.*)$/.exec(header)?.slice(1) ?? []);
  const isValid =
    action === "check" &&
    rest.length === 0 &&
    /^https?:/.test(url) &&
    URL.canParse(url) &&
    (chainId === undefined || /^\d{1,15}$/.test(chainId)) &&
    headers.every(({ length }) => length === 2);
  if (!isValid) throw wrongUsage();
  return {
    url,
    chainId: chainId === undefined ? undefined : Number(chainId),
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { "chain-id": { type: "string" }, header: { type: "string", multiple: true, default: [] } },
    });
  } catch {
    throw wrongUsage();
  }
}

/** The error for a wrong command line. It quotes no argument: a URL or a header may hold a secret. */
function wrongUsage(): UsageError {
  return new UsageError("expected `gateway check URL`; zoneward gateway --help lists its flags");
}

function report(check: UpstreamCheck): string {
  const { chainId, network, missing, narrow, supported } = check;
  const rows = [
    ["Chain id", `${chainId}${network === undefined ? "" : ` (${network})`}`],
    ["Client", check.client],
    ["Newest block", `${check.newestBlock}, ${check.ageSeconds} s old`],
    ["Final block", check.finalizedBlock === undefined ? "unknown" : String(check.finalizedBlock)],
    ["Methods", `${supported.length} of ${supported.length + missing.length} that the gateway offers`],
    ...missing.map((method) => ["  missing", method]),
    ...narrow.map(({ method, message }) => ["  narrower", `${method}: ${message}`]),
  ];
  return rows.map(([label = "", value = ""]) => `${label.padEnd(14)} ${printable(value)}\n`).join("");
}
