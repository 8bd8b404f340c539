"use client";

import { FileText } from "lucide-react";
import { keysOf } from "@/components/commands/commands";
import type { CommandId } from "@/components/commands/commands";
import { Avatar } from "@/components/ui/pictures/avatar";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { isApple } from "@/components/ui/keyboard/apple";
import { shownKeys } from "@/components/ui/keyboard/keys";
import type { MemberView } from "@/components/workspace-state/workspace-context";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { commandIcons } from "./command-icons";
import type { Piece } from "./fuzzy";
import { Row } from "./palette-rows";

type Common = { pieces: readonly Piece[]; onSelect: () => void };

type DocumentProps = Common & {
  row: DocumentRow;
  group: "recent" | "document";
  /** The title of the parent document. */
  parent: string | null;
};

/** Renders a document to open. */
export function DocumentRowOf({ row, group, parent, ...common }: DocumentProps) {
  const icon = row.icon === null ? <Icon of={FileText} /> : <DocumentIcon emoji={row.icon} />;
  return <Row value={`${group} ${row.id}`} icon={icon} detail={parent} {...common} />;
}

type PersonProps = Common & { member: MemberView; detail: string | null };

/** Renders a member of the workspace, with the document that they have open. */
export function PersonRow({ member, ...common }: PersonProps) {
  const { userId, name, color } = member;
  return (
    <Row
      value={`person ${userId}`}
      icon={<Avatar name={name} color={color} size="mini" />}
      {...common}
    />
  );
}

/** Renders a command with its shortcut. */
export function CommandRow({ command, ...common }: Common & { command: CommandId }) {
  const [keys] = keysOf(command);
  return (
    <Row
      value={`command ${command}`}
      icon={<Icon of={commandIcons[command]} />}
      keys={keys === undefined ? [] : shownKeys(keys, isApple())}
      {...common}
    />
  );
}
