import {
  createHash,
  createPublicKey,
  randomUUID,
  verify,
  X509Certificate,
  type JsonWebKey,
} from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { createAuthority, loadX509, signServerCertificate } from "../../src/tls/local-ca.ts";

/** A CA that speaks ACME, as far as RFC 8555 binds it for dns-01, and what a test wants to know of it. */
export interface AcmeServer {
  readonly directoryUrl: string;
  /** The certificate that its clients' clients trust, PEM. */
  readonly authority: string;
  /** Certificates that it has issued, PEM. */
  readonly issued: readonly string[];
  /** The contacts of each account, one entry a key. */
  readonly contacts: readonly (readonly string[])[];
  requests: number;
  /** Says no to the next orders, with this reason, as long as it is set. */
  refusal: string | undefined;
  /** Answers nothing but 503 while set. */
  isDown: boolean;
  /** Redirects to this URL the clients that ask for its directory, as long as it is set. */
  redirectsTo: string | undefined;
  /** The claimed origin of its resources, as long as it is set; the server there need not be itself. */
  namesOrigin: string | undefined;
}

/** The view of a CA on DNS: the TXT records of a name. */
export type LookUpTxt = (name: string) => Promise<readonly string[]>;

interface Challenge {
  readonly token: string;
  status: "pending" | "valid" | "invalid";
  error?: object;
}

interface Authorization {
  readonly name: string;
  readonly wildcard: boolean;
  readonly challenge: Challenge;
}

interface AcmeOrder {
  readonly hosts: readonly string[];
  readonly accountUrl: string;
  readonly authorizations: readonly string[];
  /** Looks at the order until the CA has issued. */
  looksLeft: number;
  certificate?: string;
  status: "pending" | "ready" | "processing" | "valid" | "invalid";
}

interface SignedRequest {
  readonly jwk: JsonWebKey;
  readonly accountUrl: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

class Problem extends Error {
  readonly type: string;
  constructor(type: string, detail: string) {
    super(detail);
    this.type = `urn:ietf:params:acme:error:${type}`;
  }
}

const dayMs = 86_400_000;
/** OID of the subject alternative names (RFC 5280 4.2.1.6). */
const alternativeNames = "2.5.29.17";
const signatures: Readonly<Record<string, { hash: string; dsaEncoding?: "ieee-p1363" }>> = {
  ES256: { hash: "sha256", dsaEncoding: "ieee-p1363" },
  RS256: { hash: "sha256" },
};

/**
 * Starts a CA on a free port. It checks signatures, nonces and addresses of requests (RFC 8555 6), the key
 * authorization in the TXT record (8.4) and that a CSR is signed and asks for the hosts of its order (7.4).
 */
export async function startAcmeServer(
  t: TestContext,
  lookUpTxt: LookUpTxt,
  now: () => Date,
): Promise<AcmeServer> {
  const validity = (days: number) => ({
    notBefore: new Date(now().getTime() - dayMs),
    notAfter: new Date(now().getTime() + days * dayMs),
  });
  const root = await createAuthority("ACME test root", validity(3_650));
  const nonces = new Set<string>();
  const accounts = new Map<string, JsonWebKey>();
  const orders = new Map<string, AcmeOrder>();
  const authorizations = new Map<string, Authorization>();
  const issued: string[] = [];
  const contacts: (readonly string[])[] = [];
  const state: Pick<AcmeServer, "requests" | "refusal" | "isDown" | "redirectsTo" | "namesOrigin"> = {
    requests: 0,
    refusal: undefined,
    isDown: false,
    redirectsTo: undefined,
    namesOrigin: undefined,
  };
  let base = "";

  const read = async (request: IncomingMessage): Promise<SignedRequest> => {
    const {
      protected: encoded,
      payload,
      signature,
    } = JSON.parse(await textOf(request)) as Record<string, string>;
    const header = fromBase64Url(encoded) as {
      alg: string;
      nonce: string;
      url: string;
      kid?: string;
      jwk?: JsonWebKey;
    };
    if (!nonces.delete(header.nonce)) throw new Problem("badNonce", "the nonce is not one of ours, or used");
    if (header.url !== base + request.url) throw new Problem("malformed", "the address is another one");
    const jwk = header.kid === undefined ? header.jwk : accounts.get(header.kid);
    if (jwk === undefined) throw new Problem("accountDoesNotExist", "there is no such account");
    const form = signatures[header.alg];
    if (form === undefined) throw new Problem("badSignatureAlgorithm", "no such algorithm");
    const { hash, ...encoding } = form;
    const key = { key: createPublicKey({ key: jwk, format: "jwk" }), ...encoding };
    const isSigned = verify(
      hash,
      Buffer.from(`${encoded}.${payload}`),
      key,
      Buffer.from(signature ?? "", "base64url"),
    );
    if (!isSigned) throw new Problem("malformed", "the signature is wrong");
    return {
      jwk,
      accountUrl: header.kid ?? "",
      payload: payload === "" ? {} : (fromBase64Url(payload) as Record<string, unknown>),
    };
  };

  const newAccount = ({ jwk, payload }: SignedRequest): Reply => {
    if (payload["termsOfServiceAgreed"] !== true)
      throw new Problem("userActionRequired", "agree to the terms");
    const url = `${base}/account/${thumbprintOf(jwk)}`;
    const isNew = !accounts.has(url);
    accounts.set(url, jwk);
    if (isNew) contacts.push((payload["contact"] as string[] | undefined) ?? []);
    return { status: isNew ? 201 : 200, headers: { location: url }, body: { status: "valid" } };
  };

  const newOrder = ({ payload, accountUrl }: SignedRequest): Reply => {
    const hosts = (payload["identifiers"] as { value: string }[]).map(({ value }) => value);
    const made = hosts.map((host) => {
      const id = randomUUID();
      const challenge: Challenge = { token: randomUUID(), status: "pending" };
      authorizations.set(id, { name: host.replace(/^\*\./, ""), wildcard: host.startsWith("*."), challenge });
      return id;
    });
    const id = randomUUID();
    orders.set(id, { hosts, accountUrl, authorizations: made, looksLeft: 2, status: "pending" });
    return { status: 201, headers: { location: `${base}/order/${id}` }, body: showOrder(id) };
  };

  const showOrder = (id: string): object => {
    const order = found(orders, id);
    const challenges = order.authorizations.map((each) => found(authorizations, each).challenge);
    if (challenges.some(({ status }) => status === "invalid")) order.status = "invalid";
    else if (order.status === "pending" && challenges.every(({ status }) => status === "valid"))
      order.status = "ready";
    if (order.status === "processing" && (order.looksLeft -= 1) === 0) order.status = "valid";
    return {
      status: order.status,
      identifiers: order.hosts.map((value) => ({ type: "dns", value })),
      authorizations: order.authorizations.map((each) => `${base}/authorization/${each}`),
      finalize: `${base}/finalize/${id}`,
      ...(order.status === "valid" && { certificate: `${base}/certificate/${id}` }),
    };
  };

  const showAuthorization = (id: string): object => {
    const { name, wildcard, challenge } = found(authorizations, id);
    return {
      status: challenge.status,
      identifier: { type: "dns", value: name },
      ...(wildcard && { wildcard }),
      challenges: [{ type: "dns-01", url: `${base}/challenge/${id}`, ...challenge }],
    };
  };

  const validate = async ({ jwk }: SignedRequest, id: string): Promise<Reply> => {
    const { name, challenge } = found(authorizations, id);
    const expected = createHash("sha256")
      .update(`${challenge.token}.${thumbprintOf(jwk)}`)
      .digest("base64url");
    const texts = await lookUpTxt(`_acme-challenge.${name}`);
    const detail = state.refusal ?? (texts.includes(expected) ? undefined : "the TXT record is not there");
    challenge.status = detail === undefined ? "valid" : "invalid";
    if (detail !== undefined) challenge.error = { type: "urn:ietf:params:acme:error:unauthorized", detail };
    return {
      headers: { link: `<${base}/authorization/${id}>;rel="up"` },
      body: { type: "dns-01", url: `${base}/challenge/${id}`, ...challenge },
    };
  };

  const finalize = async ({ payload, accountUrl }: SignedRequest, id: string): Promise<Reply> => {
    const order = found(orders, id);
    if (order.accountUrl !== accountUrl) throw new Problem("unauthorized", "the order is of another account");
    if (order.status !== "ready") throw new Problem("orderNotReady", `the order is ${order.status}`);
    const x509 = await loadX509();
    const csr = new x509.Pkcs10CertificateRequest(Buffer.from(payload["csr"] as string, "base64url"));
    if (!(await csr.verify())) throw new Problem("badCSR", "its signature is wrong");
    const extension = csr.getExtension(alternativeNames);
    if (extension === null) throw new Problem("badCSR", "it names no hosts");
    const names = new x509.SubjectAlternativeNameExtension(extension.rawData).names.toJSON();
    const asked = new Set(names.map(({ value }) => value));
    if (asked.size !== order.hosts.length || !order.hosts.every((host) => asked.has(host))) {
      throw new Problem("badCSR", "it asks for other hosts than the order");
    }
    const publicKey = createPublicKey(csr.publicKey.toString("pem"));
    const certificate = await signServerCertificate(root, { ...validity(90), hosts: order.hosts, publicKey });
    issued.push(certificate);
    Object.assign(order, { certificate, status: "processing" });
    return { body: showOrder(id) };
  };

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const [, resource = "", id = ""] = (request.url ?? "").split("/");
    if (state.isDown) return { status: 503, body: { detail: "the CA is down" } };
    if (resource === "directory" || resource === "moved-directory") {
      const { redirectsTo, namesOrigin = base } = state;
      if (resource === "directory" && redirectsTo !== undefined) {
        return { status: 302, headers: { location: redirectsTo } };
      }
      const names = { newNonce: "new-nonce", newAccount: "new-account", newOrder: "new-order" };
      return {
        body: Object.fromEntries(
          Object.entries(names).map(([name, path]) => [name, `${namesOrigin}/${path}`]),
        ),
      };
    }
    if (resource === "new-nonce") return {};
    const signed = await read(request);
    switch (resource) {
      case "new-account":
        return newAccount(signed);
      case "account":
        return { body: { status: "valid" } };
      case "new-order":
        return newOrder(signed);
      case "order":
        return { body: showOrder(id) };
      case "authorization":
        return { body: showAuthorization(id) };
      case "challenge":
        return validate(signed, id);
      case "finalize":
        return finalize(signed, id);
      case "certificate":
        return { body: `${found(orders, id).certificate}\n${root.certificate}` };
      default:
        throw new Problem("malformed", "there is nothing here");
    }
  };

  const server = createServer((request, response) => {
    state.requests += 1;
    const nonce = randomUUID();
    nonces.add(nonce);
    answer(request).then(
      (reply) => send(response, nonce, reply),
      (error: unknown) => {
        const type = error instanceof Problem ? error.type : "urn:ietf:params:acme:error:serverInternal";
        send(response, nonce, { status: 400, body: { type, detail: (error as Error).message } });
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(state, {
    directoryUrl: `${base}/directory`,
    authority: root.certificate,
    issued,
    contacts,
  });
}

/** The public keys of certificates, so that two for one key show. */
export function publicKeysOf(certificates: readonly string[]): string[] {
  return certificates.map(
    (pem) => new X509Certificate(pem).publicKey.export({ type: "spki", format: "pem" }) as string,
  );
}

function send(response: ServerResponse, nonce: string, { status = 200, headers, body = "" }: Reply): void {
  response.writeHead(status, {
    "replay-nonce": nonce,
    "content-type": typeof body === "string" ? "application/pem-certificate-chain" : "application/json",
    ...headers,
  });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
}

function fromBase64Url(text = ""): unknown {
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

/** RFC 7638: the members that make the key, in order. */
function thumbprintOf({ crv, e, kty, n, x, y }: JsonWebKey): string {
  const members = kty === "RSA" ? { e, kty, n } : { crv, kty, x, y };
  return createHash("sha256").update(JSON.stringify(members)).digest("base64url");
}

function found<Value>(values: ReadonlyMap<string, Value>, id: string): Value {
  const value = values.get(id);
  if (value === undefined) throw new Problem("malformed", "there is no such resource");
  return value;
}
