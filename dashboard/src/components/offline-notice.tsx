import { SignalSlashIcon } from "@heroicons/react/24/outline";
import { Alert } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";

/** Says that the browser has no connection, while it has none. */
export function OfflineNotice() {
  const { online } = useNetwork();
  if (online) return undefined;
  return (
    <Alert color="yellow" role="status" mb="md" icon={<SignalSlashIcon width={20} aria-hidden />}>
      You are offline. What is shown may be out of date, and changes fail until the connection is back.
    </Alert>
  );
}
