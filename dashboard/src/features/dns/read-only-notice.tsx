import { Alert } from "@mantine/core";

import { AnchorLink } from "../../components/links.tsx";

/** Why the records of a secondary zone cannot be changed. */
export function ReadOnlyNotice({ zoneId }: { readonly zoneId: string }) {
  return (
    <Alert color="blue" mb="md" title="These records can only be read">
      This is a secondary zone: its records are fetched from its{" "}
      <AnchorLink inherit underline="always" to="/zones/$zoneId/dns/transfers" params={{ zoneId }}>
        primary servers
      </AnchorLink>
      , and are changed there.
    </Alert>
  );
}
