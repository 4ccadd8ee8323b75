import { Type, type Static } from "@sinclair/typebox";

import { listKinds, listNameLengthMax, listNamePattern, type ListKind } from "../../core/lists/kinds.ts";
import { Identifier, Matching } from "../../operation/schema.ts";
import { redirectStatusCodes, redirectUrlLengthMax } from "../../core/lists/redirects.ts";

const Kind = Type.Unsafe<ListKind>(Type.Union(listKinds.map((kind) => Type.Literal(kind))));

const Name = Matching(listNamePattern, "must hold only letters, digits and underscores", {
  minLength: 1,
  maxLength: listNameLengthMax,
  description: "By which expressions name the list: `$name`. They can only name one without capital letters.",
});
const Text = Type.String({ maxLength: 500 });
const SentText = Type.Optional(Type.Union([Text, Type.Null()]));
const Id = Type.String();
const Time = Type.String({ format: "date-time" });

export const List = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  kind: Kind,
  num_items: Type.Integer(),
  num_referencing_filters: Type.Integer({ description: "Rules and filters that name the list." }),
  created_on: Time,
  modified_on: Time,
});
export type List = Static<typeof List>;

export const ListId = Type.Object({ id: Id });

export const CreateListBody = Type.Object({ name: Name, kind: Kind, description: SentText });

export const ReplaceListBody = Type.Object({
  description: SentText,
  name: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
});

const Hostname = Type.Object({
  url_hostname: Type.String({ description: "`example.com` or `*.example.com`." }),
  exclude_exact_hostname: Type.Optional(
    Type.Boolean({
      description: "Of a name with `*.`: whether it leaves out the name itself, which it does by default.",
    }),
  ),
});

const Url = Type.String({ minLength: 1, maxLength: redirectUrlLengthMax });
const StatusCode = Type.Unsafe<(typeof redirectStatusCodes)[number]>(
  Type.Union(redirectStatusCodes.map((code) => Type.Literal(code))),
);
/** The defaults of a redirect: docs/contract/lists.md#items. */
const SentRedirect = Type.Object({
  source_url: Url,
  target_url: Url,
  status_code: Type.Optional(StatusCode),
  include_subdomains: Type.Optional(Type.Boolean()),
  subpath_matching: Type.Optional(Type.Boolean()),
  preserve_query_string: Type.Optional(Type.Boolean()),
  preserve_path_suffix: Type.Optional(Type.Boolean()),
});

/** An item has the one field that matches the kind of its list. */
export const ListItemBody = Type.Object({
  ip: Type.Optional(Type.String()),
  asn: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
  hostname: Type.Optional(Hostname),
  redirect: Type.Optional(SentRedirect),
  comment: SentText,
});

export const ListItemsBody = Type.Array(ListItemBody);

export const RemoveListItemsBody = Type.Object({
  items: Type.Array(Type.Object({ id: Identifier() }), { minItems: 1 }),
});

export const ListItem = Type.Object({
  id: Id,
  ip: Type.Optional(Type.String()),
  asn: Type.Optional(Type.Integer()),
  hostname: Type.Optional(Hostname),
  redirect: Type.Optional(SentRedirect),
  comment: Type.Optional(Type.String()),
  created_on: Time,
  modified_on: Time,
});

export const ListItemsQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      description:
        "Addresses that begin with it, host names and redirects that contain it, the number that it is.",
    }),
  ),
});

export const ListOperationId = Type.Object({ operation_id: Id });

export const ListOperation = Type.Object({
  id: Id,
  status: Type.Union(["pending", "running", "completed", "failed"].map((status) => Type.Literal(status))),
  completed: Type.Optional(Time),
  error: Type.Optional(Type.String({ description: "Why it failed; nothing was changed then." })),
});
