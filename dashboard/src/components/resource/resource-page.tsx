import { PlusIcon } from "@heroicons/react/24/outline";
import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { PageHeader } from "../page-header.tsx";
import { ResourceForm } from "./resource-form.tsx";
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

/** A page that is the list of a resource, with a form to add and change one. */
export function ResourcePage<Row extends { readonly id: string }, Draft extends object, Listed>({
  resource,
  of,
  description,
  renderActions,
}: ResourcePageProps<Row, Draft, Listed>) {
  const [edited, setEdited] = useState<Row | "new">();
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
      >
        <Button
          data-shortcut="n"
          leftSection={<PlusIcon width={18} aria-hidden />}
          onClick={() => setEdited("new")}
        >
          Add {aNoun(resource.noun)}
        </Button>
      </PageHeader>
      <ResourceTable resource={resource} onEdit={setEdited} {...(renderActions && { renderActions })} />
      {edited !== undefined && (
        <ResourceForm
          resource={resource}
          row={edited === "new" ? undefined : edited}
          onDone={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
