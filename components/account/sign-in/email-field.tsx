"use client";

import { Field } from "@/components/ui/field";

type Props = { value: string; error: string | null };

/** Renders the email field of a sign-in form. */
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
