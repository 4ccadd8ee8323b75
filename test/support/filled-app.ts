import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

import type { Config } from "../../src/config/settings.ts";
import { newDirectory, startTestApp, until, type TestApp } from "./harness.ts";

const seed = {
  accounts: [{ name: "Second" }],
  invites: [{ account: "Second", email: "guest@example.com" }],
  zones: [
    {
      name: "example.com",
      records: [
        {
          type: "A",
          name: "www",
          content: "192.0.2.1",
          proxied: true,
          comment: "größer",
          tags: ["a:b", "a:c"],
        },
        { type: "MX", name: "@", content: "mail.example.net", priority: 10 },
      ],
      settings: { ssl: "strict" },
      rulesets: [
        {
          phase: "http_request_firewall_custom",
          rules: [{ action: "block", expression: "ip.src eq 192.0.2.1" }],
        },
      ],
      waf_overrides: [{ urls: ["example.com/*"] }],
      certificate_packs: [{ hosts: ["example.com"], validity_days: 90, certificate_authority: "google" }],
    },
  ],
};

/** A server with something in most tables, certificates included. */
export async function startFilledApp(
  t: TestContext,
  engine: "sqlite" | "postgres",
  settings: Partial<Config> = {},
): Promise<TestApp> {
  const seedFile = join(newDirectory(t), "seed.json");
  writeFileSync(seedFile, JSON.stringify(seed));
  const app = await startTestApp(t, engine, { seed: seedFile, ...settings }, { issuanceRoundMs: 50 });
  const { body } = await app.request("GET", "/zones");
  const packs = `/zones/${body.result[0].id}/ssl/certificate_packs`;
  await until("the certificates", async () => {
    const { result } = (await app.request("GET", packs)).body;
    return result.length > 0 && result.every(({ status }: { status: string }) => status === "active");
  });
  return app;
}

/** The store in the notation of `zoneward database copy`. */
export const storeOf = ({ config }: TestApp): string =>
  config.database ?? `sqlite:${join(config.data, "zoneward.sqlite")}`;
/** The settings by which a command finds the store of a server. */
export const flagsOf = ({ config }: TestApp): string[] => [
  `--data=${config.data}`,
  ...(config.database === undefined ? [] : [`--database=${config.database}`]),
  ...(config.secret_key_file === undefined ? [] : [`--secret-key-file=${config.secret_key_file}`]),
];
