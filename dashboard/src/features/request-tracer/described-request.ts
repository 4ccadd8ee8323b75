import { planOrder } from "../../../../src/core/expression/phases.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import type { RequestOnPage } from "../../expression/explainer.ts";
import { readHeaders, type TracedRequest } from "./traced-request.ts";

/** The request as rules see it, as far as the page knows it: its address is known to the server alone. */
export function describedRequest(request: TracedRequest, zone: Zone): RequestOnPage {
  const country = request.country.toUpperCase();
  return {
    method: request.method.toUpperCase(),
    url: request.url,
    protocol: request.protocol,
    headers: readHeaders(request.headers).headers,
    cookies: {},
    body: request.body,
    zone: { name: zone.name, plan: planOrder.find((plan) => plan === zone.plan.legacy_id) ?? "free" },
    address: "",
    time: Math.floor(Date.now() / 1000),
    known: {
      ...(country !== "" && { "ip.src.country": country }),
      ...(request.botScore !== undefined && { "cf.bot_management.score": request.botScore }),
    },
  };
}
