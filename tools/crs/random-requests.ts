import { ordinaryTraffic } from "../../test/crs/ordinary-traffic.ts";
import type { RuleRequest } from "../../src/core/seclang/evaluate/request.ts";

/** Parts of attacks, and texts that confuse those who look for them. */
const pieces = [
  "' or 1=1-- ", "1 union select 1,2,3", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "../../../etc/passwd", ";cat /etc/passwd",
  "$(id)", "`id`", "${jndi:ldap://a}", "<?php system('id');", "http://192.0.2.7/a.txt?", "file:///etc/hosts", "() { :;};", "{{7*7}}", "%0d%0aSet-Cookie: a=b",
  "javascript:alert(1)", "<svg/onload=x>", "sleep(5)", "waitfor delay '0:0:5'", "%00", "%u003c", "&lt;b&gt;", "&#106;", "\\x41", "\\u0041", "%", "%zz", "+", "'",
  '"', "<", ">", "\\", "/*", "*/", "--", "#", "|", "||", "&&", "=", "(", ")", "[", "]", "\u00c3\u00a9", "\u00ff", "select", " from ", "exec(", "java.lang.Runtime", "_GET[",
  "base64,PHN2Zz4=", "document.cookie", "xp_cmdshell", "constructor", "__proto__", "C:\\Windows\\", ".bak", ".git/config", "content-type:", "@@version", "eval(",
]; // prettier-ignore

/** Makes requests of others: pieces of attacks in their queries, bodies and headers, and parts of one in another. */
export class RandomRequests {
  readonly #random: () => number;
  readonly #models: readonly RuleRequest[];

  /** `attacks` are further requests to begin with. `random` answers from 0 to below 1. */
  constructor(random: () => number, attacks: readonly RuleRequest[]) {
    this.#random = random;
    this.#models = [...ordinaryTraffic, ...attacks];
  }

  next(): RuleRequest {
    let request = this.#pick(this.#models) ?? ordinaryTraffic[0];
    if (request === undefined) throw new Error("there is ordinary traffic");
    for (let count = Math.floor(this.#random() * 4); count > 0; count -= 1) request = this.#changed(request);
    return request;
  }

  #changed(request: RuleRequest): RuleRequest {
    const other = this.#pick(this.#models) ?? request;
    switch (Math.floor(this.#random() * 5)) {
      case 0:
        return { ...request, target: this.#withArgument(request.target) };
      case 1:
        return { ...request, target: withQueryOf(request.target, other.target) };
      case 2:
        return this.#withHeader(request, other);
      case 3:
        return { ...request, target: this.#inserted(request.target).replaceAll(/[\0- #\x7f-\xff]/g, "-") };
      default:
        return request.body === "" ? request : this.#withBody(request, this.#inserted(request.body));
    }
  }

  #withArgument(target: string): string {
    const value = this.#text();
    const written = this.#random() < 0.7 ? encodeOctets(value) : value.replaceAll(/[\0- #\x7f-\xff]/g, "+");
    return `${target}${target.includes("?") ? "&" : "?"}${this.#random() < 0.1 ? encodeOctets(this.#text()) : "q"}=${written}`;
  }

  #withHeader(request: RuleRequest, other: RuleRequest): RuleRequest {
    const added = this.#pick(other.headers);
    const names = ["User-Agent", "Referer", "Cookie", "X-Test"];
    const name = this.#pick(names) ?? "";
    const value = this.#text()
      .replaceAll(/[\0\r\n]/g, " ")
      .trim();
    const header =
      added === undefined || this.#random() < 0.5
        ? { name, value: name === "Cookie" ? `a=${value}` : value }
        : added;
    const rest = request.headers.filter((one) => one.name.toLowerCase() !== header.name.toLowerCase());
    return { ...request, headers: [...rest, header] };
  }

  #withBody(request: RuleRequest, body: string): RuleRequest {
    const headers = request.headers.map((header) =>
      header.name.toLowerCase() === "content-length" ? { ...header, value: String(body.length) } : header,
    );
    return { ...request, headers, body };
  }

  #inserted(text: string): string {
    const at = Math.floor(this.#random() * (text.length + 1));
    return text.slice(0, at) + (this.#pick(pieces) ?? "") + text.slice(at);
  }

  #text(): string {
    const count = 1 + Math.floor(this.#random() * 4);
    return Array.from({ length: count }, () => this.#pick(pieces)).join(this.#random() < 0.5 ? "" : " ");
  }

  #pick<Item>(list: readonly Item[]): Item | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }
}

function withQueryOf(target: string, other: string): string {
  const [path = ""] = target.split("?", 1);
  const at = other.indexOf("?");
  return at < 0 ? target : path + other.slice(at);
}

function encodeOctets(bytes: string): string {
  return bytes.replaceAll(/[^\w.~-]/g, (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
