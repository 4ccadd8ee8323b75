import { dnsSettingSeconds } from "../../../../src/core/dns/served/dns-settings.ts";
import type { ZoneDnsSettings, ZoneDnsSettingsBody } from "../../../../src/resources/dns-settings/schema.ts";
import type { ApiCall } from "../../api/call.ts";
import { DetailsForm } from "../../components/details-form.tsx";
import {
  choiceField,
  numberField,
  switchField,
  textField,
  type FieldWords,
} from "../../components/resource/field.tsx";

interface SettingsFormProps {
  readonly settings: ZoneDnsSettings;
  /** JSON pointer of the settings in the body that changes them; the body itself if left out. */
  readonly root?: string;
  readonly callOf: (change: ZoneDnsSettingsBody) => ApiCall<unknown>;
  readonly description?: string;
}

/** Only what is changed is sent: the rest goes on following the defaults. */
function changeOf<Draft extends object>(before: Draft, after: Draft): Partial<Draft> {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof Draft] !== value);
  return Object.fromEntries(changed) as Partial<Draft>;
}

function secondsField(
  name: keyof typeof dnsSettingSeconds,
  words: FieldWords & { readonly description: string },
) {
  const [least, most] = dnsSettingSeconds[name].map((seconds) => seconds.toLocaleString("en"));
  return numberField({ ...words, description: `${words.description}: ${least} to ${most} seconds` });
}

const modes = {
  standard: "Standard: proxied names lead to the edge",
  dns_only: "DNS only: no name is proxied",
};

const answerFields = (root: string) => ({
  zone_mode: choiceField(modes, {
    label: "Mode of the zone",
    description:
      "With DNS only, proxied records are answered with their own content: visitors reach the origin directly, past every rule",
    pointer: `${root}/zone_mode`,
  }),
  flatten_all_cnames: switchField({
    label: "Flatten all CNAME records",
    description: "Each is answered with the addresses of its target",
    pointer: `${root}/flatten_all_cnames`,
  }),
  multi_provider: switchField({
    label: "More than one DNS provider",
    description: "NS records at the name of the zone are answered beside its own",
    pointer: `${root}/multi_provider`,
  }),
  ns_ttl: secondsField("ns_ttl", {
    label: "TTL of the NS records",
    description: "How long resolvers keep them",
    pointer: `${root}/ns_ttl`,
  }),
});

/** Settings that decide how records are answered. */
export function AnswersForm({ settings, root = "", callOf }: SettingsFormProps) {
  const { zone_mode, flatten_all_cnames, multi_provider, ns_ttl } = settings;
  const initial = {
    // The API does not let any zone have the third mode.
    zone_mode: zone_mode === "dns_only" ? zone_mode : ("standard" as const),
    flatten_all_cnames,
    multi_provider,
    ns_ttl: ns_ttl as number | "",
  };
  return (
    <DetailsForm
      title="Answers"
      what="settings"
      fields={answerFields(root)}
      initial={initial}
      callOf={(draft) => callOf(changeOf(initial, draft) as ZoneDnsSettingsBody)}
    />
  );
}

const soaFields = (root: string) => ({
  mname: textField({
    label: "Primary name server",
    description: "Empty: the first name server of the zone",
    placeholder: "ns1.example.com",
    pointer: `${root}/soa/mname`,
    isOptional: true,
  }),
  rname: textField({
    label: "Mailbox of who is responsible",
    description: "As a name: hostmaster.example.com stands for hostmaster@example.com",
    pointer: `${root}/soa/rname`,
  }),
  refresh: secondsField("refresh", {
    label: "Refresh",
    description: "How often secondary servers ask for the serial",
    pointer: `${root}/soa/refresh`,
  }),
  retry: secondsField("retry", {
    label: "Retry",
    description: "When they ask again if nobody answered",
    pointer: `${root}/soa/retry`,
  }),
  expire: secondsField("expire", {
    label: "Expire",
    description: "When they stop answering if nobody answers them",
    pointer: `${root}/soa/expire`,
  }),
  min_ttl: secondsField("min_ttl", {
    label: "Negative TTL",
    description: "How long resolvers keep that a name does not exist",
    pointer: `${root}/soa/min_ttl`,
  }),
  ttl: secondsField("ttl", {
    label: "TTL of the SOA record",
    description: "How long resolvers keep it",
    pointer: `${root}/soa/ttl`,
  }),
});

export function SoaForm({
  settings: { soa },
  root = "",
  callOf,
  description = "Its serial grows with each change of the zone.",
}: SettingsFormProps) {
  const initial = {
    mname: soa.mname ?? "",
    rname: soa.rname,
    refresh: soa.refresh as number | "",
    retry: soa.retry as number | "",
    expire: soa.expire as number | "",
    min_ttl: soa.min_ttl as number | "",
    ttl: soa.ttl as number | "",
  };
  return (
    <DetailsForm
      title="SOA record"
      what="settings"
      description={description}
      fields={soaFields(root)}
      initial={initial}
      callOf={(draft) => {
        const change = changeOf(initial, { ...draft, mname: draft.mname.trim(), rname: draft.rname.trim() });
        const { mname } = change;
        return callOf({
          soa: { ...change, ...(mname !== undefined && { mname: mname || null }) },
        } as ZoneDnsSettingsBody);
      }}
    />
  );
}
