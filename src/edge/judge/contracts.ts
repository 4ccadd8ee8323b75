import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { Readable } from "node:stream";

import type { ClientAddresses } from "../../wire/client-address.ts";
import { decodeUrl } from "../../core/seclang/transform/encodings.ts";
import { normalizePath } from "../../core/seclang/transform/texts.ts";
import type { Exchange } from "../request/exchange.ts";
import { RequestBody } from "../request/request-body.ts";
import { readVisitorRequest, RequestRefused } from "../request/visitor-request.ts";

/** The reverse proxies that may ask. Each has its own contract, at a path of this name. */
export const contractNames = ["nginx", "envoy", "traefik", "caddy"] as const;

export type ContractName = (typeof contractNames)[number];

/**
 * A proxy leaves out something that its contract requires: its configuration is wrong, not the visitor's
 * request.
 */
export class AskRefused extends Error {
  override readonly name = "AskRefused";
}

/** The visitor's request line, and who the visitor is. */
interface VisitorRequestLine {
  readonly method: string;
  readonly scheme: string;
  readonly host: string;
  /** Port of the proxy; undefined where its contract does not tell. */
  readonly port?: number | undefined;
  readonly target: string;
  /** The address that connected to the proxy. */
  readonly peer: string;
  /** The `X-Forwarded-For` that the visitor sent. */
  readonly forwardedFor: string;
}

interface Contract {
  readonly read: (asked: AskHeaders, request: IncomingMessage) => VisitorRequestLine;
  /** Whether the proxy itself added the header of this name. */
  readonly isOfProxy: (name: string) => boolean;
  readonly carriesBodies: boolean;
}

/**
 * The headers of a proxy's question. Each that a contract reads must be there exactly once: a second one
 * comes from the visitor.
 */
class AskHeaders {
  readonly #headers: readonly (readonly [name: string, value: string])[];

  constructor({ rawHeaders }: IncomingMessage) {
    this.#headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ""] as const] : [],
    );
  }

  one(name: string): string {
    const [value, ...others] = this.all(name.toLowerCase());
    if (value === undefined || value === "") throw new AskRefused(`${name} is missing`);
    if (others.length > 0) throw new AskRefused(`${name} is there more than once`);
    return value;
  }

  all(name: string): readonly string[] {
    return this.#headers.flatMap(([other, value]) => (other === name ? [value] : []));
  }

  /** The headers that are not left out, names and values alternating. */
  without(isLeftOut: (name: string) => boolean): string[] {
    return this.#headers.filter(([name]) => !isLeftOut(name)).flat();
  }
}

const nginx: Contract = {
  read: (asked) => {
    const [, scheme, host, target] = /^(https?):\/\/([^/?#]+)(.*)$/is.exec(asked.one("X-Original-URL")) ?? [];
    const [, port] = /:(\d{1,5})$/.exec(host ?? "") ?? [];
    if (scheme === undefined || host === undefined || target === undefined) {
      throw new AskRefused("X-Original-URL is not an absolute URL");
    }
    return {
      method: asked.one("X-Original-Method"),
      scheme,
      host,
      port: port === undefined ? undefined : Number(port),
      target,
      peer: asked.one("X-Real-IP"),
      forwardedFor: asked.all("x-forwarded-for").join(","),
    };
  },
  isOfProxy: (name) => name === "x-original-method" || name === "x-original-url" || name === "x-real-ip",
  carriesBodies: false,
};

/** Before the path of the visitor's request. */
const envoyPrefix = "/envoy";

const envoy: Contract = {
  read: (asked, { method = "", url = "" }) => {
    if (!staysBelow(envoyPrefix, url))
      throw new RequestRefused(400, "The path of the request leads out of its root");
    return {
      method,
      scheme: asked.one("X-Forwarded-Proto"),
      host: asked.one("Host"),
      target: url.slice(envoyPrefix.length),
      peer: asked.one("X-Real-IP"),
      forwardedFor: asked.all("x-forwarded-for").join(","),
    };
  },
  isOfProxy: (name) => /^x-(?:envoy-.*|forwarded-proto|real-ip|request-id)$/.test(name),
  carriesBodies: true,
};

/**
 * Whether a target is below a prefix however a proxy normalizes it. Proxies choose by the normalized path which
 * requests they pass on here, and pass on the path as it came: with `..` in it a visitor could ask questions as
 * if it were Envoy.
 */
function staysBelow(prefix: string, target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return `${normalizePath(decodeUrl(path))}/`.startsWith(`${prefix}/`);
}

/** The proxy appends the address that connected to it to `X-Forwarded-For`. */
function readHops(asked: AskHeaders): Pick<VisitorRequestLine, "peer" | "forwardedFor"> {
  const hops = asked.all("x-forwarded-for").flatMap((value) => value.split(",").map((hop) => hop.trim()));
  return { peer: hops.pop() ?? "", forwardedFor: hops.join(", ") };
}

function readForwarded(asked: AskHeaders): VisitorRequestLine {
  return {
    method: asked.one("X-Forwarded-Method"),
    scheme: asked.one("X-Forwarded-Proto"),
    host: asked.one("X-Forwarded-Host"),
    target: asked.one("X-Forwarded-Uri"),
    ...readHops(asked),
  };
}

/** The proxy forwards the visitor's request as it would to an origin. */
const passedOn: Contract = {
  read: (asked, { method = "", url = "" }) => ({
    method,
    scheme: asked.one("X-Forwarded-Proto"),
    host: asked.one("Host"),
    target: url,
    ...readHops(asked),
  }),
  isOfProxy: (name) => /^x-(?:forwarded-.*|real-ip)$/.test(name),
  carriesBodies: true,
};

const contracts: Readonly<Record<ContractName | "passed on", Contract>> = {
  "passed on": passedOn,
  nginx,
  envoy,
  traefik: {
    read: readForwarded,
    isOfProxy: (name) => /^x-(?:forwarded-.*|real-ip)$/.test(name),
    carriesBodies: true,
  },
  caddy: {
    read: readForwarded,
    isOfProxy: (name) => name.startsWith("x-forwarded-"),
    carriesBodies: false,
  },
};

/** Headers of the connection between the proxy and us, or of a body that the contract does not carry. */
const ofConnection: ReadonlySet<string> = new Set(["host", "connection", "transfer-encoding", "expect"]);

const methodsWithoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Reads the request that a proxy asks about: whose it is, and as much of its body as the question carries.
 * Throws AskRefused, and RequestRefused where the visitor's request is malformed.
 */
export function readAsked(
  exchange: Exchange,
  name: ContractName | "passed on",
  clientAddresses: Pick<ClientAddresses, "behind">,
): void {
  const question = exchange.visit.request as IncomingMessage;
  const { read, isOfProxy, carriesBodies } = contracts[name];
  const asked = new AskHeaders(question);
  const { method, scheme, host, port, target, peer, forwardedFor } = read(asked, question);
  if (!/^https?$/i.test(scheme)) throw new AskRefused("the scheme is neither http nor https");
  if (isIP(peer) === 0) throw new AskRefused("the address of the visitor is missing");
  const isLeftOut = (header: string): boolean =>
    isOfProxy(header) ||
    ofConnection.has(header) ||
    header === "x-forwarded-for" ||
    (!carriesBodies && header === "content-length");
  const rawHeaders = ["host", host, ...asked.without(isLeftOut)];
  if (forwardedFor !== "") rawHeaders.push("x-forwarded-for", forwardedFor);
  const isSecure = scheme.toLowerCase() === "https";
  const described = { method, url: target, httpVersion: "1.1", rawHeaders, socket: { localPort: port } };
  exchange.visitor = readVisitorRequest(described, isSecure);
  exchange.address = clientAddresses.behind(peer, forwardedFor);
  const isPart = asked.all("x-envoy-auth-partial-body").includes("true");
  if (carriesBodies) exchange.body = new RequestBody(question, Infinity, { isPart });
  // The contract does not even say whether there is a body; with these methods a body has no meaning.
  else if (!methodsWithoutBody.has(method))
    exchange.body = new RequestBody(Readable.from([]), Infinity, { isPart: true });
}
