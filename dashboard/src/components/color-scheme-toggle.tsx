import { ComputerDesktopIcon, MoonIcon, SunIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Tooltip, useMantineColorScheme } from "@mantine/core";

const schemes = {
  auto: { next: "light", label: "System colours", Icon: ComputerDesktopIcon },
  light: { next: "dark", label: "Light colours", Icon: SunIcon },
  dark: { next: "auto", label: "Dark colours", Icon: MoonIcon },
} as const;

/** Steps through the system's colours, light and dark; the browser remembers it. */
export function ColorSchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { next, label, Icon } = schemes[colorScheme];
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`${label}; change`}
        onClick={() => setColorScheme(next)}
      >
        <Icon width={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
