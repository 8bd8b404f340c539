import type { LucideIcon } from "lucide-react";

type Props = { of: LucideIcon; size?: number; className?: string };

/** Draws a lucide icon at the size and weight of the interface; its meaning is said by the text beside it. */
export function Icon({ of: Drawing, size = 16, className }: Props) {
  return (
    <Drawing size={size} strokeWidth={1.75} className={className} aria-hidden focusable={false} />
  );
}
