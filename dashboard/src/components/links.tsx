import {
  ActionIcon,
  Anchor,
  Button,
  Card,
  Menu,
  NavLink,
  type ActionIconProps,
  type AnchorProps,
  type ButtonProps,
  type CardProps,
  type ElementProps,
  type MenuItemProps,
  type NavLinkProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";

/** A component of Mantine that is drawn as a link. */
type LinkElement<Props> = Props & ElementProps<"a", Extract<keyof Props, string>>;

export const ActionIconLink = createLink((props: LinkElement<ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
));

export const AnchorLink = createLink((props: LinkElement<AnchorProps>) => <Anchor {...props} />);

export const ButtonLink = createLink((props: LinkElement<ButtonProps>) => (
  <Button component="a" {...props} />
));

export const CardLink = createLink((props: LinkElement<CardProps>) => <Card component="a" {...props} />);

export const MenuItemLink = createLink((props: LinkElement<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));

export const NavigationLink = createLink((props: LinkElement<NavLinkProps>) => <NavLink {...props} />);
