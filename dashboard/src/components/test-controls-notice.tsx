import { BeakerIcon } from "@heroicons/react/24/outline";
import { Alert } from "@mantine/core";
import { useSyncExternalStore } from "react";

import { testControls } from "../api/send.ts";
import { AnchorLink } from "./links.tsx";

/** Says that tests may reset and change the server at any time, while it lets them. */
export function TestControlsNotice() {
  const areOn = useSyncExternalStore(testControls.subscribe, testControls.areOn);
  if (!areOn) return undefined;
  return (
    <Alert color="orange" role="status" mb="md" icon={<BeakerIcon width={20} aria-hidden />}>
      The test controls are on: tests may reset this server, move its clock and make it fail.{" "}
      <AnchorLink underline="always" inherit to="/tests">
        Faults and requests
      </AnchorLink>
    </Alert>
  );
}
