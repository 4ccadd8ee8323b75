import { createContext } from "../src/process/open-store.ts";
import type { ZoneContext } from "../src/resources/zones/zones.ts";
import type { Database } from "../src/storage/database.ts";

/** The context of operations that are measured without a server: zones are on the Enterprise plan. */
export function createZoneContext(db: Database): ZoneContext {
  return {
    ...createContext(db),
    settings: {
      vendor: "cloudflare",
      nameServers: [],
      nameServerSets: [],
      defaultPlan: "enterprise",
      activation: "immediate",
      activationDelayMs: 0,
      newZoneWaf: "new",
    },
    delegation: {
      nameServers: async () => undefined,
      texts: async () => undefined,
      signers: async () => undefined,
    },
    ownAddresses: () => Promise.resolve(new Set()),
    isHeldName: () => Promise.resolve(false),
    presetSettings: async (_tx, zone) => zone,
    zoneActivated: async () => undefined,
    afterActivation: () => undefined,
  };
}
