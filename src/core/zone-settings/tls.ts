import { choice, setting, toggle, type Setting } from "./setting.ts";
import { listOf, oneOf, trueOrFalse } from "./value-forms.ts";

/** Suites up to TLS 1.2, by their names in BoringSSL. */
const cipherSuites = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-AES128-SHA256",
  "ECDHE-ECDSA-AES128-SHA",
  "ECDHE-ECDSA-AES256-SHA384",
  "ECDHE-ECDSA-AES256-SHA",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-RSA-CHACHA20-POLY1305",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES128-SHA256",
  "ECDHE-RSA-AES128-SHA",
  "ECDHE-RSA-AES256-SHA384",
  "ECDHE-RSA-AES256-SHA",
  "AES128-GCM-SHA256",
  "AES128-SHA256",
  "AES128-SHA",
  "AES256-GCM-SHA384",
  "AES256-SHA256",
  "AES256-SHA",
  "DES-CBC3-SHA",
] as const;

export const tlsSettings: Readonly<Record<string, Setting>> = {
  always_use_https: toggle("Redirects every request to HTTPS.", "off"),
  automatic_https_rewrites: toggle("Turns links of pages into HTTPS where that works.", "on"),
  ciphers: setting(
    "Cipher suites for visitors, by their names in BoringSSL; an empty list stands for the default ones.",
    listOf(oneOf(...cipherSuites), cipherSuites.length),
    [],
  ),
  min_tls_version: choice("Least version of TLS.", ["1.0", "1.1", "1.2", "1.3"], "1.0"),
  opportunistic_encryption: toggle("Offers TLS to visitors that came by HTTP.", "on"),
  sha1_support: toggle("Takes signatures with SHA-1.", "off"),
  ssl: choice(
    "Encryption to the origin; `strict`: with a certificate that is checked.",
    ["off", "flexible", "full", "strict"],
    "full",
  ),
  ssl_automatic_mode: choice("Whether `ssl` follows what the origin can do.", ["auto", "custom"], "custom"),
  ssl_recommender: setting("Sends advice on the value of `ssl`.", trueOrFalse, false, { key: "enabled" }),
  tls_1_2_only: toggle("Refuses TLS below 1.2.", "off"),
  tls_1_3: choice("Speaks TLS 1.3; `zrt`: with 0-RTT.", ["on", "off", "zrt"], "on"),
  tls_client_auth: toggle("Shows the origin a certificate of the proxy.", "on", {
    editableFrom: "enterprise",
  }),
};
