import type { LucideIcon } from "lucide-react";

type Props = { of: LucideIcon; size?: number; className?: string };

/** Renders a decorative lucide icon. The text beside the icon gives its meaning. */
export function Icon({ of: Drawing, size = 16, className }: Props) {
  return (
    <Drawing size={size} strokeWidth={1.75} className={className} aria-hidden focusable={false} />
  );
}
