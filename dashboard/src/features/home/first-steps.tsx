import { Box } from "@mantine/core";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Checklist, type Step } from "../../components/checklist.tsx";
import { counted } from "../../components/counted.ts";

/** What is next for somebody who begins here, until all of it is done; `zones` is how many there are. */
export function FirstSteps({ zones }: { readonly zones: number }) {
  const request = call("listTokens", {}, { page: 1, per_page: 1, include_expired: false });
  const tokens = useApi(request).data?.result_info?.total_count;
  const user = useApi(call("getUser", {})).data?.result;
  if (tokens === undefined || user === undefined) return undefined;
  const isProtected = user.two_factor_authentication_enabled;
  const steps: readonly Step[] = [
    {
      title: "Add a zone",
      isDone: zones > 0,
      detail:
        zones === 0 ? "A domain whose DNS, certificates and firewall you manage." : counted(zones, "zone"),
      link: { to: "/", search: { add: true }, text: "Add a zone" },
    },
    {
      title: "Make an API token",
      isDone: tokens > 0,
      detail: tokens === 0 ? "What scripts and Terraform sign in with." : counted(tokens, "token"),
      link: { to: "/profile/tokens/new", text: "Create a token" },
    },
    {
      title: "Protect your sign-in",
      isDone: isProtected,
      detail: isProtected ? "It takes a second factor." : "With an authenticator app or a passkey.",
      link: { to: "/profile/two-factor", text: "Set it up" },
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return undefined;
  return (
    <Box mt="lg">
      <Checklist title="Next steps" steps={steps} />
    </Box>
  );
}
