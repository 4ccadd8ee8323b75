import { getRouteApi } from "@tanstack/react-router";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Copied } from "../../components/copy-button.tsx";
import { DetailsForm } from "../../components/details-form.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { textField } from "../../components/resource/field.tsx";
import { wordsOf } from "../../components/setting-words.ts";
import { Timestamp } from "../../components/timestamp.tsx";

const route = getRouteApi("/shell/accounts/$accountId/details");

const fields = {
  name: textField({ label: "Name", pointer: "/name" }),
  abuseContact: textField({
    label: "Contact for abuse",
    description: "An e-mail address",
    pointer: "/settings",
    isOptional: true,
  }),
};

export function AccountDetailsPage() {
  const { accountId } = route.useParams();
  const request = call("getAccount", { account_id: accountId });
  const { data, error } = useApi(request);
  return (
    <>
      <PageHeader
        title="Account details"
        of={data?.result.name}
        calls={[
          { title: "Get the account", call: request },
          {
            title: "Change its name",
            call: call("editAccount", { account_id: accountId }, { name: "Example" }),
          },
        ]}
      />
      {data === undefined ? (
        <Pending height={240} title="The account could not be shown" error={error} />
      ) : (
        <DetailsForm
          fields={fields}
          facts={{
            "Account id": <Copied value={data.result.id} what="the account id" />,
            Type: wordsOf(data.result.type),
            Made: <Timestamp at={data.result.created_on} />,
          }}
          initial={{
            name: data.result.name,
            abuseContact: data.result.settings.abuse_contact_email ?? "",
          }}
          callOf={({ name, abuseContact }) =>
            call(
              "editAccount",
              { account_id: accountId },
              {
                name: name.trim(),
                settings: { abuse_contact_email: abuseContact.trim() || null },
              },
            )
          }
        />
      )}
    </>
  );
}
