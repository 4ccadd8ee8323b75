import { TagsInput } from "@mantine/core";
import { useState } from "react";

import { cidrOfAddress, parseCidr } from "../../../../src/core/net/ip-range.ts";
import { useFieldValidity } from "../../components/form.tsx";

interface RangesInputProps {
  readonly label: string;
  readonly placeholder: string;
  /** In CIDR notation. */
  readonly value: readonly string[];
  readonly onChange: (ranges: string[]) => void;
}

const separators = [",", " ", "\n"];

/** The CIDR notation of a range or a single address; undefined for anything else. */
function cidrOf(text: string): string | undefined {
  const cidr = cidrOfAddress(text.trim()) ?? text.trim();
  return parseCidr(cidr) && cidr;
}

/** Ranges of addresses. Anything else stays as it is typed, and keeps the form from being sent. */
export function RangesInput({ label, placeholder, value, onChange }: RangesInputProps) {
  const [text, setText] = useState("");
  const [isTold, setTold] = useState(false);
  const isWrong = text.trim() !== "" && cidrOf(text) === undefined;
  const message = isWrong ? `${text.trim()} is no address or range` : undefined;
  const field = useFieldValidity<HTMLInputElement>(message);
  return (
    <TagsInput
      ref={field}
      label={label}
      description="Addresses, or ranges in CIDR notation"
      placeholder={value.length === 0 ? placeholder : ""}
      splitChars={separators}
      value={[...value]}
      searchValue={text}
      onSearchChange={(next) => {
        setText(next);
        setTold(false);
      }}
      acceptValueOnBlur={!isWrong}
      onKeyDown={(event) => {
        if (!isWrong || ![...separators, "Enter"].includes(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        setTold(true);
      }}
      onBlur={() => setTold(true)}
      onInvalid={() => setTold(true)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text").split(/[,\s]+/);
        const wrong = pasted.filter((one) => cidrOf(one) === undefined);
        if (pasted.length === 1) return;
        event.preventDefault();
        onChange([...new Set([...value, ...pasted.flatMap((one) => cidrOf(one) ?? [])])]);
        setText(wrong.join(" ").trim());
        setTold(true);
      }}
      onChange={(next) => onChange([...new Set(next.flatMap((one) => cidrOf(one) ?? []))])}
      error={isTold ? message : undefined}
    />
  );
}
