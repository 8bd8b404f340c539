"use client";

import { useId, useState } from "react";
import type { FormEvent } from "react";
import { longestVersionName } from "@/events/core/text/text-lengths";
import { normalizedName } from "@/events/core/text/visible-text";
import type { Person } from "@/events/read-models/person";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { isolated } from "@/events/core/text/isolated";
import { Skeleton } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import { useVersions } from "./use-versions";
import { VersionItem } from "./version-item";
import styles from "./version.module.css";

/**
 * The version to name, and its time in words (null for the newest text). If the shown revision is
 * inside a version, the end of that version, and the function that shows that end.
 */
type Naming = { at: number; when: string | null } | { shown: string; next: string; go: () => void };

type Props = {
  documentId: string;
  people: ReadonlyMap<string, Person>;
  /** The version to name. Null if the reader may not name a version. */
  naming: Naming | null;
  /** Called once a name has been recorded. */
  onNamed?: ((at: number, name: string) => void) | undefined;
  onClose: () => void;
};

function descriptionOf(naming: Naming): string {
  if ("go" in naming)
    return `Some edits are saved together, and a name points to the last of them. This is ${naming.shown}.`;
  const what =
    naming.when === null ? "the text as it was when this opened" : `the version of ${naming.when}`;
  return `Names ${what}. You can rename it; it always points to this moment.`;
}

/** Lists the named versions of a document, with a form that names another. */
export function VersionsDialog({ documentId, people, naming: offered, onNamed, onClose }: Props) {
  // The newest version advances while others write. The name is given to the version that was
  // newest when the dialog opened.
  const [opened] = useState(offered);
  const naming = offered && opened && "at" in offered && offered.when === null ? opened : offered;
  const { versions, failed, retry, name, rename, pin } = useVersions(documentId);
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const toast = useToast();
  const heading = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newName = normalizedName(text);
    if (naming === null || !("at" in naming)) return;
    if (newName === "")
      return setError("A version needs a name. Write one, such as “As sent to counsel”.");
    void name(naming.at, newName).then((done) => {
      if (!done) return;
      toast({ text: `Named “${isolated(newName)}”. It is in the list of versions.` });
      onNamed?.(naming.at, newName);
    });
    onClose();
  };
  const go = (query: string) => {
    history.pushState(null, "", `${location.pathname}${query}`);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      place="sheet"
      title={naming ? "Name this version" : "Versions"}
      description={naming ? descriptionOf(naming) : "Moments of this document that have a name."}
    >
      {naming && "go" in naming && (
        <div className={styles.form}>
          <Button look="primary" onClick={naming.go}>
            Go to {naming.next}
          </Button>
        </div>
      )}
      {naming && "at" in naming && (
        <form className={styles.form} onSubmit={submit}>
          <Field
            label="Name"
            value={text}
            maxLength={longestVersionName}
            error={error}
            autoFocus
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
          <Button look="primary" type="submit">
            Save name
          </Button>
        </form>
      )}
      <section aria-labelledby={heading}>
        <h3 id={heading} className={naming ? styles.heading : "sr"}>
          Named versions
        </h3>
        {failed !== null ? (
          <p className={styles.none}>
            {failed}{" "}
            <Button look="edge" onClick={retry}>
              Try again
            </Button>
          </p>
        ) : versions === null ? (
          <Skeleton lines={3} label="Reading the versions" />
        ) : versions.length === 0 ? (
          <p className={styles.none}>No named versions yet.</p>
        ) : (
          <ul className={styles.list} aria-label="Versions">
            {versions.map((version) => (
              <VersionItem
                key={version.id}
                version={version}
                by={people.get(version.createdBy)?.name ?? "Somebody"}
                mayChange={naming !== null}
                onOpen={() => go(`?at=${version.at}`)}
                onCompare={() => go(`?compare=${version.at}&with=now`)}
                onRename={(next) => void rename(version.id, next)}
                onPin={() => void pin(version.id, !version.pinned)}
              />
            ))}
          </ul>
        )}
      </section>
    </Dialog>
  );
}
