import { ButtonLink } from "../../components/links.tsx";
import type { NewRuleSearch } from "./search.ts";

interface NewExceptionLinkProps {
  readonly zoneId: string;
  readonly proposed: Pick<NewRuleSearch, "expression" | "description" | "rules">;
  readonly children: string;
}

/** The way to the form of a new exception, filled in as proposed. */
export function NewExceptionLink({ zoneId, proposed, children }: NewExceptionLinkProps) {
  return (
    <ButtonLink
      size="xs"
      variant="default"
      to="/zones/$zoneId/security/waf/managed-rules/new"
      params={{ zoneId }}
      search={{ action: "skip", ...proposed }}
    >
      {children}
    </ButtonLink>
  );
}
