import type { Plan } from "../../../src/core/expression/phases.ts";

/** Parts of names that are written otherwise than as a word. */
const spellings: Readonly<Record<string, string>> = {
  "0rtt": "0-RTT",
  ai: "AI",
  ast: "AST",
  cloudflare: "Cloudflare",
  cname: "CNAME",
  css: "CSS",
  ddos: "DDoS",
  dns: "DNS",
  grpc: "gRPC",
  h2: "HTTP/2",
  html: "HTML",
  http: "HTTP",
  http2: "HTTP/2",
  http3: "HTTP/3",
  https: "HTTPS",
  ip: "IP",
  ipv4: "IPv4",
  ipv6: "IPv6",
  js: "JavaScript",
  nel: "NEL",
  sha1: "SHA-1",
  ssl: "SSL",
  tls: "TLS",
  ttl: "TTL",
  uri: "URI",
  url: "URL",
  waf: "WAF",
  webmcp: "WebMCP",
  webp: "WebP",
  websockets: "WebSockets",
};

/** `min_tls_version` as "Min TLS version". */
export function wordsOf(name: string): string {
  const text = name
    .replace(/tls_1_(\d)/, "TLS 1.$1")
    .split("_")
    .map((part) => spellings[part] ?? part)
    .join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "4 hours"; seconds in the largest unit that divides them. */
export function durationText(seconds: number): string {
  const [unit, length] = units.find(([, unitSeconds]) => seconds % unitSeconds === 0) ?? ["second", 1];
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

/** A value of a setting as people read it. */
export function valueText(id: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number")
    return !id.endsWith("_ttl") ? String(value) : value === 0 ? "as the origin says" : durationText(value);
  if (typeof value === "string") return value === "" ? "empty" : value.replaceAll("_", " ");
  if (Array.isArray(value)) return value.length === 0 ? "empty" : value.join(", ");
  if (value === null || typeof value !== "object") return "none";
  return Object.entries(value)
    .map(([name, part]) => `${wordsOf(name).toLowerCase()}: ${valueText(name, part)}`)
    .join(", ");
}

/** "Enterprise" for the plan `enterprise`. */
export const planName = (id: string): string => (planTitles as Readonly<Record<string, string>>)[id] ?? id;

export const planTitles: Readonly<Record<Plan, string>> = {
  free: "Free",
  pro: "Pro",
  business: "Business",
  enterprise: "Enterprise",
};
