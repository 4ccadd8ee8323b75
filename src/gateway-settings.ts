import { parseNetworks } from "./gateway/network-settings.ts";
import type { NetworkSettings } from "./gateway/networks.ts";
import { choice, integer, list, setting } from "./setting-forms.ts";

/** The settings of the JSON-RPC gateway (decisions 24 to 26). */
export const gatewaySettings = {
  gateway_networks: setting<readonly NetworkSettings[]>(
    [],
    {
      form: "JSON",
      secret: true,
      help: "Networks of the JSON-RPC gateway with their upstreams, as docs/gateway.md describes them.",
    },
    parseNetworks,
  ),
  gateway_auth: choice("auto", ["auto", "none", "token"], {
    help:
      "Who may call the gateway: anybody, or whoever has *Web3 Hostnames Read* on any zone. " +
      "`auto` is `none` on a loopback host, else `token`.",
  }),
  gateway_method_refusal: choice("200", ["200", "403"], {
    help: "Status of a single call to the gateway whose method is refused; in a batch it is 200 always.",
  }),
  gateway_body_bytes_max: integer(1024 * 1024, {
    min: 1024,
    max: 64 * 1024 * 1024,
    help: "Most bytes of a request to the gateway.",
  }),
  gateway_response_bytes_max: integer(32 * 1024 * 1024, {
    min: 1024,
    max: 512 * 1024 * 1024,
    help: "Most bytes of an answer of the gateway, and of an upstream.",
  }),
  gateway_batch_calls_max: integer(1000, { min: 1, max: 100_000, help: "Most calls in one batch." }),
  gateway_cache_bytes_max: integer(64 * 1024 * 1024, {
    min: 0,
    max: 16 * 1024 * 1024 * 1024,
    help: "Memory for cached answers of each network of the gateway; 0 keeps none.",
  }),
  gateway_rate_limit: integer(0, {
    min: 0,
    max: 1_000_000_000,
    help:
      "Calls to the gateway that one address (of IPv6 one /64), or one token where tokens are asked for, may make in a " +
      "minute; 0 sets no limit.",
  }),
  gateway_cors_origins: list([], {
    form: "ORIGIN,...",
    accepts: (entry) => entry === "*" || (URL.canParse(entry) && new URL(entry).origin === entry),
    rule: "must be a list of origins such as https://app.example, or *",
    help: "Web pages that may call the gateway from a browser.",
  }),
};
