import { Text } from "@mantine/core";

import type { Plan } from "../../../../src/core/expression/phases.ts";
import type { Filter, FilterFields } from "../../../../src/resources/firewall-rules/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { switchField, textField, type Field, type FieldWords } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { ExpressionInput } from "../../components/expression-input.tsx";

interface FilterDraft {
  readonly description: string;
  readonly expression: string;
  readonly isOn: boolean;
}

const bodyOf = ({ description, expression, isOn }: FilterDraft): FilterFields => ({
  expression,
  description,
  paused: !isOn,
});

/** The filters of a zone, each of which at most one firewall rule has. */
export function filters(zoneId: string, plan: Plan | undefined): Resource<Filter, FilterDraft> {
  return {
    noun: "filter",
    title: "Filters",
    // A rule shows the expression of its filter.
    invalidates: [call("listFirewallRules", { zone_id: zoneId })],
    list: ({ page = 1, per_page = 20, search = "" }) =>
      call(
        "listFilters",
        { zone_id: zoneId },
        { page, per_page, ...(search !== "" && { expression: search }) },
      ),
    search: "Search expressions",
    columns: [
      {
        key: "expression",
        header: "Expression",
        cell: ({ expression, description }) => (
          <>
            <Text size="sm" className="monospace" lang="zxx" lineClamp={3}>
              {expression}
            </Text>
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          </>
        ),
      },
      {
        key: "status",
        header: "Status",
        width: "8rem",
        cell: ({ paused }) => <StatusBadge status={paused ? "paused" : "active"} />,
      },
    ],
    nameOf: ({ description, id }) => description || id,
    empty: <EmptyList title="No filters">A firewall rule brings its filter with it.</EmptyList>,
    deletion: "A rule that has it matches no request any more.",
    fields: {
      description: textField({ label: "Description", pointer: "/description", isOptional: true }),
      expression: expressionField(plan, { label: "Expression", pointer: "/expression" }),
      isOn: switchField({ label: "In force" }),
    },
    blank: { description: "", expression: "", isOn: true },
    draftOf: ({ description, expression, paused }) => ({ description, expression, isOn: !paused }),
    create: (draft) => call("createFilters", { zone_id: zoneId }, [bodyOf(draft)]),
    createdAt: "/0",
    edit: ({ id }, draft) => call("replaceFilter", { zone_id: zoneId, filter_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deleteFilter", { zone_id: zoneId, filter_id: id }),
  };
}

/** A filter expression, built or written. */
export function expressionField(plan: Plan | undefined, words: FieldWords): Field<string> {
  return {
    ...words,
    control: ({ value, onChange, error }) => (
      <ExpressionInput
        value={value}
        onChange={onChange}
        // Previous rules may look at the same fields as custom rules.
        use={{ phase: "http_request_firewall_custom", plan }}
        error={error}
      />
    ),
  };
}
