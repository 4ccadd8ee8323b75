import { TrashIcon } from "@heroicons/react/24/outline";
import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentProps, ComponentType, MouseEventHandler } from "react";

interface IconButtonProps extends ActionIconProps {
  readonly Icon: ComponentType<ComponentProps<"svg">>;
  /** The action and its object, for screen readers: "Delete the list offices". */
  readonly label: string;
  readonly onClick: MouseEventHandler | undefined;
  readonly "aria-expanded"?: boolean;
}

/** A button without words, as a row of a list has them. */
export function IconButton({ Icon, label, ...props }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <Icon width={18} aria-hidden />
    </ActionIcon>
  );
}

/** The button that deletes a row of a list, or removes a part. */
export function RemoveButton(props: Omit<IconButtonProps, "Icon" | "color">) {
  return <IconButton Icon={TrashIcon} color="red" {...props} />;
}
