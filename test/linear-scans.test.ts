import { describe, test } from "node:test";
import { clientNetwork } from "../src/core/net/client-network.ts";
import { parseCidr } from "../src/core/net/ip-range.ts";
import { decodeCharacterString, splitTokens } from "../src/core/dns/content/character-string.ts";
import { parseZoneName, toAsciiName } from "../src/core/dns/content/name.ts";
import { normalizeContentFilter, parseRdata } from "../src/core/dns/content/rdata.ts";
import { recordTypes } from "../src/core/dns/content/record-types.ts";
import { parseSvcParams } from "../src/core/dns/content/service-binding.ts";
import { printAttributes } from "../src/core/dns/zone-file/attributes.ts";
import { parseZoneFile } from "../src/core/dns/zone-file/parse.ts";
import { compileValueExpression } from "../src/core/expression/compile/compile.ts";
import { createContext } from "../src/core/expression/context.ts";
import { parseExpression, parseValueExpression } from "../src/core/expression/parse.ts";
import { quoteBytes } from "../src/core/expression/print.ts";
import { translatePattern } from "../src/core/expression/regex-dialect.ts";
import { readMultipart } from "../src/core/forms/multipart.ts";
import { exceededBound } from "../src/core/json.ts";
import { actionIssues } from "../src/core/page-rules/actions.ts";
import { matchesGlob, parseUrlPattern } from "../src/core/page-rules/url-pattern.ts";
import { readRecording } from "../src/core/recorded-requests/recording.ts";
import { splitUrl } from "../src/core/judging/described-request.ts";
import { urlExpression } from "../src/core/waf-plan/page-rules.ts";
import { parseBody } from "../src/gateway/chain/json-rpc.ts";
import { verdictOn } from "../src/gateway/upstreams/verdict.ts";
import { readCredentials } from "../src/api/credentials.ts";
import { readDeviceCookie, readSessionId } from "../src/api/session-cookie.ts";
import { parseQuery } from "../src/api/query.ts";
import { createRouter, readTarget } from "../src/api/router.ts";
import { createEngines } from "../src/engines/engines.ts";
import { operations } from "../src/server/operations.ts";
import { parseConfiguration } from "../src/resources/access-rules/configuration.ts";
import { checkPurge } from "../src/resources/cache/purge.ts";
import { readBundle } from "../src/resources/custom-certificates/bundle.ts";
import { parseRecord, recordRules } from "../src/resources/dns-records/record.ts";
import { withoutRepeats } from "../src/resources/security-events/graphql-schema.ts";
import { isContentPath, refuseContent } from "../src/resources/web3-hostnames/web3-hostnames.ts";
import { assertLinear } from "./support/growth.ts";
import { thirdOf } from "./support/rounds.ts";
import { fieldsOf, requestOf } from "./support/request-context.ts";

const zoneName = "example.com";
const zoneFile = { zoneName, ttlDefault: 1 };
const rules = recordRules({ name: zoneName, plan: "enterprise" }, { originNetworks: [] });
const record = { type: "A", name: "a", content: "192.0.2.1" };
const router = createRouter([{ basePath: "/client/v4", routes: operations }]);
const logLine = (request: string, agent: string): string =>
  `a b c [01/Jan/2020:00:00:00 +0000] "${request}" 200 1 "-" "${agent}"`;

interface Scan {
  readonly reads: (text: string) => unknown;
  /** Repeated units: each alone fills an input. */
  readonly units: readonly string[];
  /** Characters that are not refused at once for their number; 65,536 where none are. */
  readonly length?: number;
}

/** Every scan of our own over what a client sends, with the texts that cost it most. */
const scans: Readonly<Record<string, Scan>> = {
  "a query": { reads: parseQuery, units: ["[", "a[", "[]", "%5B", "%"], length: 8_192 },
  "names in a query": { reads: (text) => parseQuery(`${text}=1`), units: ["[", "[[]"], length: 256 },
  "credentials in Authorization": {
    reads: (text) => readCredentials({ authorization: text }),
    units: [" ", "a", "bearer ", "Bearer  a"],
  },
  "an e-mail and a key": {
    reads: (text) => readCredentials({ "x-auth-email": text, "x-auth-key": text }),
    units: ["a", "@", "a@", "0"],
  },
  "a cookie": {
    reads: (text) => [readSessionId, readDeviceCookie].map((read) => read({ headers: { cookie: text } })),
    units: [";", "; ", " ", "zoneward_session=", ";zoneward_device=a"],
  },
  "a path": {
    reads: (text) => router(readTarget(`/client/v4/${text}`)?.segments ?? []),
    units: ["/", "zones/", "/zones/a/dns_records", "%", "%41", "http://"],
  },
  "an address": { reads: clientNetwork, units: [":", "1.", "%"] },
  "a range of addresses": { reads: parseCidr, units: [":", "1", "/", "1.1/"] },
  "the nesting of JSON": {
    reads: (text) => exceededBound(`"${text}`, { levelsMax: Number.POSITIVE_INFINITY }),
    units: ["[", '"', "\\", '\\"', '"[', "]"],
  },
  "a form": {
    reads: (text) =>
      readMultipart({
        bytes: new TextEncoder().encode(`--a\r\n${text}\r\n--a--`),
        contentType: "multipart/form-data; boundary=a",
      }),
    units: ["\n--a ", "--a\t", "\r\n", "--", "a:b\r\n", "content-disposition:form-data;name=a;"],
  },
  "the media type of a form": {
    reads: (contentType) => readMultipart({ bytes: new Uint8Array(), contentType }),
    units: [";", "; a=", ';a="', ';a="\\', "\t", ";=", " "],
  },
  "a body of JSON-RPC": {
    reads: (text) => parseBody(`[{"jsonrpc":"2.0","id":1,"method":"a","params":["${text}"]}]`, 1),
    units: ["a", "\\\\", '\\"', '","', '"],"a":["'],
  },
  "what a node says is wrong": {
    reads: (message) =>
      verdictOn(
        { method: "eth_call", params: [], paramsText: "[]" },
        { text: "", value: { message }, errorCode: -32_000 },
        { answered: 0, head: undefined, nodeHead: undefined },
      ),
    units: ["state ", "state a ", "block ", "a"],
  },
  "a name": { reads: toAsciiName, units: [".", "a.", "a", "ü"], length: 1_024 },
  "the name of a zone": { reads: parseZoneName, units: ["a.", "-", "1."], length: 1_024 },
  "the content that is looked for": {
    reads: normalizeContentFilter,
    units: ['"', '\\"', " ", "\t$", "1 ", '"" ', "a."],
  },
  "the tokens of a record": { reads: splitTokens, units: ["a ", '"', '""', "\\", "\\a", " ", "\t"] },
  "a character string": { reads: decodeCharacterString, units: ["\\", "\\1", "\\100", '"', "a", "é\\é"] },
  "service parameters": { reads: parseSvcParams, units: ["a=b ", "=", "alpn=", 'alpn="a,"', "\\"] },
  ...Object.fromEntries(
    recordTypes.map((type) => [
      `the content of ${type}`,
      {
        reads: (content: string) => parseRdata(type, { content, priority: 1 }, zoneName),
        units: ["a", '"', '""', "\\", "0 ", "{", "."],
        length: 32_768,
      },
    ]),
  ),
  "a zone file": {
    reads: (text) => parseZoneFile(text, zoneFile),
    units: ["(", ";\n", "a A 192.0.2.1\n", " \n", "$TTL 1\n"],
  },
  "one record of a zone file": {
    reads: (text) => parseZoneFile(`a TXT ${text}`, zoneFile),
    units: ["a ", '"" ', "\\", "(", "( ) ", "a\\032"],
    length: 32_768,
  },
  "a TTL": { reads: (text) => parseZoneFile(`a ${text} TXT b`, zoneFile), units: ["0", "1h", "1"] },
  "a comment in a zone file": {
    reads: (text) => parseZoneFile(`a A 192.0.2.1 ;${text}`, zoneFile),
    units: [" cf_tags=", "cf_tags=", " ", "a:1,"],
  },
  "tags in a zone file": {
    reads: (text) => parseZoneFile(`a A 192.0.2.1 ; cf_tags=${text}`, zoneFile),
    units: ["a:", 'a:"', 'a:"",', ",", "a,", "1,"],
  },
  "comments and tags that are printed": {
    reads: (text) => printAttributes(text, [text, `a:${text}`], []),
    units: ["\r\n", '"', "cf_tags="],
  },
  "a comment and tags of a record": {
    reads: (text) =>
      [
        () => parseRecord({ ...record, comment: text }, rules),
        () => parseRecord({ ...record, tags: [text] }, rules),
      ].map(ignoringErrors),
    units: ["a", "a:", "\t", "é"],
  },
  "a URL pattern": {
    reads: (text) => parseUrlPattern(text, zoneName),
    units: ["a", "a.", "-", "*", "/", ":1"],
  },
  "the host of a URL pattern": {
    reads: (text) => parseUrlPattern(`${text}example.com/*`, zoneName),
    units: ["a-", "a.", "-"],
  },
  "a URL under a pattern": { reads: (text) => matchesGlob("*/a*b*c", text), units: ["/", "a", "/a", "/ab"] },
  "a URL pattern as an expression": {
    reads: (path) =>
      urlExpression({ scheme: undefined, host: "*", port: undefined, path: `/"${path}`, hasQuery: false }),
    units: ["#", '"#', "*", "\\"],
  },
  "what a page rule does": {
    reads: (text) =>
      actionIssues([
        { id: "host_header_override", value: text },
        { id: "forwarding_url", value: { url: `http://${text}`, status_code: 301 } },
        { id: "cache_on_cookie", value: text },
      ]),
    units: ["a", "a.", "-"],
  },
  "a filter expression": {
    reads: (text) => parseExpression(`ssl or ${text}`),
    units: ["ssl or ", "(", "not ", "notnot", "a.", " ", "any(", "http.host eq "],
    length: 4_096,
  },
  "the literals of an expression": {
    reads: (text) =>
      [
        () => parseExpression(`http.host in {${text}}`),
        () => parseExpression(`ip.src in {${text}}`),
        () => parseExpression(`http.host matches "${text}"`),
        () => parseExpression(`http.host wildcard "${text}"`),
        () => parseValueExpression(`concat(http.host, ${text})`),
      ].map(ignoringErrors),
    units: ['"a" ', "1.1.1.1 ", "[", "\\", "*a", '"a", ', "0a:"],
    length: 4_000,
  },
  "a regular expression": {
    reads: translatePattern,
    units: ["(", "[", "{", "\\", "(?", "(?P<", "\\x{", "\\p{", "{1", "[:a", "#"],
    length: 4_096,
  },
  "octets that are printed": { reads: quoteBytes, units: ['"', "\\", "\u0001", "\xff"] },
  "an access log": {
    reads: (text) => readRecording(text, zoneName),
    units: ["a", " ", '"', "[", " a", `${logLine("GET / HTTP/1.1", "-")}\n`],
  },
  "a line of an access log": {
    reads: (text) =>
      [
        () => readRecording(logLine(text, "-"), zoneName),
        () => readRecording(logLine("GET / HTTP/1.1", text), zoneName),
      ].map(ignoringErrors),
    units: ["\\x41", "\\x41 ", "\\n", '\\"', " ", "a"],
    length: 4_096,
  },
  "a HAR": {
    reads: (text) => {
      const pair = { name: `${text}a`, value: text };
      const postData = { mimeType: text, params: [pair] };
      const sent = { method: "GET", url: `https://a/${text}`, headers: [pair], postData };
      return readRecording(JSON.stringify({ log: { entries: [{ request: sent }] } }), zoneName);
    },
    units: ["a", "%", "=", ";"],
    length: 8_192,
  },
  "a URL": {
    reads: (text) => splitUrl(`https://${text}`),
    units: ["@", "a", "/", "?", "#", "a@", ":", ":1", "."],
  },
  "the fields of a request": {
    reads: (text) =>
      fieldsOf(
        requestOf(`https://${zoneName}/${text}?${text}`, {
          headers: {
            cookie: text,
            "accept-language": text,
            "content-type": "application/x-www-form-urlencoded",
          },
          body: text,
        }),
      ),
    units: [";", "; ", ", ", "=", "&", "a&", "%", "%;", "%ff;", "%2", "/", "../", "\\"],
    length: 8_192,
  },
  "the values that an access rule is for": {
    reads: (value) =>
      (["ip", "ip_range", "asn", "country"] as const)
        .map((target) => () => parseConfiguration({ target, value }))
        .map(ignoringErrors),
    units: ["1", ":", "/", "A", "1."],
  },
  "what is purged": {
    reads: (text) =>
      [{ prefixes: [text] }, { files: [`http://${text}`] }, { hosts: [text] }]
        .map((body) => () => checkPurge(body, { name: zoneName, plan: "enterprise" }))
        .map(ignoringErrors),
    units: ["a", "/", "a.", "@"],
  },
  "certificates in PEM": {
    reads: (text) => readBundle(text, text, zoneName, new Date(0)),
    units: ["-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----a", "-", "a"],
  },
  "content on IPFS": {
    reads: (text) =>
      [() => isContentPath(`/ipfs/${text}`), () => refuseContent("cid", text, "")].map(ignoringErrors),
    units: ["a", "/", " ", "b", "Qm1"],
  },
};

function ignoringErrors(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** A client repeats an order, after many of another. */
const orders = (text: string) =>
  Array.from(text, (letter) => ({
    by: letter === "a" ? ("count" as const) : ("action" as const),
    direction: "asc" as const,
  }));

describe("the work on what a client sends grows no faster than that", () => {
  for (const [title, { reads, units, length }] of Object.entries(scans)) {
    test(title, async () => {
      for (const unit of thirdOf(units)) {
        const input = (characters: number): string =>
          unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters);
        await assertLinear(
          `${title} of ${JSON.stringify(unit)}`,
          reads,
          input,
          length === undefined ? {} : { length },
        );
      }
    });
  }

  test("orders of a query", async () => {
    const half = (length: number): string => "a".repeat(length / 2) + "b".repeat(length / 2);
    await assertLinear("orders", (text) => withoutRepeats(orders(text)), half);
  });

  test("arrays that an expression joins", async () => {
    const field = "http.request.headers.names";
    const joined = (length: number): string =>
      `join(concat(${Array.from({ length: length / 32 }, () => field).join(", ")}), "")`;
    const context = createContext({ [field]: Array.from({ length: 1_000 }, (_, index) => `name-${index}`) });
    const compiled = new Map(
      [4_096, 128]
        .map((length) => joined(length))
        .map((source) => [source, compileValueExpression(source, createEngines())]),
    );
    await assertLinear("arrays", (source) => compiled.get(source)?.evaluate(context), joined, {
      length: 4_096,
      parts: 32,
    });
  });
});
