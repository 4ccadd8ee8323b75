import type { MountedTestControls } from "../test-controls/test-controls.ts";
import type { Api } from "../http/server-options.ts";
import type { Config } from "../config/settings.ts";
import { version } from "./version.ts";

interface Controlled extends Pick<Api, "authenticate" | "authorize"> {
  readonly now: () => Date;
}

/** The test controls as the settings describe them; undefined, and not loaded, where they are off. */
export async function openTestControls(
  config: Config,
  { authenticate, authorize, now }: Controlled,
): Promise<MountedTestControls | undefined> {
  if (!config.test_controls) return undefined;
  const { createTestControls } = await import("../test-controls/test-controls.ts");
  return createTestControls({
    authenticate,
    authorize,
    token: config.test_controls_token,
    context: { version: version(), now },
  });
}
