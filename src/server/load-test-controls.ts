import type { TestControls } from "../test-controls/test-controls.ts";
import type { Config } from "../config/settings.ts";

/** The test controls as the settings describe them; undefined, and not loaded, where they are off. */
export async function loadTestControls(config: Config, now: () => Date): Promise<TestControls | undefined> {
  if (!config.test_controls) return undefined;
  const { TestControls: Loaded } = await import("../test-controls/test-controls.ts");
  return new Loaded({
    now,
    clockStart: config.clock_start === undefined ? undefined : new Date(config.clock_start),
    idsSeed: config.ids_seed,
    profile: { name: config.test_profile, seed: config.test_profile_seed },
    token: config.test_controls_token,
  });
}
