import { EyeIcon, EyeSlashIcon } from "@heroicons/react/24/outline";
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { parseTsigAlgorithm, type TsigAlgorithm } from "../../../../src/core/dns/wire/tsig.ts";
import type { TsigBody, Tsig } from "../../../../src/resources/zone-transfers/schema.ts";
import { call } from "../../api/call.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { choiceField, textField, type Field, type FieldWords } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { IconButton } from "../../components/icon-button.tsx";

interface TsigDraft {
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: string;
}

const algorithms: Readonly<Record<TsigAlgorithm, string>> = {
  "hmac-sha256": "HMAC-SHA256",
  "hmac-sha512": "HMAC-SHA512",
  "hmac-sha384": "HMAC-SHA384",
  "hmac-sha224": "HMAC-SHA224",
  "hmac-sha1": "HMAC-SHA1, for servers that have nothing newer",
  "hmac-md5.sig-alg.reg.int": "HMAC-MD5, for servers that have nothing newer",
};

/** "HMAC-SHA256" for `hmac-sha256.` */
function algorithmName(algo: string): string {
  const known = parseTsigAlgorithm(algo);
  return known === undefined ? algo : (algorithms[known].split(",")[0] ?? algo);
}

const bodyOf = ({ name, algorithm, secret }: TsigDraft): TsigBody => ({
  name: name.trim(),
  algo: `${algorithm}.`,
  secret: secret.trim(),
});

/** The keys by which name servers know each other. */
export function tsigs(accountId: string): Resource<Tsig, TsigDraft> {
  return {
    noun: "TSIG key",
    title: "TSIG keys",
    list: ({ page = 1, per_page = 20 }) => call("listTsigs", { account_id: accountId }, { page, per_page }),
    columns: [
      { key: "name", header: "Name", cell: ({ name }) => <code>{name}</code> },
      { key: "algorithm", header: "Algorithm", width: "14rem", cell: ({ algo }) => algorithmName(algo) },
      {
        key: "secret",
        header: "Secret",
        cell: ({ name, secret }) => (secret === undefined ? null : <ShownSecret secret={secret} of={name} />),
      },
    ],
    nameOf: ({ name }) => name,
    empty: (
      <EmptyList title="No keys">A key lets a name server prove who it is, whatever its address.</EmptyList>
    ),
    deletion: "Messages that are signed with it are refused, at once.",
    fields: {
      name: textField({
        label: "Name",
        description: "A domain name; the other side has to have the key under the same one",
        placeholder: "xfr.example.com.",
        pointer: "/name",
      }),
      algorithm: choiceField(algorithms, { label: "Algorithm", pointer: "/algo" }),
      secret: secretField({
        label: "Secret",
        description: "Base64, at least as long as what the algorithm makes",
        pointer: "/secret",
      }),
    },
    blank: { name: "", algorithm: "hmac-sha256", secret: "" },
    draftOf: ({ name, algo, secret }) => ({
      name,
      algorithm: parseTsigAlgorithm(algo) ?? "hmac-sha256",
      secret: secret ?? "",
    }),
    create: (draft) => call("createTsig", { account_id: accountId }, bodyOf(draft)),
    edit: ({ id }, draft) => call("replaceTsig", { account_id: accountId, tsig_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deleteTsig", { account_id: accountId, tsig_id: id }),
  };
}

/** The length of the longest of the algorithms' results (RFC 8945 section 8). */
const secretOctets = 64;

/** Base64. */
function newSecret(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(secretOctets))));
}

function secretField(words: FieldWords): Field<string> {
  return {
    ...words,
    control: ({ words: said, value, onChange, error, disabled }) => (
      <Group align="flex-end" gap="xs">
        <TextInput
          {...said}
          flex="1 1 16rem"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: "monospace" }}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
          disabled={disabled}
        />
        <Button variant="default" disabled={disabled} onClick={() => onChange(newSecret())}>
          Generate
        </Button>
      </Group>
    ),
  };
}

/** A secret that is covered until somebody wants to see it. */
function ShownSecret({ secret, of }: { readonly secret: string; readonly of: string }) {
  const [isShown, { toggle }] = useDisclosure();
  const Icon = isShown ? EyeSlashIcon : EyeIcon;
  return (
    <Group gap={4} wrap="nowrap">
      <Text
        component="code"
        size="sm"
        miw={0}
        truncate={!isShown}
        {...(isShown && { style: { overflowWrap: "anywhere" } })}
      >
        {isShown ? secret : "••••••••"}
      </Text>
      <IconButton Icon={Icon} label={`${isShown ? "Cover" : "Show"} the secret of ${of}`} onClick={toggle} />
      <CopyButton value={secret} what={`the secret of ${of}`} />
    </Group>
  );
}
