"use client";

import { useId, useState, type FormEvent } from "react";
import { longestVersionName } from "@/events/core/text-lengths";
import { normalizedName } from "@/events/core/visible-text";
import { type Person } from "@/events/read-models/person";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { isolated } from "@/events/core/isolated";
import { Skeleton } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import { useVersions } from "./use-versions";
import { VersionItem } from "./version-item";
import styles from "./version.module.css";

type Props = {
  documentId: string;
  people: ReadonlyMap<string, Person>;
  /**
   * The version to be named, as it is when the dialog opens, and how it is called; null where the
   * reader may not name any.
   */
  naming: { at: number; words: string } | null;
  /** Told when a name has been recorded. */
  onNamed?: ((at: number, name: string) => void) | undefined;
  onClose: () => void;
};

/** The named versions of a document, and the form that names another. */
export function VersionsDialog({ documentId, people, naming: offered, onNamed, onClose }: Props) {
  // The newest version moves on while others write; the name is for what was there when it was asked for.
  const [opened] = useState(offered);
  const naming = offered && opened;
  const { versions, failed, retry, name, rename, pin } = useVersions(documentId);
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const toast = useToast();
  const heading = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newName = normalizedName(text);
    if (naming === null) return;
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
      description={
        naming
          ? `A name for ${naming.words}. It stays in the history for good; ` +
            "it can be reworded, and the moment it stands for never changes."
          : "Moments of this document that have a name."
      }
    >
      {naming && (
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
