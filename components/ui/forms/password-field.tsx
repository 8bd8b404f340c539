"use client";

import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import type { ComponentProps } from "react";
import { Button } from "../button";
import { Field } from "../field";
import { Icon } from "../icon";
import styles from "./password-field.module.css";

type Props = Omit<ComponentProps<typeof Field>, "type" | "end">;

/** Renders a password input with a button that shows the letters. */
export function PasswordField(props: Props) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? "text" : "password"}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <Button
          look="quiet"
          icon
          className={styles.eye}
          aria-label={shown ? "Hide what I type" : "Show what I type"}
          onClick={() => setShown(!shown)}
        >
          <Icon of={shown ? EyeOff : Eye} />
        </Button>
      }
    />
  );
}
