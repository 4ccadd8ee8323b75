import { SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { Account } from "../../../../src/resources/accounts/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { FormModal, useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Form, FormButtons } from "../../components/form.tsx";

interface AddZoneModalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly accounts: readonly Account[];
}

/** Adds a zone, and goes on at its overview. */
export function AddZoneModal({ opened, onClose, accounts }: AddZoneModalProps) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Add a zone">
      <AddZoneForm accounts={accounts} onCancel={onClose} />
    </FormModal>
  );
}

const types = {
  full: {
    label: "Full",
    text: "DNS is hosted here: delegate the domain to the name servers that the zone gets.",
  },
  partial: {
    label: "Partial (CNAME)",
    text: "DNS stays where it is; CNAME records lead individual names here.",
  },
  secondary: {
    label: "Secondary",
    text: "The records are those of another name server: they are fetched from it, and served here too.",
  },
} as const;

type AddedType = keyof typeof types;

function AddZoneForm({
  accounts,
  onCancel,
}: {
  readonly accounts: readonly Account[];
  readonly onCancel: () => void;
}) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [type, setType] = useState<AddedType>("full");
  const [chosenId, setChosenId] = useState<string>();
  useDraft(name.trim() !== "", undefined, "add");
  // The accounts may come when the form is open already; without one the server takes the user's first.
  const accountId = chosenId ?? accounts[0]?.id;
  const request = call(
    "createZone",
    {},
    {
      name: name.trim(),
      ...(accountId !== undefined && { account: { id: accountId } }),
      type,
    },
  );
  const { mutate, isPending, error } = useApiMutation(() => request, {
    onSuccess: ({ result }) =>
      void navigate({
        // A copy begins with where it comes from.
        to: type === "secondary" ? "/zones/$zoneId/dns/transfers" : "/zones/$zoneId",
        params: { zoneId: result.id },
        ignoreBlocker: true,
      }),
  });
  return (
    <Form onSend={() => mutate(undefined)}>
      <TextInput
        label="Domain"
        placeholder="example.com"
        required
        withAsterisk={false}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {accounts.length > 1 && (
        <Select
          label="Account"
          allowDeselect={false}
          data={accounts.map(({ id, name: label }) => ({ value: id, label }))}
          value={accountId ?? null}
          onChange={(id) => setChosenId(id ?? undefined)}
        />
      )}
      <div>
        <Text size="sm" fw={500} mb={4} id="zone-type">
          Type
        </Text>
        <SegmentedControl
          aria-labelledby="zone-type"
          data={Object.entries(types).map(([value, { label }]) => ({ value, label }))}
          value={type}
          onChange={(value) => setType(value as AddedType)}
        />
        <Text size="sm" c="dimmed" mt={6}>
          {types[type].text}
        </Text>
      </div>
      {name.trim() !== "" && <CurlCommand call={request} />}
      <ErrorAlert title="The zone was not added" error={error} />
      <FormButtons
        action="Add the zone"
        pending={isPending}
        disabled={name.trim() === ""}
        onCancel={onCancel}
      />
    </Form>
  );
}
