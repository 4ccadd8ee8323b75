import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import type { CustomCertificate } from "../../../../src/resources/custom-certificates/schema.ts";
import { call } from "../../api/call.ts";
import { ConfirmCall } from "../../components/confirm-call.tsx";

/** What is to be deleted: a pack, or a certificate that was brought. */
export type Deleted =
  | { readonly kind: "pack"; readonly of: CertificatePack }
  | { readonly kind: "certificate"; readonly of: CustomCertificate };

interface DeleteCertificateProps {
  readonly zoneId: string;
  readonly deleted: Deleted;
  readonly onDone: () => void;
}

/** Asks before a pack or a certificate is deleted. */
export function DeleteCertificate({ zoneId, deleted, onDone }: DeleteCertificateProps) {
  const { id, hosts } = deleted.of;
  const request =
    deleted.kind === "pack"
      ? call("deleteCertificatePack", { zone_id: zoneId, certificate_pack_id: id })
      : call("deleteCustomCertificate", { zone_id: zoneId, custom_certificate_id: id });
  return (
    <ConfirmCall
      call={request}
      onClose={onDone}
      title={deleted.kind === "pack" ? "Delete the pack" : "Delete the certificate"}
      action="Delete"
    >
      This deletes the {deleted.kind === "pack" ? "certificates" : "certificate"} of{" "}
      <strong>{hosts.join(", ")}</strong> and the private {deleted.kind === "pack" ? "keys" : "key"}, for
      good.
    </ConfirmCall>
  );
}
