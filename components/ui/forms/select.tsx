"use client";

import * as Radix from "@radix-ui/react-select";
import { Check, ChevronDown } from "lucide-react";
import { classNames } from "../class-names";
import { Icon } from "../icon";
import styles from "./select.module.css";

type Props<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; detail?: string }[];
  edge?: boolean;
  disabled?: boolean;
};

/** Renders a choice from a short list that a button opens. */
export function Select<Value extends string>({
  label,
  value,
  onChange,
  options,
  edge = false,
  disabled = false,
}: Props<Value>) {
  const choose = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option) onChange(option.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} disabled={disabled}>
      <Radix.Trigger className={classNames(styles.trigger, edge && styles.edge)} aria-label={label}>
        <Radix.Value />
        <Radix.Icon asChild>
          <Icon of={ChevronDown} />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.list}
          position="popper"
          sideOffset={6}
          align="end"
          collisionPadding={8}
        >
          <Radix.Viewport>
            {options.map((option) => (
              // Radix names an option by its first line only, so screen readers would not read the
              // second line.
              <Radix.Item
                key={option.value}
                value={option.value}
                className={styles.item}
                aria-labelledby={undefined}
              >
                <span className={styles.words}>
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.detail && <small>{option.detail}</small>}
                </span>
                <Radix.ItemIndicator>
                  <Icon of={Check} />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
