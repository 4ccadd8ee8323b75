import { EllipsisHorizontalIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Menu } from "@mantine/core";
import { useState } from "react";

import type { Token } from "../../../../src/resources/tokens/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ConfirmCall, ConfirmModal } from "../../components/confirm-modal.tsx";
import { MenuItemLink } from "../../components/links.tsx";
import { SecretModal } from "../../components/secret-modal.tsx";
import { SecretCard } from "./secret-card.tsx";
import { tokenAddress, useTokenOwner, type TokenOwner } from "./token-owner.ts";
import { showDone } from "../../components/notices.tsx";

type Step = "roll" | "disable" | "delete";

export function TokenActions({ token }: { readonly token: Token }) {
  const [step, setStep] = useState<Step>();
  const { owner, page } = useTokenOwner();
  const done = (): void => setStep(undefined);
  const enable = useApiMutation(() => switched(owner, token, "active"), {
    onSuccess: () => showDone(`${token.name} was enabled again.`),
  });
  return (
    <>
      <Menu position="bottom-end" portalProps={{ target: "#page" }}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for the token ${token.name}`}>
            <EllipsisHorizontalIcon width={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItemLink to={tokenAddress(page, token.id)}>Edit</MenuItemLink>
          <Menu.Item onClick={() => setStep("roll")}>Roll the secret</Menu.Item>
          {token.status === "disabled" ? (
            <Menu.Item onClick={() => enable.mutate(undefined)}>Enable</Menu.Item>
          ) : (
            <Menu.Item onClick={() => setStep("disable")}>Disable</Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setStep("delete")}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {step === "roll" && <Roll token={token} onDone={done} />}
      {step === "disable" && <Disable token={token} onDone={done} />}
      {step === "delete" && <Delete token={token} onDone={done} />}
    </>
  );
}

/** The call that leaves a token as it is but for its status. */
function switched(owner: TokenOwner["owner"], token: Token, status: "active" | "disabled") {
  const { name, policies, not_before, expires_on, condition } = token;
  return call(
    "replaceToken",
    { ...owner, token_id: token.id },
    {
      name,
      policies,
      status,
      ...(not_before !== undefined && { not_before }),
      ...(expires_on !== undefined && { expires_on }),
      ...(condition !== undefined && { condition }),
    },
  );
}

interface StepProps {
  readonly token: Token;
  readonly onDone: () => void;
}

function Roll({ token, onDone }: StepProps) {
  const { owner } = useTokenOwner();
  const request = call("rollToken", { ...owner, token_id: token.id });
  const { mutate, isPending, error, data } = useApiMutation(() => request);
  if (data !== undefined)
    return (
      <SecretModal title={`New secret of ${token.name}`} onSaved={onDone}>
        <SecretCard secret={data.result} />
      </SecretModal>
    );
  return (
    <ConfirmModal
      opened
      onClose={onDone}
      title={`Roll the secret of ${token.name}`}
      action="Roll"
      pending={isPending}
      error={error}
      call={request}
      onConfirm={() => mutate(undefined)}
    >
      The token gets a new secret. Anything that uses the current one is refused from that moment on.
    </ConfirmModal>
  );
}

function Disable({ token, onDone }: StepProps) {
  const { owner } = useTokenOwner();
  return (
    <ConfirmCall
      call={switched(owner, token, "disabled")}
      onClose={onDone}
      title={`Disable ${token.name}`}
      action="Disable"
    >
      Anything that uses the token is refused until it is enabled again.
    </ConfirmCall>
  );
}

function Delete({ token, onDone }: StepProps) {
  const { owner } = useTokenOwner();
  return (
    <ConfirmCall
      call={call("deleteToken", { ...owner, token_id: token.id })}
      onClose={onDone}
      title={`Delete ${token.name}`}
      action="Delete"
    >
      Anything that uses the token is refused from that moment on. This cannot be undone.
    </ConfirmCall>
  );
}
