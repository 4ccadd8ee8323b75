import { useEffect, useRef, type FocusEventHandler, type KeyboardEventHandler, type RefObject } from "react";

/** The place of a control in a table, from 0 on; -1 outside of the rows. */
interface Place {
  readonly control: HTMLElement;
  readonly row: number;
  readonly cell: number;
  readonly inCell: number;
}

interface KeptFocus {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly onFocus: FocusEventHandler;
  readonly onBlur: FocusEventHandler;
  readonly onKeyDown: KeyboardEventHandler;
}

/**
 * For what is around a table: where keys delete the row that has the focus, the same control of the row that stands
 * there then gets it, of the last one if there is none; without rows the first control, or what stands in their place
 * (`data-empty`). Whoever has gone on elsewhere keeps the focus there.
 */
export function useKeptFocus(): KeptFocus {
  const ref = useRef<HTMLDivElement>(null);
  const place = useRef<Place>(undefined);
  // After the effects in which forms and dialogs give the focus back to what opened them.
  useEffect(() => {
    const { activeElement } = document;
    if (ref.current === null || place.current === undefined) return;
    if (activeElement === document.body) restore(ref.current, place.current);
    else if (!ref.current.contains(activeElement) && !isOverPage(activeElement)) place.current = undefined;
  });
  return {
    ref,
    onFocus: ({ target, currentTarget }) => {
      // In React, the dialogs and menus of a row are within it. After a click, Space scrolls and must press nothing.
      const isInTable = currentTarget.contains(target) && target instanceof HTMLElement;
      if (isInTable && target.matches(":focus-visible")) place.current = placeOf(currentTarget, target);
    },
    onBlur: ({ target, currentTarget, relatedTarget }) => {
      const isLeft = currentTarget.contains(target) && !target.matches(":disabled");
      if (isLeft && !isOverPage(relatedTarget)) place.current = undefined;
    },
    onKeyDown: (event) => {
      const { key, repeat, target } = event;
      // An Enter that is held would delete one row after the other.
      if (key === "Enter" && repeat && target instanceof Element && target.matches("a, button"))
        event.preventDefault();
    },
  };
}

/** Whether it is in a dialog or a menu, after which keys go on where they were. */
function isOverPage(element: Element | null): boolean {
  return element?.closest("[role=dialog], [role=menu]") != null;
}

function rowsOf(table: Element): HTMLTableRowElement[] {
  return [...table.querySelectorAll<HTMLTableRowElement>("[data-row]")];
}

function controlsOf(element: Element | undefined): HTMLElement[] {
  return [...(element?.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea") ?? [])];
}

function placeOf(table: Element, control: HTMLElement): Place {
  const rows = rowsOf(table);
  const row = rows.findIndex((one) => one.contains(control));
  const cells = [...(rows[row]?.cells ?? [])];
  const cell = cells.findIndex((one) => one.contains(control));
  return { control, row, cell, inCell: controlsOf(cells[cell]).indexOf(control) };
}

function restore(table: HTMLElement, { control, row: index, cell: cellIndex, inCell }: Place): void {
  // The control was disabled meanwhile, or still is.
  if (control.isConnected) return control.focus({ preventScroll: true });
  const rows = rowsOf(table);
  const row = index < 0 ? undefined : (rows[index] ?? rows.at(-1));
  const cell = controlsOf(row?.cells[cellIndex]);
  const empty = table.querySelector<HTMLElement>("[data-empty]");
  for (const next of [cell[inCell], ...cell, ...controlsOf(row), ...controlsOf(table), empty]) {
    next?.focus({ preventScroll: true });
    // Disabled and hidden elements do not take the focus.
    if (document.activeElement !== document.body) return;
  }
}
