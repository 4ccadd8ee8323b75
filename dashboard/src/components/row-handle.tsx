import { ChevronUpDownIcon } from "@heroicons/react/24/outline";
import { ActionIcon } from "@mantine/core";
import { useRef, type KeyboardEvent, type PointerEvent } from "react";

import classes from "./row-handle.module.css";

interface RowHandleProps {
  /** The name of the row for screen readers: "rule 2". */
  readonly name: string;
  /** From 1 on. */
  readonly place: number;
  readonly count: number;
  readonly isDisabled: boolean;
  readonly onMove: (place: number) => void;
}

/** Moves a row of a table: dragged by the pointer, or by the arrow keys. The rows are those that have a handle. */
export function RowHandle({ name, place, count, isDisabled, onMove }: RowHandleProps) {
  const target = useRef<number>(undefined);

  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const rows = rowsBeside(event.currentTarget);
    const over = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return event.clientY >= top && event.clientY < bottom;
    });
    clearMarks(rows);
    rows[place - 1]?.setAttribute("data-dragged", "");
    target.current = over === -1 || over === place - 1 ? undefined : over + 1;
    if (target.current !== undefined)
      rows[over]?.setAttribute("data-drop", over < place - 1 ? "before" : "after");
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    clearMarks(rowsBeside(event.currentTarget));
    if (target.current !== undefined) onMove(target.current);
    target.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 1, End: count }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (!isDisabled && to >= 1 && to <= count && to !== place) onMove(to);
  };

  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      className={classes.handle ?? ""}
      data-row-handle
      aria-label={`Move ${name}: arrow keys`}
      title="Drag, or press the arrow keys"
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        if (!isDisabled && event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={(event: PointerEvent<HTMLElement>) => {
        clearMarks(rowsBeside(event.currentTarget));
        target.current = undefined;
      }}
      onKeyDown={onKeyDown}
    >
      <ChevronUpDownIcon width={16} aria-hidden />
    </ActionIcon>
  );
}

function rowsBeside(handle: HTMLElement): readonly HTMLElement[] {
  const body = handle.closest("tbody");
  const handles = body?.querySelectorAll<HTMLElement>("[data-row-handle]") ?? [];
  return Array.from(handles, (one) => one.closest("tr")).filter((row) => row !== null);
}

/** Rows are marked in the document itself: another rendering of the table with each movement would be slow. */
function clearMarks(rows: readonly HTMLElement[]): void {
  for (const row of rows) {
    row.removeAttribute("data-drop");
    row.removeAttribute("data-dragged");
  }
}
