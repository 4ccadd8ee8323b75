import { dnsAddressesOf } from "./dns-settings.ts";
import { edgeAddressesOf } from "./edge-settings.ts";
import { flagOf, isLoopbackHost, settings, type Config } from "./settings.ts";

/** Settings which show that the server is meant for others than tests. */
const productionSettings = ["public_url", "trusted_proxies", "tls_cert", "certificate_issuer"] as const;

/** Settings that have no effect without the test controls. */
const needTestControls = [
  "test_controls_off_loopback",
  "test_controls_token",
  "test_profile",
  "test_profile_seed",
  "clock_start",
  "ids_seed",
] as const;

/** The reasons why the test controls cannot be served, one line each. */
export function testControlIssues(config: Config): string[] {
  if (!config.test_controls) {
    return needTestControls
      .filter((name) => config[name] !== settings[name].fallback)
      .map((name) => `${flagOf(name)}: needs --test-controls as well`);
  }
  const isFor = {
    public_url: config.public_url !== undefined,
    trusted_proxies: config.trusted_proxies.length > 0,
    tls_cert: config.tls_cert !== undefined,
    certificate_issuer: config.certificate_issuer === "acme",
  };
  const production = productionSettings
    .filter((name) => isFor[name])
    .map((name) => `--test-controls: cannot be given together with ${flagOf(name)}, which is for production`);
  const { http, https, judge } = edgeAddressesOf(config);
  const outside = [config, ...dnsAddressesOf(config), ...http, ...https, ...judge]
    .map(({ host }) => host)
    .find((host) => !isLoopbackHost(host));
  if (outside === undefined || config.test_controls_off_loopback) return production;
  return [
    ...production,
    `--test-controls: ${outside} is not a loopback address; set --test-controls-off-loopback if whoever can reach it may change and delete everything`,
  ];
}
