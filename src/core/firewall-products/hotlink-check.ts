import { type RequestContext, textOf } from "../expression/context.ts";
import type { ProductVerdict } from "./product.ts";

/**
 * Hotlink protection: blocks a request for an image that a page of another site shows, as its `Referer` says.
 * One without a `Referer` passes, and so does one below a directory `hotlink-ok`.
 */
export function checkHotlink(request: RequestContext, zoneName: string): ProductVerdict | undefined {
  const path = textOf(request, "http.request.uri.path");
  if (!/\.(?:gif|ico|jpe?g|png)$/i.test(path) || path.includes("/hotlink-ok/")) return undefined;
  const referrer = textOf(request, "http.referer").trim();
  if (referrer === "" || isOfZone(hostOf(referrer), zoneName)) return undefined;
  return { ruleId: "hot", description: "Hotlink protection", action: "block", skips: [] };
}

function hostOf(url: string): string {
  const [, host = ""] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:@]*)/i.exec(url) ?? [];
  return host.toLowerCase().replace(/\.$/, "");
}

function isOfZone(host: string, zoneName: string): boolean {
  return host === zoneName || host.endsWith(`.${zoneName}`);
}
