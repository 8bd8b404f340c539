"use client";

import { Field } from "@/components/ui/field";

type Props = { value: string; error: string | null };

/** Asks whose account it is, by the address that one signs in with. */
export function EmailField({ value, error }: Props) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={value}
      error={error}
    />
  );
}
