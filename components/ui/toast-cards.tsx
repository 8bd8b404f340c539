"use client";

import * as Radix from "@radix-ui/react-toast";
import { X } from "lucide-react";
import { buttonClass } from "./button";
import { Icon } from "./icon";
import styles from "./toast.module.css";

const duration = 8_000;

export type Toast = {
  text: string;
  /** `instead` says where the same action is available after the toast has closed. */
  action?: { label: string; instead: string; onAct: () => void };
};

/** A shown toast with its id. */
export type Shown = Toast & { id: number };

/** Shows the toasts of the page. F8 focuses them, and hover and focus stop their timers. */
export function ToastCards({
  toasts,
  onClose,
}: {
  toasts: readonly Shown[];
  onClose: (id: number) => void;
}) {
  return (
    <Radix.Provider duration={duration} swipeDirection="right" label="Notice">
      {toasts.map((toast) => (
        <Card key={toast.id} toast={toast} onClose={onClose} />
      ))}
      <Radix.Viewport className={styles.region} label="Notices ({hotkey})" />
    </Radix.Provider>
  );
}

function Card({ toast, onClose }: { toast: Shown; onClose: (id: number) => void }) {
  return (
    <Radix.Root
      className={styles.toast}
      type="background"
      onOpenChange={(open) => !open && onClose(toast.id)}
    >
      <Radix.Description className={styles.text}>{toast.text}</Radix.Description>
      <div className={styles.actions}>
        {toast.action && (
          <Radix.Action
            className={buttonClass({ className: styles.action })}
            altText={toast.action.instead}
            onClick={toast.action.onAct}
          >
            {toast.action.label}
          </Radix.Action>
        )}
        <Radix.Close className={buttonClass({ look: "quiet", icon: true })} aria-label="Close">
          <Icon of={X} />
        </Radix.Close>
      </div>
    </Radix.Root>
  );
}
