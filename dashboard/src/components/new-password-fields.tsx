import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useState } from "react";

interface NewPasswordFieldsProps {
  readonly label: string;
  /** Gets the password once both entries agree, undefined until then. */
  readonly onChange: (password: string | undefined) => void;
}

const passwordLengthMin = 12;

/** A new password, entered twice. */
export function NewPasswordFields({ label, onChange }: NewPasswordFieldsProps) {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const change = (first: string, second: string): void => {
    setPassword(first);
    setAgain(second);
    onChange(first.length >= passwordLengthMin && first === second ? first : undefined);
  };
  return (
    <>
      <PasswordInput
        label={label}
        description={`At least ${passwordLengthMin} characters`}
        autoComplete="new-password"
        required
        withAsterisk={false}
        minLength={passwordLengthMin}
        value={password}
        onChange={(event) => change(event.currentTarget.value, again)}
      />
      <PasswordInput
        label={`${label}, again`}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={again}
        error={again !== "" && !password.startsWith(again) && "The passwords do not match"}
        onChange={(event) => change(password, event.currentTarget.value)}
      />
    </>
  );
}

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
