import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("the gateway's networks show how they are called, what answers, and which have ended", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await fetch(`${app.gatewayUrl}/v1/sepolia`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", method: "eth_noSuchMethod", params: [], id: 1 }),
  });
  await open("/networks");
  const sepolia = page.getByRole("region", { name: "Network sepolia" });
  await sepolia.getByText("A development chain in this process").waitFor();
  await sepolia.getByRole("img", { name: "1 call in the last 60 minutes, at most 1 in one" }).waitFor();
  const rinkeby = page.getByRole("region", { name: "Network rinkeby" });
  await rinkeby.getByText("It was retired on 2023-01-30").waitFor();
  await rinkeby.getByText("Use sepolia instead").waitFor();
  await assertAccessible(page);
});
