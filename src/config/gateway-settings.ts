import { parseNetworks } from "../gateway/network-settings.ts";
import type { NetworkSettings } from "../gateway/networks.ts";
import { choice, integer, list, setting } from "./setting-forms.ts";

export const gatewaySettings = {
  gateway_networks: setting<readonly NetworkSettings[]>(
    [],
    {
      form: "JSON",
      secret: true,
      help: "Networks of the JSON-RPC gateway and their upstreams; docs/gateway.md describes the format.",
    },
    parseNetworks,
  ),
  gateway_auth: choice("auto", ["auto", "none", "token"], {
    help:
      "Who may call the gateway: anybody (`none`), or only callers with *Web3 Hostnames Read* on some zone (`token`). " +
      "`auto` is `none` on a loopback host, otherwise `token`.",
  }),
  gateway_method_refusal: choice("200", ["200", "403"], {
    help: "HTTP status for a single call of a refused method; for a batch it is always 200.",
  }),
  gateway_body_bytes_max: integer(1024 * 1024, {
    min: 1024,
    max: 64 * 1024 * 1024,
    help: "Most bytes in a request to the gateway.",
  }),
  gateway_response_bytes_max: integer(32 * 1024 * 1024, {
    min: 1024,
    max: 512 * 1024 * 1024,
    help: "Most bytes in an answer of the gateway or of an upstream.",
  }),
  gateway_batch_calls_max: integer(1000, {
    min: 1,
    max: 100_000,
    help: "Most calls in one batch to the gateway.",
  }),
  gateway_cache_bytes_max: integer(64 * 1024 * 1024, {
    min: 0,
    max: 16 * 1024 * 1024 * 1024,
    help: "Bytes of memory for the cached answers of each gateway network; 0 caches nothing.",
  }),
  gateway_rate_limit: integer(0, {
    min: 0,
    max: 1_000_000_000,
    help:
      "Most gateway calls per minute from one address (for IPv6, one /64), or from one token where tokens are required; " +
      "0 sets no limit.",
  }),
  gateway_cors_origins: list([], {
    form: "ORIGIN,...",
    accepts: (entry) => entry === "*" || (URL.canParse(entry) && new URL(entry).origin === entry),
    rule: "must be a list of origins such as https://app.example, or *",
    help: "Origins of web pages that may call the gateway from a browser.",
  }),
};
