import { parseArgs } from "node:util";

import { checkUpstream, type UpstreamCheck } from "../gateway/check.ts";

const usageError = 2;
const failure = 1;

interface Asked {
  readonly url: string;
  readonly chainId: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** `zoneward gateway check URL`: what a node can do of what the gateway offers. Answers the exit code. */
export async function gateway(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  if (asked === undefined) {
    process.stderr.write("Usage: zoneward gateway check URL [--chain-id N] [--header 'NAME: VALUE']\n");
    return usageError;
  }
  let check: UpstreamCheck;
  try {
    check = await checkUpstream(asked.url, asked.headers, () => new Date());
  } catch (error) {
    process.stderr.write(
      `zoneward: it cannot be used: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return failure;
  }
  process.stdout.write(report(check));
  if (asked.chainId === undefined || asked.chainId === check.chainId) return 0;
  process.stderr.write(
    `zoneward: it cannot be used: its chain id is ${check.chainId}, not ${asked.chainId}\n`,
  );
  return failure;
}

function readArguments(args: readonly string[]): Asked | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { "chain-id": { type: "string" }, header: { type: "string", multiple: true, default: [] } },
    });
    const [action, url = "", ...rest] = positionals;
    const chainId = values["chain-id"];
    const headers = values.header.map((header) => /^([^:\s]+):\s*(.*)$/.exec(header)?.slice(1) ?? []);
    const isUnderstood =
      action === "check" &&
      rest.length === 0 &&
      /^https?:/.test(url) &&
      URL.canParse(url) &&
      (chainId === undefined || /^\d{1,15}$/.test(chainId)) &&
      headers.every(({ length }) => length === 2);
    if (!isUnderstood) return undefined;
    return {
      url,
      chainId: chainId === undefined ? undefined : Number(chainId),
      headers: Object.fromEntries(headers) as Record<string, string>,
    };
  } catch {
    return undefined;
  }
}

function report(check: UpstreamCheck): string {
  const { chainId, network, missing, narrow, supported } = check;
  const rows = [
    ["Chain id", `${chainId}${network === undefined ? "" : ` (${network})`}`],
    ["Client", check.client],
    ["Newest block", `${check.newestBlock}, ${check.ageSeconds} s old`],
    ["Final block", check.finalizedBlock === undefined ? "not told" : String(check.finalizedBlock)],
    ["Methods", `${supported.length} of ${supported.length + missing.length} that the gateway offers`],
    ...missing.map((method) => ["  missing", method]),
    ...narrow.map(({ method, message }) => ["  narrower", `${method}: ${message}`]),
  ];
  return rows.map(([label = "", value = ""]) => `${label.padEnd(14)} ${value}\n`).join("");
}
