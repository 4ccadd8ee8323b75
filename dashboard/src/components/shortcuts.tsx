import { Button, Kbd, Modal, Table } from "@mantine/core";
import { useDisclosure, useHotkeys, type HotkeyItem } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

const shortcuts = [
  { keys: ["Ctrl", "K"], does: "Find a zone, a record, a page or an action" },
  { keys: ["/"], does: "Search the list of the page" },
  { keys: ["n"], does: "Add something new to it" },
  { keys: ["Enter"], does: "Save what the fields hold" },
  { keys: ["Ctrl", "Enter"], does: "Save it and go on with another record" },
  { keys: ["Esc"], does: "Close the editor or dialog" },
  { keys: ["?"], does: "Show these shortcuts" },
] as const;

/** A key that means itself where somebody writes. */
function outsideOfTexts(key: string, act: () => void): HotkeyItem {
  const onKey = (event: KeyboardEvent): void => {
    if (event.target instanceof Element && event.target.matches(":read-write, select")) return;
    event.preventDefault();
    act();
  };
  return [key, onKey, { preventDefault: false }];
}

/** The element of the current page that a key acts on, by its `data-shortcut`. Nothing behind a dialog. */
function ofPage(key: "/" | "n"): HTMLElement | undefined {
  if (document.querySelector("[aria-modal=true]") !== null) return undefined;
  return document.querySelector<HTMLElement>(`#page [data-shortcut="${key}"]`) ?? undefined;
}

/** The keys that work on every page, and the button that finds anything. */
export function Shortcuts() {
  const [opening, setOpening] = useState(0);
  const [helping, help] = useDisclosure();
  const find = (): void => setOpening((count) => count + 1);
  useHotkeys(
    [
      ["mod+K", find],
      outsideOfTexts("/", () => ofPage("/")?.focus()),
      outsideOfTexts("n", () => ofPage("n")?.click()),
      outsideOfTexts("shift+?", help.open),
      outsideOfTexts("?", help.open),
    ],
    [],
  );
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={find}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        visibleFrom="sm"
      >
        Find anything
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        onClick={help.open}
        aria-label="Keyboard shortcuts"
        visibleFrom="sm"
      >
        ?
      </Button>
      {opening > 0 && (
        <Suspense>
          <Palette key={opening} />
        </Suspense>
      )}
      <Modal opened={helping} onClose={help.close} title="Keyboard shortcuts">
        <Table aria-label="Keyboard shortcuts">
          <Table.Tbody>
            {shortcuts.map(({ keys, does }) => (
              <Table.Tr key={does}>
                <Table.Td>
                  {keys.map((key) => (
                    <Kbd key={key} mr={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
