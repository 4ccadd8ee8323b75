import { ViewColumnsIcon } from "@heroicons/react/24/outline";
import { Button, Menu } from "@mantine/core";

interface ColumnChoiceProps {
  readonly columns: readonly { readonly key: string; readonly header: string }[];
  readonly hidden: readonly string[];
  readonly onHide: (hidden: string[]) => void;
}

/** Which of the columns that a list can do without it shows. */
export function ColumnChoice({ columns, hidden, onHide }: ColumnChoiceProps) {
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" visibleFrom="sm" leftSection={<ViewColumnsIcon width={18} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, header }) => (
          <Menu.CheckboxItem
            key={key}
            checked={!hidden.includes(key)}
            onChange={(isShown) =>
              onHide(isShown ? hidden.filter((other) => other !== key) : [...hidden, key])
            }
          >
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
