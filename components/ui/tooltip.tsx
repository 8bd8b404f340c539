"use client";

import * as Radix from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";
import styles from "./tooltip.module.css";

type Props = {
  text: ReactNode;
  detail?: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  children: ReactNode;
};

/** Shows a text beside a control on hover and focus. The control is the only child. */
export function Tooltip({ text, detail, side = "bottom", children }: Props) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className={styles.tip} side={side} sideOffset={6} collisionPadding={8}>
            {text}
            {detail && <small>{detail}</small>}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
