import { ArrowDownIcon, ArrowUpIcon } from "@heroicons/react/24/outline";

import { IconButton } from "./icon-button.tsx";

interface MoveButtonsProps {
  /** "the page rule example.com/*" */
  readonly name: string;
  /** Place in the list, and how many there are. */
  readonly place: number;
  readonly count: number;
  readonly disabled: boolean;
  readonly onMove: (to: number) => void;
}

/** Moves one of a list whose order matters up or down. */
export function MoveButtons({ name, place, count, disabled, onMove }: MoveButtonsProps) {
  return (
    <>
      <IconButton
        Icon={ArrowUpIcon}
        label={`Move ${name} up`}
        disabled={disabled || place <= 0}
        onClick={() => onMove(place - 1)}
      />
      <IconButton
        Icon={ArrowDownIcon}
        label={`Move ${name} down`}
        disabled={disabled || place >= count - 1}
        onClick={() => onMove(place + 1)}
      />
    </>
  );
}
