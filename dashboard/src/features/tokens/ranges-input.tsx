import { TagsInput } from "@mantine/core";
import { useState } from "react";

import { cidrOfAddress, parseCidr } from "../../../../src/core/net/ip-range.ts";

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

/** Ranges of addresses. What is none is refused as it is typed, and never becomes one of them. */
export function RangesInput({ label, placeholder, value, onChange }: RangesInputProps) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const isWrong = text.trim() !== "" && cidrOf(text) === undefined;
  return (
    <TagsInput
      label={label}
      description="Addresses, or ranges in CIDR notation"
      placeholder={value.length === 0 ? placeholder : ""}
      splitChars={separators}
      value={[...value]}
      searchValue={text}
      onSearchChange={(next) => {
        setText(next);
        if (next !== "") setWrong(undefined);
      }}
      acceptValueOnBlur={!isWrong}
      onKeyDown={(event) => {
        if (!isWrong || ![...separators, "Enter"].includes(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        setWrong(text);
      }}
      onBlur={() => setWrong(isWrong ? text : undefined)}
      onChange={(next) => {
        onChange([...new Set(next.flatMap((one) => cidrOf(one) ?? []))]);
        setWrong(next.find((one) => cidrOf(one) === undefined));
      }}
      error={wrong === undefined ? undefined : `${wrong.trim()} is no address or range`}
    />
  );
}
