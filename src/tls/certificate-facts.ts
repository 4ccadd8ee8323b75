import type { X509Certificate } from "node:crypto";

/** What the API says of a certificate, read from the certificate itself. */
export interface CertificateFacts {
  /** Names that it was issued for, `*.` in front allowed. */
  readonly hosts: readonly string[];
  /** Organization that issued it, or where it says none its common name. */
  readonly issuer: string;
  /** `ECDSAWithSHA256`, `SHA256WithRSA`; as OpenSSL calls any other. */
  readonly signature: string;
  /** An invalid date where the certificate says no readable time. */
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

/** Reads them from the certificate alone: what was asked for may have become something else. */
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
    // Not `validToDate`: of a time that OpenSSL cannot read, it is whatever the memory held (Node.js 24.21).
    expiresOn: new Date(validTo),
  };
}
