"use client";

import { FileText, House } from "lucide-react";
import { useId, useMemo, useState } from "react";
import type { KeyboardEvent } from "react";
import { isolated } from "@/events/core/text/isolated";
import { insideOf } from "@/machines/tree-rows";
import { lastInside } from "@/machines/tree-moves";
import { classNames } from "@/components/ui/class-names";
import { Dialog } from "@/components/ui/dialog";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { moveTargets } from "./move-targets";
import type { MoveTarget } from "./move-targets";
import { useMoving } from "./use-moving";
import styles from "./move-dialog.module.css";

type Props = { documentId: string; onClose: () => void };
const most = 50;

/** Finds, by title, the document into which another document is moved. */
export function MoveDialog({ documentId, onClose }: Props) {
  const { name, documents } = useWorkspace("name", "documents");
  const move = useMoving();
  const id = useId();
  const [query, setQuery] = useState("");
  const [current, setCurrent] = useState(0);
  const inside = useMemo(() => insideOf(documents), [documents]);
  const targets = useMemo(() => moveTargets(documents, documentId), [documents, documentId]);
  const self = documents.find((document) => document.id === documentId);
  const places = useMemo(() => targets.find(query), [targets, query]);
  const shown = places.slice(0, most);
  const at = Math.min(current, shown.length - 1);
  const choose = (place: MoveTarget | undefined) => {
    if (!place) return;
    onClose();
    void move(documentId, lastInside(inside, place.parent));
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (event.nativeEvent.isComposing || (by === 0 && event.key !== "Enter")) return;
    event.preventDefault();
    if (by === 0) choose(shown[at]);
    else setCurrent((at + by + shown.length) % Math.max(1, shown.length));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Move “${isolated(self?.title || "Untitled")}” to…`}
    >
      <Field
        label="Move into"
        type="search"
        role="combobox"
        autoComplete="off"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setCurrent(0);
        }}
        onKeyDown={press}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Places" className={styles.list}>
        {shown.map((place, index) => (
          <div
            key={place.parent}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={classNames(styles.place, index === at && styles.current)}
            ref={index === at ? (row) => row?.scrollIntoView({ block: "nearest" }) : undefined}
            onPointerMove={() => setCurrent(index)}
            onClick={() => choose(place)}
          >
            <span className={styles.icon} aria-hidden>
              {place.icon === null ? (
                <Icon of={place.parent === null ? House : FileText} size={14} />
              ) : (
                <DocumentIcon emoji={place.icon} />
              )}
            </span>
            <span className={styles.title}>{place.title}</span>
            <small>{place.parent === null ? name : targets.above(place.parent)}</small>
          </div>
        ))}
      </div>
      <p className={styles.note} role="status">
        {places.length === 0 && "No other document has these words in its title."}
        {places.length > most && `The first ${most} of ${places.length}. Type to find others.`}
      </p>
    </Dialog>
  );
}
