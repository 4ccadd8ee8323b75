import type { X509Certificate } from "node:crypto";

/** Facts that the API answers about a certificate, read from the certificate itself. */
export interface CertificateFacts {
  /** Names that it was issued for, `*.` in front allowed. */
  readonly hosts: readonly string[];
  /** The organization that issued it, or its common name where there is no organization. */
  readonly issuer: string;
  /** `ECDSAWithSHA256`, `SHA256WithRSA`; any other by the name that OpenSSL has for it. */
  readonly signature: string;
  /** The end of validity; an invalid date where the certificate has no readable time. */
  readonly expiresOn: Date;
}

const signatureNames: Readonly<Record<string, string>> = {
  "1.2.840.10045.4.3.2": "ECDSAWithSHA256",
  "1.2.840.10045.4.3.3": "ECDSAWithSHA384",
  "1.2.840.10045.4.3.4": "ECDSAWithSHA512",
  "1.2.840.113549.1.1.5": "SHA1WithRSA",
  "1.2.840.113549.1.1.11": "SHA256WithRSA",
  "1.2.840.113549.1.1.12": "SHA384WithRSA",
  "1.2.840.113549.1.1.13": "SHA512WithRSA",
};

/** Reads facts from the certificate alone: the CA may have issued something else than was asked for. */
export function readCertificateFacts(certificate: X509Certificate): CertificateFacts {
  const { issuer, subjectAltName = "", signatureAlgorithm, signatureAlgorithmOid, validTo } = certificate;
  const attributes = new Map(
    issuer.split("\n").map((line) => {
      const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return [name, value];
    }),
  );
  return {
    hosts: [...subjectAltName.matchAll(/(?:^|, )DNS:([^,"\s]+)/g)].map(([, host = ""]) => host.toLowerCase()),
    issuer: attributes.get("O") ?? attributes.get("CN") ?? issuer,
    signature: signatureNames[signatureAlgorithmOid] ?? signatureAlgorithm ?? signatureAlgorithmOid,
    // `validToDate` is not used: for a time that OpenSSL cannot read, it is whatever the memory held (Node.js
    // 24.21).
    expiresOn: new Date(validTo),
  };
}
