import { ArrowDown, ArrowUp, Copy, Link2, MessageSquare, Trash2 } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { Keys } from "@/components/ui/keyboard/keys";
import type { BlockAction } from "./block-actions";

/** An action of a block's menu, with its name, icon and shortcut. */
type BlockChoice = { action: BlockAction; name: string; icon: LucideIcon; keys: Keys | null };

export const blockChoices: readonly BlockChoice[] = [
  { action: "duplicate", name: "Duplicate", icon: Copy, keys: "Mod+D" },
  { action: "up", name: "Move up", icon: ArrowUp, keys: "Alt+Shift+ArrowUp" },
  { action: "down", name: "Move down", icon: ArrowDown, keys: "Alt+Shift+ArrowDown" },
  { action: "link", name: "Copy link to block", icon: Link2, keys: null },
  { action: "comment", name: "Comment", icon: MessageSquare, keys: "Mod+Shift+M" },
  { action: "delete", name: "Delete", icon: Trash2, keys: "Delete" },
];
