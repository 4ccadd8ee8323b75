import type { User } from "../../../../src/resources/users/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Copied } from "../../components/copy-button.tsx";
import { DetailsForm } from "../../components/details-form.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { textField } from "../../components/resource/field.tsx";

const draftOf = ({ first_name, last_name, telephone, country, zipcode }: User) => ({
  first_name: first_name ?? "",
  last_name: last_name ?? "",
  telephone: telephone ?? "",
  country: country ?? "",
  zipcode: zipcode ?? "",
});

const isOptional = true;
const fields = {
  first_name: textField({ label: "First name", pointer: "/first_name", isOptional }),
  last_name: textField({ label: "Last name", pointer: "/last_name", isOptional }),
  telephone: textField({ label: "Telephone", pointer: "/telephone", isOptional }),
  country: textField({ label: "Country", pointer: "/country", isOptional }),
  zipcode: textField({ label: "Postal code", pointer: "/zipcode", isOptional }),
};

export function UserDetailsPage() {
  const { data, error } = useApi(call("getUser", {}));
  return (
    <>
      <PageHeader
        title="My details"
        of="My profile"
        calls={[
          { title: "Get the user", call: call("getUser", {}) },
          { title: "Change the name", call: call("editUser", {}, { first_name: "Dora" }) },
        ]}
      />
      {data === undefined ? (
        <Pending height={320} title="The details could not be shown" error={error} />
      ) : (
        <DetailsForm
          fields={fields}
          facts={{
            "E-mail": data.result.email,
            "User id": <Copied value={data.result.id} what="the user id" />,
          }}
          initial={draftOf(data.result)}
          callOf={(draft) =>
            call(
              "editUser",
              {},
              Object.fromEntries(Object.entries(draft).map(([name, text]) => [name, text.trim() || null])),
            )
          }
        />
      )}
    </>
  );
}
