import { Alert, Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** Why the records of a secondary zone cannot be changed. */
export function ReadOnlyNotice({ zoneId }: { readonly zoneId: string }) {
  return (
    <Alert color="blue" mb="md" title="These records can only be read">
      This is a secondary zone: its records are fetched from its{" "}
      <Anchor
        inherit
        underline="always"
        renderRoot={(root) => <Link {...root} to="/zones/$zoneId/dns/transfers" params={{ zoneId }} />}
      >
        primary servers
      </Anchor>
      , and are changed there.
    </Alert>
  );
}
