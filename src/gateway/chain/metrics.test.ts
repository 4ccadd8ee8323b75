import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import { createGatewayMetrics } from "./metrics.ts";

test("calls are counted by their labels, and by the time that they took, however often the metrics are read", async () => {
  const register = new Registry();
  const metrics = createGatewayMetrics(register);
  metrics.called("mainnet", "eth_chainId", "HIT", "ok", 0.0004);
  await register.metrics();
  metrics.called("mainnet", "eth_chainId", "HIT", "ok", 0.02);
  metrics.called("mainnet", "eth_chainId", "MISS", "ok", 20);
  metrics.called("mainnet", "of_a_client", "NONE", "error", 0.001);
  const lines = (await register.metrics()).split("\n");
  const name = "zoneward_gateway_call_duration_seconds";
  for (const line of [
    `# TYPE ${name} histogram`,
    'zoneward_gateway_calls_total{network="mainnet",method="eth_chainId",cache="HIT",outcome="ok"} 2',
    'zoneward_gateway_calls_total{network="mainnet",method="eth_chainId",cache="MISS",outcome="ok"} 1',
    'zoneward_gateway_calls_total{network="mainnet",method="other",cache="NONE",outcome="error"} 1',
    `${name}_bucket{le="0.0005",network="mainnet",method="eth_chainId"} 1`,
    `${name}_bucket{le="0.025",network="mainnet",method="eth_chainId"} 2`,
    `${name}_bucket{le="10",network="mainnet",method="eth_chainId"} 2`,
    `${name}_bucket{le="+Inf",network="mainnet",method="eth_chainId"} 3`,
    `${name}_count{network="mainnet",method="eth_chainId"} 3`,
    `${name}_sum{network="mainnet",method="eth_chainId"} 20.0204`,
    `${name}_bucket{le="0.001",network="mainnet",method="other"} 1`,
  ]) {
    assert.ok(lines.includes(line), `${line} in ${lines.join("\n")}`);
  }
});
