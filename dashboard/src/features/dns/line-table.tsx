import { ScrollArea, Table, Text } from "@mantine/core";

interface LineTableProps {
  readonly label: string;
  /** Headings beside that of the line number. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number | undefined; readonly cells: readonly string[] }[];
}

/** Rows that are shown; whoever shows them counts all. */
const rowsMax = 100;

/** Lines of a file, by their numbers. */
export function LineTable({ label, columns, rows }: LineTableProps) {
  return (
    <div>
      <ScrollArea.Autosize mah={240} type="auto" viewportProps={{ tabIndex: 0 }}>
        <Table aria-label={label} withTableBorder verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <tbody>
            {rows.slice(0, rowsMax).map(({ line, cells }) => (
              <Table.Tr key={`${line} ${cells.join(" ")}`}>
                <Table.Td c="dimmed">{line}</Table.Td>
                {cells.map((cell, index) => (
                  <Table.Td key={columns[index]} style={{ overflowWrap: "anywhere" }}>
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </tbody>
        </Table>
      </ScrollArea.Autosize>
      {rows.length > rowsMax && (
        <Text size="sm" c="dimmed">
          … and {rows.length - rowsMax} more
        </Text>
      )}
    </div>
  );
}
