import { Button, Divider } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";

import type { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { resultOf, signInMethodsQuery } from "../../api/session.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";

/** Leads to the provider of single sign-on; nothing where there is none. */
export function SingleSignOnButton({ next }: { readonly next: string }) {
  const { data } = useQuery(signInMethodsQuery);
  const { mutate, isPending, isSuccess, error } = useMutation<void, ApiError>({
    mutationFn: async () => {
      const { url, secret } = await resultOf(call("startSingleSignOn", {}));
      keepBegun({ secret, next });
      window.location.assign(url);
    },
  });
  if (data === undefined || data.single_sign_on === null) return undefined;
  return (
    <>
      <Divider label="or" />
      <ErrorAlert title="Sign-in failed" error={error} />
      <Button variant="default" fullWidth loading={isPending || isSuccess} onClick={() => mutate()}>
        {data.single_sign_on.label}
      </Button>
    </>
  );
}

/** Kept by a browser while its user is at the provider. */
interface BegunSignOn {
  readonly secret: string;
  /** Path of this origin to go on at. */
  readonly next: string;
}

const key = "zoneward-single-sign-on";

/** Kept for this tab alone. */
function keepBegun(begun: BegunSignOn): void {
  sessionStorage.setItem(key, JSON.stringify(begun));
}

/** Undefined where this tab has begun nothing. It can be taken once. */
export function takeBegun(): BegunSignOn | undefined {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return kept === null ? undefined : (JSON.parse(kept) as BegunSignOn);
}
