import { ArrowDownTrayIcon } from "@heroicons/react/24/outline";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { sendForText } from "../../api/send.ts";
import { downloadText } from "../../components/download-text.ts";

/** Downloads the records as a BIND zone file. */
export function ExportRecords({ zone }: { readonly zone: Zone }) {
  const { mutate, isPending } = useMutation<string, ApiError>({
    mutationFn: () => sendForText(call("exportDnsRecords", { zone_id: zone.id })),
    onSuccess: (text) => downloadText(`${zone.name}.txt`, text),
    onError: ({ message }) => notifications.show({ color: "red", title: "No zone file", message }),
  });
  return (
    <Button
      variant="default"
      leftSection={<ArrowDownTrayIcon width={18} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Export
    </Button>
  );
}
