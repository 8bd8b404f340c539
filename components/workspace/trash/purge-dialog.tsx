"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { isolated } from "@/events/core/text/isolated";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

type Props = { document: WorkspaceDocument; inside: number; onClose: () => void };

/** Asks the person to type the title before a document is deleted permanently. */
export function PurgeDialog({ document, inside, onClose }: Props) {
  const { documentCommands } = useWorkspace("documentCommands");
  const toast = useToast();
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const title = document.title || "Untitled";
  const others = inside === 1 ? "the document inside it" : `the ${inside} documents inside it`;
  const purge = async (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== title.trim()) {
      setError("This is not the title. Nothing was deleted.");
      return;
    }
    setBusy(true);
    const done = await documentCommands.purge(document.id);
    setBusy(false);
    if (!done) return;
    toast({ text: `Deleted “${isolated(title)}” permanently` });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${isolated(title)}” permanently?`}
      description={
        `Its text, its whole history and its comments${inside > 0 ? `, and ${others},` : ""} are ` +
        "destroyed for everybody. Nothing brings them back. Copies and forks that were made of it stay."
      }
    >
      <form onSubmit={(event) => void purge(event)}>
        <Field
          label={`Type “${isolated(title)}” to confirm`}
          autoComplete="off"
          value={typed}
          error={error}
          onChange={(event) => {
            setTyped(event.target.value);
            setError(null);
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" type="submit" busy={busy}>
            Delete permanently
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
