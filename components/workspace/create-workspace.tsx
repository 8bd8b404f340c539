"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { longestWorkspaceName } from "@/events/core/text/text-lengths";
import { systemRandom } from "@/events/core/clock";
import { sentence } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import { normalizedName } from "@/events/core/text/visible-text";
import { useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: (id: string) => void;
};

/** Asks for a name and creates a workspace owned by the reader. */
export function CreateWorkspace({ open, onOpenChange, onCreated }: Props) {
  const tab = useTab();
  const [name, setName] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    const newName = normalizedName(name);
    if (!newName) return setError("Give it a name; you can change it later.");
    setBusy(true);
    try {
      const { backend } = await tab.open();
      const id = systemRandom.uuid();
      const answer = await backend.store.append(id, 0, [
        { id: systemRandom.uuid(), type: "workspace.created", body: { name: newName } },
      ]);
      if (!answer.ok) return setError(sentence(answer.refusal));
      setName("");
      onOpenChange(false);
      onCreated(id);
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      setError(
        "The server could not be reached, so nothing was created. Try again when you are back online.",
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create a workspace"
      description="A place for documents and for the people who write them with you."
    >
      <form onSubmit={(event) => void create(event)} noValidate>
        <Field
          label="Name"
          value={name}
          maxLength={longestWorkspaceName}
          autoComplete="off"
          onChange={(event) => {
            setName(event.target.value);
            setError(null);
          }}
          error={error}
        />
        <DialogActions>
          <Button look="edge" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={busy}>
            Create workspace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
