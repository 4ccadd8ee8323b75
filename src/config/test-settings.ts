import { choice, flag, integer, text } from "./setting-forms.ts";
import { clockTimeOf } from "../core/test-controls/clock-time.ts";
import { isTokenSecret } from "../secrets/secrets.ts";

export const testSettings = {
  test_controls: flag({
    help:
      "Serve the test controls below `/test/v1/`, by which tests reset and change the server. Never for production: " +
      "it cannot be combined with `public_url`, `trusted_proxies`, `tls_cert` or `certificate_issuer=acme`.",
  }),
  test_controls_off_loopback: flag({
    help: "Allow `test_controls` on an address other than loopback, such as in a container. Whoever has the owner's credentials or `test_controls_token` can then do anything there.",
  }),
  test_controls_token: text(undefined, {
    form: "TOKEN",
    accepts: isTokenSecret,
    rule: "must be 40 to 80 characters out of A-Z a-z 0-9 _ -; one that begins with zw_ needs a valid checksum",
    secret: true,
    help: "A token for the test controls, and for nothing else. Without it, they take the owner's credentials only.",
  }),
  test_profile: choice("strict", ["strict", "lenient", "awkward"], {
    help:
      "How the server behaves for tests from the start: as documented; lenient with credentials and zones that nobody " +
      "made; or awkward, so that clients do not rely on more than is documented. The test controls can change it.",
  }),
  test_profile_seed: integer(0, {
    min: 0,
    max: 2 ** 31,
    help: "Makes what `test_profile=awkward` does repeatable.",
  }),
  clock_start: text(undefined, {
    form: "TIME",
    accepts: (value) => clockTimeOf(value) !== undefined,
    rule: "must be a time of RFC 3339 between the years 1970 and 9899, such as 2026-01-02T03:04:05Z",
    help: "Time at which the server's clock stands still from the start, until the test controls move it.",
  }),
  ids_seed: text(undefined, {
    form: "TEXT",
    help:
      "Makes ids depend on this text and on their order alone, so that two servers that are asked the same make the " +
      "same ids. Work that would run in worker threads then holds up other requests.",
  }),
};
