import { Button } from "@mantine/core";

import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";

interface RestartValidationProps {
  readonly zoneId: string;
  readonly pack: CertificatePack;
}

/** Has the validation of a pack begin again. */
export function RestartValidation({ zoneId, pack }: RestartValidationProps) {
  const { mutate, isPending, error } = useApiMutation(
    () => call("editCertificatePack", { zone_id: zoneId, certificate_pack_id: pack.id }),
    {},
  );
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        mt={6}
        loading={isPending}
        onClick={() => mutate(undefined)}
      >
        Validate again
      </Button>
      <ErrorAlert title="The validation was not restarted" error={error} />
    </>
  );
}
