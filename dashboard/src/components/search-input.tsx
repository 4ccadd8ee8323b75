import { MagnifyingGlassIcon } from "@heroicons/react/24/outline";
import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";

import { useSentText } from "./sent-text.ts";

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Searches while one types, a moment after the last key. */
export function SearchInput({ label, value, onSearch }: SearchInputProps) {
  const { text, setText, send } = useSentText(value, onSearch);
  const search = useDebouncedCallback(send, 250);
  return (
    <TextInput
      type="search"
      data-shortcut="/"
      aria-label={label}
      placeholder={label}
      flex="1 1 14rem"
      maw="28rem"
      leftSection={<MagnifyingGlassIcon width={18} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}
