import {
  ActionIcon,
  alpha,
  Drawer,
  Fieldset,
  Menu,
  Modal,
  Notification,
  Skeleton,
  Switch,
  Table,
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from "@mantine/core";

import classes from "./theme.module.css";

const harbor: MantineColorsTuple = [
  "#eef4fb",
  "#d8e5f5",
  "#b0caec",
  "#84ade2",
  "#5f94da",
  "#4784d5",
  "#3a7bd3",
  "#2c69bb",
  "#235da8",
  "#145095",
];

/** At least 3 : 1 against every surface that a field, a button or a card stands on (WCAG 1.4.11). */
const border = { light: "#7d8794", dark: "#7b8087" } as const;

/**
 * The shell's element for open lists of fields: within its `main`, as nothing of a page may be outside of a landmark.
 */
export const listsId = "lists";

/**
 * The list itself scrolls, as its field moves through it by the arrow keys. Content that scrolled within it nobody
 * could reach.
 */
const listed = { withScrollArea: false, classNames: { options: classes.options ?? "" } } as const;

const closable = { closeButtonProps: { "aria-label": "Close" } } as const;

export const theme = createTheme({
  colors: { harbor },
  primaryColor: "harbor",
  primaryShade: 8,
  defaultRadius: "sm",
  // Steps of 4 pixels.
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: {
    // A humanist face of each system, beside the neutral one of tables and forms.
    fontFamily: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', source-sans-pro, sans-serif",
    fontWeight: "600",
    sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" }, h3: { fontSize: "1rem" } },
  },
  components: {
    // The header of a dialog is no banner of the page.
    Modal: Modal.extend({
      defaultProps: { ...closable, attributes: { header: { role: "presentation" } } },
    }),
    Drawer: Drawer.extend({
      defaultProps: { ...closable, attributes: { header: { role: "presentation" } } },
    }),
    // Only items of a menu may take the focus in it.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // The list of a field that a dialog focuses would cover the others; it opens by a click, a letter or an arrow key.
    MultiSelect: { defaultProps: { ...listed, openOnFocus: false } },
    Select: { defaultProps: { ...listed, openOnFocus: false } },
    Autocomplete: { defaultProps: listed },
    TagsInput: { defaultProps: listed },
    // A number out of bounds stays as it was typed, and the server says at the field why not.
    NumberInput: { defaultProps: { clampBehavior: "none" } },
    Combobox: { defaultProps: { portalProps: { target: `#${listsId}` } } },
    Notification: Notification.extend({ defaultProps: closable }),
    // Rows are set apart by space; their lines need not be seen as borders are.
    Table: Table.extend({ defaultProps: { borderColor: "var(--zoneward-line)" } }),
    Skeleton: Skeleton.extend({ styles: { root: { opacity: 0.5 } } }),
    // A button in a row is no more conspicuous when it cannot be used.
    ActionIcon: ActionIcon.extend({ classNames: { root: classes.icon ?? "" } }),
    Fieldset: Fieldset.extend({ classNames: { root: classes.fieldset ?? "" } }),
    Switch: Switch.extend({ classNames: { track: classes.track ?? "", thumb: classes.thumb ?? "" } }),
  },
  // White on a filled button in the shade that is dark enough for every colour used.
  variantColorResolver: (input) =>
    input.variant === "filled" && input.color !== undefined && !input.color.includes(".")
      ? defaultVariantColorsResolver({ ...input, color: `${input.color}.8` })
      : defaultVariantColorsResolver(input),
});

const tinted = ["harbor", "red", "orange", "yellow", "green", "teal", "blue", "gray", "grape"] as const;

/** Texts of Mantine that are too pale for WCAG AA (4.5 : 1), darker in light and lighter in dark. */
export const cssVariablesResolver: CSSVariablesResolver = ({ colors }) => {
  const texts = (shade: number): Record<string, string> =>
    Object.fromEntries(
      tinted.flatMap((name) => {
        const color = colors[name]?.[shade] ?? "currentcolor";
        return ["light", "outline"].map((variant) => [`--mantine-color-${name}-${variant}-color`, color]);
      }),
    );
  return {
    variables: {},
    light: {
      ...texts(9),
      "--mantine-color-green-light-color": "#1b6b2c",
      "--mantine-color-yellow-light-color": "#7a4a00",
      "--mantine-color-orange-light-color": "#a03c06",
      "--mantine-color-dimmed": colors.gray[7],
      "--mantine-color-placeholder": colors.gray[7],
      "--mantine-color-error": colors.red[9],
      "--mantine-color-anchor": harbor[8],
      "--mantine-color-default-border": border.light,
      // The border of fields and check boxes.
      "--mantine-color-gray-4": border.light,
      "--zoneward-surface": colors.gray[0],
      "--zoneward-line": colors.gray[3],
    },
    dark: {
      ...texts(3),
      ...Object.fromEntries(
        tinted.map((name) => [`--mantine-color-${name}-light`, alpha(colors[name]?.[6] ?? "gray", 0.16)]),
      ),
      "--mantine-color-dimmed": colors.dark[1],
      "--mantine-color-placeholder": colors.dark[1],
      "--mantine-color-error": colors.red[4],
      "--mantine-color-anchor": harbor[3],
      "--mantine-color-default-border": border.dark,
      "--mantine-color-dark-4": border.dark,
      "--zoneward-surface": colors.dark[8],
      "--zoneward-line": "#424242",
    },
  };
};
