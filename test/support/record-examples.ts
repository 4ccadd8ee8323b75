import type { RecordType } from "../../src/core/dns/content/record-types.ts";

/** A record as it is sent by its parts, what is answered, and another one as it is sent by its content. */
export interface Example {
  readonly sent: { readonly content?: string; readonly data?: object; readonly priority?: number };
  readonly shown: { readonly content: string; readonly priority?: number; readonly data?: object };
  readonly otherSent: Example["sent"];
  readonly otherShown: Example["shown"];
  readonly proxiable?: true;
  readonly settings?: object;
}

const digest = "a1".repeat(32);
const shownDigest = digest.toUpperCase();
const key = "AwEAAaz/tAm8";

const association: Example = {
  sent: { data: { usage: 3, selector: 1, matching_type: 1, certificate: digest } },
  shown: {
    content: `3 1 1 ${shownDigest}`,
    data: { certificate: shownDigest, matching_type: 1, selector: 1, usage: 3 },
  },
  otherSent: { content: "2 0 0 30 82" },
  otherShown: {
    content: "2 0 0 3082",
    data: { certificate: "3082", matching_type: 0, selector: 0, usage: 2 },
  },
};

const service: Example = {
  sent: { data: { priority: 1, target: ".", value: 'alpn="h2,h3"' } },
  shown: {
    content: '1 . alpn="h2,h3"',
    data: { priority: 1, target: ".", value: 'alpn="h2,h3"' },
  },
  otherSent: { content: "0 Pool.Example.NET." },
  otherShown: {
    content: "0 pool.example.net.",
    data: { priority: 0, target: "pool.example.net.", value: "" },
  },
};

const target = (content: string): Pick<Example, "sent" | "shown" | "otherSent" | "otherShown"> => ({
  sent: { content: `${content.toUpperCase()}.` },
  shown: { content },
  otherSent: { content: `other.${content}` },
  otherShown: { content: `other.${content}` },
});

export const examples: Readonly<Record<RecordType, Example>> = {
  A: {
    sent: { content: "192.0.2.1" },
    shown: { content: "192.0.2.1" },
    otherSent: { content: "192.0.2.2" },
    otherShown: { content: "192.0.2.2" },
    proxiable: true,
  },
  AAAA: {
    sent: { content: "2001:DB8:0:0:0:0:0:1" },
    shown: { content: "2001:db8::1" },
    otherSent: { content: "2001:db8::2" },
    otherShown: { content: "2001:db8::2" },
    proxiable: true,
  },
  CAA: {
    sent: { data: { flags: 0, tag: "issue", value: "letsencrypt.org" } },
    shown: {
      content: '0 issue "letsencrypt.org"',
      data: { flags: 0, tag: "issue", value: "letsencrypt.org" },
    },
    otherSent: { content: '128 iodef "mailto:ca@example.com"' },
    otherShown: {
      content: '128 iodef "mailto:ca@example.com"',
      data: { flags: 128, tag: "iodef", value: "mailto:ca@example.com" },
    },
  },
  CERT: {
    sent: { data: { type: 9, key_tag: 0, algorithm: 0, certificate: key } },
    shown: { content: `9 0 0 ${key}`, data: { algorithm: 0, certificate: key, key_tag: 0, type: 9 } },
    otherSent: { content: `1 12345 8 ${key}` },
    otherShown: {
      content: `1 12345 8 ${key}`,
      data: { algorithm: 8, certificate: key, key_tag: 12345, type: 1 },
    },
  },
  CNAME: { ...target("target.example.net"), proxiable: true, settings: { flatten_cname: false } },
  DNSKEY: {
    sent: { data: { flags: 257, protocol: 3, algorithm: 13, public_key: key } },
    shown: {
      content: `257 3 13 ${key}`,
      data: { algorithm: 13, flags: 257, protocol: 3, public_key: key },
    },
    otherSent: { content: `256 3 8 ${key}` },
    otherShown: {
      content: `256 3 8 ${key}`,
      data: { algorithm: 8, flags: 256, protocol: 3, public_key: key },
    },
  },
  DS: {
    sent: { data: { key_tag: 1, algorithm: 13, digest_type: 2, digest } },
    shown: {
      content: `1 13 2 ${shownDigest}`,
      data: { algorithm: 13, digest: shownDigest, digest_type: 2, key_tag: 1 },
    },
    otherSent: { content: `65535 8 2 ${digest}` },
    otherShown: {
      content: `65535 8 2 ${shownDigest}`,
      data: { algorithm: 8, digest: shownDigest, digest_type: 2, key_tag: 65535 },
    },
  },
  HTTPS: service,
  LOC: {
    sent: {
      data: {
        lat_degrees: 37,
        lat_minutes: 46,
        lat_seconds: 46,
        lat_direction: "N",
        long_degrees: 122,
        long_minutes: 23,
        long_seconds: 35,
        long_direction: "W",
        altitude: 0,
        size: 100,
        precision_horz: 0,
        precision_vert: 0,
      },
    },
    shown: {
      content: "37 46 46.000 N 122 23 35.000 W 0.00 100.00 0.00 0.00",
      data: {
        altitude: 0,
        lat_degrees: 37,
        lat_direction: "N",
        lat_minutes: 46,
        lat_seconds: 46,
        long_degrees: 122,
        long_direction: "W",
        long_minutes: 23,
        long_seconds: 35,
        precision_horz: 0,
        precision_vert: 0,
        size: 100,
      },
    },
    otherSent: { content: "52 30 0 S 4 54 0 E -2m 1m 10m 5m" },
    otherShown: {
      content: "52 30 0.000 S 4 54 0.000 E -2.00 1.00 10.00 5.00",
      data: {
        altitude: -2,
        lat_degrees: 52,
        lat_direction: "S",
        lat_minutes: 30,
        lat_seconds: 0,
        long_degrees: 4,
        long_direction: "E",
        long_minutes: 54,
        long_seconds: 0,
        precision_horz: 10,
        precision_vert: 5,
        size: 1,
      },
    },
  },
  MX: {
    sent: { content: "MX1.Example.NET.", priority: 10 },
    shown: { content: "mx1.example.net", priority: 10 },
    otherSent: { content: "mx2.example.net", priority: 0 },
    otherShown: { content: "mx2.example.net", priority: 0 },
  },
  NAPTR: {
    sent: {
      data: {
        order: 100,
        preference: 10,
        flags: "S",
        service: "SIP+D2U",
        regex: "",
        replacement: "_sip._udp.example.com.",
      },
    },
    shown: {
      content: '100 10 "S" "SIP+D2U" "" _sip._udp.example.com.',
      data: {
        flags: "S",
        order: 100,
        preference: 10,
        regex: "",
        replacement: "_sip._udp.example.com.",
        service: "SIP+D2U",
      },
    },
    otherSent: { content: '1 2 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .' },
    otherShown: {
      content: '1 2 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .',
      data: {
        flags: "U",
        order: 1,
        preference: 2,
        regex: "!^.*$!sip:info@example.com!",
        replacement: ".",
        service: "E2U+sip",
      },
    },
  },
  NS: target("ns1.example.net"),
  OPENPGPKEY: {
    sent: { content: "AwEA Aaz/ tAm8" },
    shown: { content: key },
    otherSent: { content: "AQIDBA==" },
    otherShown: { content: "AQIDBA==" },
  },
  PTR: target("host.example.net"),
  SMIMEA: association,
  SRV: {
    sent: { data: { priority: 10, weight: 5, port: 8806, target: "Sip.Example.NET." } },
    shown: {
      content: "5 8806 sip.example.net",
      priority: 10,
      data: { port: 8806, priority: 10, target: "sip.example.net", weight: 5 },
    },
    otherSent: { content: "0\t443\tsip.example.net.", priority: 1 },
    otherShown: {
      content: "0 443 sip.example.net",
      priority: 1,
      data: { port: 443, priority: 1, target: "sip.example.net", weight: 0 },
    },
  },
  SSHFP: {
    sent: { data: { algorithm: 4, type: 2, fingerprint: digest } },
    shown: {
      content: `4 2 ${shownDigest}`,
      data: { algorithm: 4, fingerprint: shownDigest, type: 2 },
    },
    otherSent: { content: `1 2 ${digest}` },
    otherShown: {
      content: `1 2 ${shownDigest}`,
      data: { algorithm: 1, fingerprint: shownDigest, type: 2 },
    },
  },
  SVCB: service,
  TLSA: association,
  TXT: {
    sent: { content: "v=spf1  include:Example.NET ~all" },
    shown: { content: "v=spf1  include:Example.NET ~all" },
    otherSent: { content: '"two" "strings"' },
    otherShown: { content: '"two" "strings"' },
  },
  URI: {
    sent: { data: { weight: 1, target: "https://example.net/Path" }, priority: 10 },
    shown: {
      content: '1 "https://example.net/Path"',
      priority: 10,
      data: { target: "https://example.net/Path", weight: 1 },
    },
    otherSent: { content: '2 "ftp://example.net"', priority: 0 },
    otherShown: {
      content: '2 "ftp://example.net"',
      priority: 0,
      data: { target: "ftp://example.net", weight: 2 },
    },
  },
};
