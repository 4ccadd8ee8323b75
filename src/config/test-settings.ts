import { flag, text } from "./setting-forms.ts";
import { isTokenSecret } from "../secrets/secrets.ts";

/** Settings of the test controls. */
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
};
