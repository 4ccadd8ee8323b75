import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { before, describe, test } from "node:test";

import * as fc from "fast-check";

import { coversHosts } from "./identity.ts";
import { readCertificateFacts } from "./certificate-facts.ts";
import {
  createAuthority,
  createKeyPair,
  issueServerCertificate,
  loadX509,
  signServerCertificate,
} from "./local-ca.ts";

let x509: Awaited<ReturnType<typeof loadX509>>;
before(async () => {
  x509 = await loadX509();
});
const validity = { notBefore: new Date("2026-01-02T03:04:05Z"), notAfter: new Date("2027-01-02T03:04:05Z") };

describe("createAuthority", () => {
  test("makes a P-256 CA that signs certificates and no further CA", async () => {
    const { certificate, privateKey } = await createAuthority("Test CA", validity);
    const read = new X509Certificate(certificate);
    assert.equal(read.subject, "CN=Test CA");
    assert.equal(read.issuer, read.subject);
    assert.equal(read.ca, true);
    assert.ok(read.verify(read.publicKey));
    assert.ok(read.checkPrivateKey(createPrivateKey(privateKey)));
    assert.equal(read.publicKey.asymmetricKeyDetails?.namedCurve, "prime256v1");
    assert.deepEqual(read.validFromDate, validity.notBefore);
    assert.deepEqual(read.validToDate, validity.notAfter);

    const parsed = new x509.X509Certificate(certificate);
    const constraints = parsed.getExtension(x509.BasicConstraintsExtension);
    assert.deepEqual([constraints?.ca, constraints?.pathLength, constraints?.critical], [true, 0, true]);
    const usages = parsed.getExtension(x509.KeyUsagesExtension);
    assert.equal(usages?.usages, x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign);
    assert.equal(usages?.critical, true);
  });

  test("no two have a key or a serial number in common", async () => {
    const [one, other] = await Promise.all([
      createAuthority("Test CA", validity),
      createAuthority("Test CA", validity),
    ]);
    assert.notEqual(one.privateKey, other.privateKey);
    assert.notEqual(
      new X509Certificate(one.certificate).serialNumber,
      new X509Certificate(other.certificate).serialNumber,
    );
  });
});

describe("issueServerCertificate", () => {
  test("issues what a TLS server needs and nothing more", async () => {
    const authority = await createAuthority("Test CA", validity);
    const hosts = ["localhost", "*.example.com", "127.0.0.1", "::1", "::ffff:192.0.2.1"];
    const { certificate, privateKey } = await issueServerCertificate(authority, hosts, validity);

    const read = new X509Certificate(certificate);
    const issuer = new X509Certificate(authority.certificate);
    assert.ok(read.checkIssued(issuer) && read.verify(issuer.publicKey));
    assert.ok(read.checkPrivateKey(createPrivateKey(privateKey)));
    assert.equal(read.ca, false);
    assert.equal(read.subject, "CN=localhost");
    assert.equal(
      read.subjectAltName,
      "DNS:localhost, DNS:*.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:0:0:0:0:0:FFFF:C000:201",
    );
    assert.deepEqual(read.validFromDate, validity.notBefore);
    assert.deepEqual(read.validToDate, validity.notAfter);

    const parsed = new x509.X509Certificate(certificate);
    assert.equal(parsed.getExtension(x509.KeyUsagesExtension)?.usages, x509.KeyUsageFlags.digitalSignature);
    // Node calls the extended key usage `keyUsage`.
    assert.deepEqual(read.keyUsage, [x509.ExtendedKeyUsage.serverAuth]);
    assert.equal(parsed.getExtension(x509.SubjectAlternativeNameExtension)?.critical, false);
    assert.equal(
      parsed.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId,
      new x509.X509Certificate(authority.certificate).getExtension(x509.SubjectKeyIdentifierExtension)?.keyId,
    );
  });

  test("certifies a key of either type, which an RSA authority signs with RSA", async () => {
    for (const type of ["ecdsa", "rsa"] as const) {
      const authority = await createAuthority("Test CA", validity, type);
      const { publicKey, privateKey } = await createKeyPair(type);
      const request = { ...validity, hosts: ["example.com"], publicKey, serialNumber: "80ff" };
      const read = new X509Certificate(await signServerCertificate(authority, request));
      assert.ok(read.verify(new X509Certificate(authority.certificate).publicKey));
      assert.ok(read.checkPrivateKey(privateKey));
      assert.equal(BigInt(`0x${read.serialNumber}`), 0x80ffn);
      const usages = new x509.X509Certificate(read.raw).getExtension(x509.KeyUsagesExtension)?.usages;
      const encipherment = type === "rsa" ? x509.KeyUsageFlags.keyEncipherment : 0;
      assert.equal(usages, x509.KeyUsageFlags.digitalSignature | encipherment);
      assert.deepEqual(readCertificateFacts(read), {
        hosts: ["example.com"],
        issuer: "Test CA",
        signature: type === "rsa" ? "SHA256WithRSA" : "ECDSAWithSHA256",
        expiresOn: validity.notAfter,
      });
    }
  });

  test("a host too long for a common name is an alternative name all the same, which is then critical", async () => {
    const authority = await createAuthority("Test CA", validity);
    const host = `${"a".repeat(63)}.example.com`;
    const { certificate } = await issueServerCertificate(authority, [host], validity);
    assert.equal(new X509Certificate(certificate).checkHost(host), host);
    const parsed = new x509.X509Certificate(certificate);
    assert.equal(parsed.subject, "");
    assert.equal(parsed.getExtension(x509.SubjectAlternativeNameExtension)?.critical, true);
  });

  test("clients accept the certificate for whatever hosts it was asked for", async () => {
    const authority = await createAuthority("Test CA", validity);
    const hosts = fc.array(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6()), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(hosts, async (names) => {
        const { certificate } = await issueServerCertificate(authority, names, validity);
        assert.ok(coversHosts(new X509Certificate(certificate), names));
      }),
      { numRuns: 50 },
    );
  });
});
