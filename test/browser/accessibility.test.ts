import { describe, test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

/** Every page, by what its heading says; `ZONE` and `ACCOUNT` stand for their ids. */
const pages: readonly (readonly [path: string, heading: string])[] = [
  ["/", "Zones"],
  ["/zones/ZONE", "example.com"],
  ["/zones/ZONE/dns", "DNS records"],
  ["/zones/ZONE/ssl", "Certificates"],
  ["/accounts/ACCOUNT/members", "Members"],
  ["/accounts/ACCOUNT/audit-log", "Audit log"],
  ["/profile/sign-in", "Sign-in and key"],
  ["/profile/memberships", "Memberships"],
  ["/zones/ZONE/security/waf/managed-rules", "WAF managed rules"],
  ["/zones/ZONE/security/waf/managed-rules?package=c504870194831cd12c3fc0284f294abb", "WAF managed rules"],
  ["/zones/ZONE/security/waf/managed-rules/new", "Deploy a managed ruleset"],
  ["/zones/ZONE/security/waf/managed-rules/new?action=skip", "Add an exception"],
  ["/zones/ZONE/security/events", "Security events"],
  ["/zones/ZONE/security/events/replay", "Replay requests"],
  ["/profile/tokens", "API tokens"],
  ["/profile/tokens/new", "New API token"],
  ["/profile/tokens/new?template=create-tokens", "Create additional tokens"],
  ["/nowhere", "There is no such page"],
];

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1280, 360])
    describe(`in ${colorScheme} colours and ${width} pixels wide`, () => {
      test("axe-core finds no violation on any page, and none is wider than the window", async (t) => {
        const { app, page, open } = await openDashboard(t, { colorScheme, width });
        const zoneId = await app.createZone("example.com");
        for (const content of ["192.0.2.1", "192.0.2.2"])
          await app.request("POST", `/zones/${zoneId}/dns_records`, {
            body: { type: "A", name: "www", content, proxied: true, comment: "a comment", tags: ["a:b"] },
          });
        for (const [path, heading] of pages) {
          await open(path.replace("ZONE", zoneId).replace("ACCOUNT", app.owner.accountId));
          await page.getByRole("heading", { level: 1, name: heading }).waitFor();
          await assertAccessible(page);
        }
      });

      test("axe-core finds no violation where one signs in", async (t) => {
        const { page, open } = await openDashboard(t, { colorScheme, width, isSignedIn: false });
        for (const [path, heading] of [
          ["/sign-in", "Sign in"],
          ["/first-sign-in#token", "First sign-in"],
        ] as const) {
          await open(path);
          await page.getByRole("heading", { level: 1, name: heading }).waitFor();
          await assertAccessible(page);
        }
      });
    });
