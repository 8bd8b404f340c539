"use client";

import { ArchiveRestore, Check, History, Undo2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { personClass } from "@/components/ui/pictures/palette";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { isolated } from "@/events/core/text/isolated";
import type { SearchResult as Result } from "@/events/read-models/search";
import { MarkedText } from "./marked-text";
import { ResultFacts } from "./result-facts";
import { useFoundDocument } from "./found-documents";
import styles from "./search.module.css";
import { resultAddress, stoodAddress } from "./search-link";

type Props = {
  result: Result;
  words: string;
  isReturning: boolean;
  /** Whether the result was restored. */
  isBack: boolean;
  onBringBack: (result: Result) => void;
};

/** Shows a search result: its document, its words, author and time. */
export function SearchResult({ result, words, isReturning, isBack, onBringBack }: Props) {
  const { documents, trashed, people, mayDocument, documentCommands } = useWorkspace(
    "documents",
    "trashed",
    "people",
    "mayDocument",
    "documentCommands",
  );
  const toast = useToast();
  const { document, kind, text, stands, endedBy } = result;
  const gone = result.gone === true && !isBack;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // The pressed button is unmounted and leaves the focus on the body.
    const focused = globalThis.document.activeElement;
    if (isBack && focused === globalThis.document.body) link.current?.focus();
  }, [isBack]);
  const live = documents.find(({ id }) => id === document);
  const row = useFoundDocument(document);
  const title = row?.title || "Untitled";
  const parent = documents.find(({ id }) => id === row?.parent);
  const above = trashed.find(({ id }) => id === row?.trashedIn);
  const isTitle = kind === "title" && stands;
  const deleter = gone && typeof endedBy === "string" ? people.get(endedBy) : undefined;
  const mayReturn =
    gone === true &&
    kind === "text" &&
    live !== undefined &&
    mayDocument("document.reverted", live);
  const lost = row?.phase === "live" ? undefined : row;
  const mayRestore = lost !== undefined && mayDocument("document.restored", lost);
  const restore = async () => {
    link.current?.focus();
    if (await documentCommands.restore(document))
      toast({ text: `Restored “${isolated(title)}” from the trash` });
  };
  return (
    <li
      className={classNames(
        styles.result,
        gone && styles.gone,
        gone && personClass(deleter?.color ?? 10),
      )}
    >
      <div className={styles.path}>
        <DocumentIcon emoji={row?.icon ?? null} />
        <Link ref={link} href={resultAddress(result, words)} className={styles.title}>
          {isTitle ? <MarkedText text={text} words={words} /> : title}
        </Link>
        {parent && (
          <span className={styles.parent}>
            <span aria-hidden>/</span> {parent.title || "Untitled"}
          </span>
        )}
        {lost && (
          <span className={styles.flag}>
            {lost.trashedIn === null
              ? "in the trash"
              : `in the trash with “${isolated(above?.title || "Untitled")}”`}
          </span>
        )}
      </div>
      {!isTitle && (
        <blockquote dir="auto">
          {gone && <span className="sr">deleted: </span>}
          <MarkedText text={text} words={words} />
        </blockquote>
      )}
      {isBack ? (
        <p className={styles.facts}>
          <Icon of={Check} size={14} />
          <span>Back in the text</span>
        </p>
      ) : (
        <ResultFacts result={result} />
      )}
      {(mayRestore || (!stands && !isBack)) && (
        <div className={styles.actions}>
          {mayRestore && (
            <Button look="edge" onClick={() => void restore()}>
              <Icon of={Undo2} />
              Restore document
            </Button>
          )}
          {!stands && !isBack && (
            <Link className={buttonClass({ look: "edge" })} href={stoodAddress(result)}>
              <Icon of={History} />
              Go to when it stood
            </Link>
          )}
          {mayReturn && (
            <Button look="quiet" busy={isReturning} onClick={() => onBringBack(result)}>
              <Icon of={ArchiveRestore} />
              Bring it back
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
