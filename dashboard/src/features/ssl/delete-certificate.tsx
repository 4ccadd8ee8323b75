import {
  customCertificatesPath,
  deleteCertificatePack,
  deleteCustomCertificate,
  sslPath,
  type CertificatePack,
  type CustomCertificate,
} from "../../api/certificates.ts";
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
  const call =
    deleted.kind === "pack" ? deleteCertificatePack(zoneId, id) : deleteCustomCertificate(zoneId, id);
  return (
    <ConfirmCall
      call={call}
      invalidates={[sslPath(zoneId), customCertificatesPath(zoneId)]}
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
