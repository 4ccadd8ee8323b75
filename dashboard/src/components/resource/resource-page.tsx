import type { ReactNode } from "react";

import { PageHeader } from "../page-header.tsx";
import { ResourceTable } from "./resource-table.tsx";
import { aNoun, type Resource } from "./resource.ts";

interface ResourcePageProps<Row extends { readonly id: string }, Draft extends object, Listed> {
  readonly resource: Resource<Row, Draft, Listed>;
  /** Name of the zone or account whose they are. */
  readonly of: string | undefined;
  readonly description: ReactNode;
  /** Buttons of a row before those that change and delete it. */
  readonly renderActions?: (row: Row, rows: readonly Row[]) => ReactNode;
}

/** A page that is the list of a resource. */
export function ResourcePage<Row extends { readonly id: string }, Draft extends object, Listed>({
  resource,
  of,
  description,
  renderActions,
}: ResourcePageProps<Row, Draft, Listed>) {
  return (
    <>
      <PageHeader
        title={resource.title}
        of={of}
        description={description}
        calls={[
          { title: `List the ${resource.title}`, call: resource.list({}) },
          { title: `Add ${aNoun(resource.noun)}`, call: resource.create(resource.blank) },
        ]}
      />
      <ResourceTable resource={resource} {...(renderActions && { renderActions })} />
    </>
  );
}
