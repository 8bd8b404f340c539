"use client";

import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { handlerOf, useOfferedCommands } from "@/components/commands/command-handlers";
import type { CommandHandlers } from "@/components/commands/command-handlers";
import { keysOf } from "@/components/commands/commands";
import type { CommandId } from "@/components/commands/commands";
import { useNavigate } from "@/components/frame/documents/navigation-guard";
import { useTab } from "@/components/session/backend-provider";
import { Icon } from "@/components/ui/icon";
import { isApple } from "@/components/ui/keyboard/apple";
import { isPressed, shownKeys } from "@/components/ui/keyboard/keys";
import { useToast } from "@/components/ui/toast";
import { TopLayer } from "@/components/ui/top-layer";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { ActiveRow } from "./active-row";
import { Footer, Group, Row } from "./palette-rows";
import { CommandRow, DocumentRowOf, PersonRow } from "./suggestion-rows";
import { recentDocuments } from "./recent-documents";
import { placeOf, suggestionsFor } from "./suggestions";
import styles from "./palette.module.css";

const name = "Go to or do";
const searchKeys = "Mod+Enter";

type Props = { here: string | null; onClose: () => void };

/** Finds documents, people and commands as the person types. */
export function Palette({ here, onClose }: Props) {
  const { id, me, members, documents, online, may, mayDocument } = useWorkspace(
    "id",
    "me",
    "members",
    "documents",
    "online",
    "may",
    "mayDocument",
  );
  const [typed, setTyped] = useState("");
  // A pointer that rests where the palette opens must not select a row.
  const [pointed, setPointed] = useState(false);
  const [recent] = useState(() => recentDocuments(me.userId, id));
  const open = useDocumentRow(here ?? "") ?? null;
  const own = useWorkspaceCommands(id);
  const go = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const chosen = useRef<() => void>(undefined);
  const close = (then?: () => void) => {
    chosen.current = then;
    onClose();
  };
  const offered = useOfferedCommands();
  const runOf = (command: CommandId) => own[command] ?? handlerOf(command);
  const found = suggestionsFor(typed, {
    documents,
    recent,
    here,
    members,
    me: me.userId,
    offers: (command) => own[command] !== undefined || offered.has(command),
    law: {
      workspace: (type) => may(type, { kind: "invitation", id: "new" }),
      newDocument: (type) => mayDocument(type, null),
      document: (type) => open !== null && mayDocument(type, open),
    },
  });
  const search = () => close(() => go(`/w/${id}/search?q=${encodeURIComponent(typed.trim())}`));
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = (keys: string) => isPressed(keys, event.nativeEvent, isApple());
    if (pressed(searchKeys)) search();
    else if (keysOf("palette").some(pressed)) close();
    else return;
    event.preventDefault();
  };
  const parentOf = ({ parent }: DocumentRow) =>
    parent === null ? null : `in ${titleOf(parent) || "Untitled"}`;
  const titleOf = (document: string) => documents.find((row) => row.id === document)?.title;
  return (
    <TopLayer label={name} onClose={() => close()} onClosed={() => chosen.current?.()}>
      <Command
        label={name}
        shouldFilter={false}
        vimBindings={false}
        loop
        disablePointerSelection={!pointed}
        onPointerMove={({ movementX, movementY }) =>
          setPointed((before) => before || movementX !== 0 || movementY !== 0)
        }
        className={styles.palette}
        onKeyDown={onKeyDown}
      >
        <div className={styles.ask}>
          <Icon of={Search} />
          <Command.Input
            ref={input}
            value={typed}
            onValueChange={setTyped}
            placeholder="Go to a document, find a person, or do something"
          />
          <kbd aria-hidden>Esc</kbd>
        </div>
        <Command.List className={styles.list} label="Suggestions">
          <Group name="Recent" of={found.recent}>
            {({ item, pieces }) => (
              <DocumentRowOf
                key={item.id}
                row={item}
                pieces={pieces}
                parent={parentOf(item)}
                group="recent"
                onSelect={() => close(() => go(`/d/${item.id}`))}
              />
            )}
          </Group>
          <Group name="Documents" of={found.documents}>
            {({ item, pieces }) => (
              <DocumentRowOf
                key={item.id}
                row={item}
                pieces={pieces}
                parent={parentOf(item)}
                group="document"
                onSelect={() => close(() => go(`/d/${item.id}`))}
              />
            )}
          </Group>
          <Group name="People" of={found.people}>
            {({ item, pieces }) => {
              const { path, document } = placeOf(item.userId, id, online);
              return (
                <PersonRow
                  key={item.userId}
                  member={item}
                  pieces={pieces}
                  detail={
                    document === null ? item.email : `in ${titleOf(document) || "a document"}`
                  }
                  onSelect={() => close(() => go(path))}
                />
              );
            }}
          </Group>
          <Group name="Commands" of={found.commands}>
            {({ item, pieces }) => (
              <CommandRow
                key={item}
                command={item}
                pieces={pieces}
                onSelect={() => close(runOf(item))}
              />
            )}
          </Group>
          {found.search !== null && (
            <Command.Group heading="Search">
              <Row
                value="search"
                icon={<Icon of={Search} />}
                pieces={[{ text: `Search all documents for “${found.search}”`, found: false }]}
                keys={shownKeys(searchKeys, isApple())}
                onSelect={search}
              />
            </Command.Group>
          )}
        </Command.List>
        <ActiveRow input={input} typed={typed} />
        <Footer search={shownKeys(searchKeys, isApple())} />
      </Command>
    </TopLayer>
  );
}

/** Returns the handlers of the commands that every page of a workspace offers. */
function useWorkspaceCommands(id: string): CommandHandlers {
  const go = useNavigate();
  const { open } = useTab();
  const toast = useToast();
  const leave = async () => {
    const { askToSignOut } = await import("@/components/session/sign-out/sign-out");
    if (await askToSignOut(await open(), "local"))
      toast({ text: "You couldn’t be signed out. You are still signed in; try again." });
  };
  return {
    allDocuments: () => go(`/w/${id}`),
    activity: () => go(`/w/${id}/activity`),
    members: () => go(`/w/${id}/members`),
    openTrash: () => go(`/w/${id}/trash`),
    account: () => go("/account"),
    signOut: () => void leave(),
  };
}
