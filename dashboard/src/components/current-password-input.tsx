import { PasswordInput, type PasswordInputProps } from "@mantine/core";

interface CurrentPasswordInputProps extends Pick<PasswordInputProps, "label" | "name"> {
  readonly "data-autofocus"?: boolean;
  readonly value: string;
  readonly onChange: (password: string) => void;
}

/** The password that somebody has, which a password manager may fill in. */
export function CurrentPasswordInput({ label = "Password", onChange, ...props }: CurrentPasswordInputProps) {
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      required
      withAsterisk={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
