import type { TestApp } from "./harness.ts";

export const zoneRead = "c8fed203ed3043cba015a93ad1616f1f";
export const dnsRead = "82e64a83756745bbbb1c9c2701bf816b";
export const dnsWrite = "4755a26eedb94da69e1066d98aa820be";
export const tokensWrite = "686d18d5ac6c441c867cbf6771e58a0a";
export const accountSettingsRead = "c1fde68c7bcc44588cbb6ddbc16d6480";

/** The header of a token. */
export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

interface PolicyParts {
  readonly effect?: string;
  readonly resources?: object;
  readonly groups?: readonly string[];
}

/** A policy as a body has it: reading the DNS of all zones, but for what is given. */
export const policy = ({ effect = "allow", resources, groups = [dnsRead] }: PolicyParts) => ({
  effect,
  resources: resources ?? { "com.cloudflare.api.account.zone.*": "*" },
  permission_groups: groups.map((id) => ({ id })),
});

/** Counts tokens of the owner, expired ones too. */
export async function countTokens(app: TestApp): Promise<number> {
  const { body } = await app.request("GET", "/user/tokens?include_expired=true");
  return body.result_info?.total_count ?? Number.NaN;
}
