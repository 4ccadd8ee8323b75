import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { createSecureContext } from "node:tls";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody } from "../../core/error.ts";
import { readCertificateFacts, type CertificateFacts } from "../../tls/certificate-facts.ts";
import { pkcs8 } from "../../tls/local-ca.ts";
import { isWithin } from "../../core/dns/content/name.ts";

/** A certificate with its issuers and key, checked against each other. */
export interface Bundle {
  /** PEM: the certificate first, each followed by its issuer. */
  readonly chain: string;
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  readonly facts: CertificateFacts;
}

const certificateBlocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const chainMax = 10;

/**
 * Parses a certificate and key that a TLS server can use for hosts of the zone at the time `now`. Errors: 400
 * with a pointer: code 1454 for an invalid certificate or chain, 1455 for an invalid or unmatched key, 1456
 * for an expired certificate, 1457 for one without a host of the zone.
 */
export function readBundle(certificate: string, privateKey: string, zoneName: string, now: Date): Bundle {
  const chain = readChain(certificate);
  const key = readKey(privateKey);
  const [leaf] = chain;
  if (!leaf.checkPrivateKey(key)) throw invalidKey("is not the key of the certificate");
  const facts = readCertificateFacts(leaf);
  const { expiresOn } = facts;
  // OpenSSL accepts a thirteenth month.
  if (Number.isNaN(expiresOn.getTime())) throw invalidCertificate("it does not say when it expires");
  if (expiresOn <= now) {
    throw invalidBody(
      "/certificate",
      `it expired on ${expiresOn.toISOString()}`,
      errorCodes.customCertificates.expired,
    );
  }
  if (!facts.hosts.some((host) => isWithin(host, zoneName))) {
    throw invalidBody(
      "/certificate",
      `it is for no host of the zone ${zoneName}`,
      errorCodes.customCertificates.otherHosts,
    );
  }
  const bundle = { chain: chain.map(String).join(""), privateKey: pkcs8(key), facts };
  try {
    createSecureContext({ cert: bundle.chain, key: bundle.privateKey });
  } catch (error) {
    throw invalidCertificate("no TLS server can serve it", error);
  }
  return bundle;
}

function readChain(pem: string): [X509Certificate, ...X509Certificate[]] {
  const blocks = pem.match(certificateBlocks) ?? [];
  if (blocks.length > chainMax) throw invalidCertificate(`it has more than ${chainMax} certificates`);
  let certificates: X509Certificate[];
  try {
    certificates = blocks.map((block) => new X509Certificate(block));
  } catch (error) {
    throw invalidCertificate("it holds no certificate in PEM form", error);
  }
  const [leaf, ...issuers] = certificates;
  if (leaf === undefined) throw invalidCertificate("it holds no certificate in PEM form");
  let issued = leaf;
  for (const issuer of issuers) {
    if (!issued.checkIssued(issuer) || !issued.verify(issuer.publicKey)) {
      throw invalidCertificate("each certificate has to be followed by that of its issuer");
    }
    issued = issuer;
  }
  return [leaf, ...issuers];
}

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "rsa" || key.asymmetricKeyType === "ec") return key;
  } catch {
    throw invalidKey("holds no private key in PEM form without a passphrase");
  }
  throw invalidKey("is neither an RSA nor an ECDSA key");
}

function invalidCertificate(rule: string, cause?: unknown): AppError {
  const code = errorCodes.customCertificates.invalidCertificate;
  const message = `Invalid body \`certificate\`: ${rule}`;
  return new AppError("invalid", code, message, { pointer: "/certificate", cause });
}

/** Without a cause: a parser's message may quote the key. */
function invalidKey(rule: string): AppError {
  return invalidBody("/private_key", `it ${rule}`, errorCodes.customCertificates.invalidKey);
}
