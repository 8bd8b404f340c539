"use client";

import { useState } from "react";
import { Announcer, useAnnounce } from "@/components/ui/screen/announcer";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Interruption, InterruptionActions } from "@/components/ui/interruption/interruption";
import { useToast } from "@/components/ui/toast";
import { Kind, Specimen } from "./specimen";

const kinds = {
  middle: { name: "Dialog", place: "middle", required: false },
  sheet: { name: "Dialog, sheet at the side", place: "sheet", required: false },
  start: { name: "Dialog, sheet at the start", place: "start", required: false },
  required: { name: "Dialog that must be answered", place: "middle", required: true },
} as const;
type DialogKind = keyof typeof kinds;
const names = ["middle", "sheet", "start", "required"] as const satisfies readonly DialogKind[];

/** Shows the layers over the page, each opened by a button. */
export function Layers() {
  return (
    <Announcer>
      <Kind name="Layers">
        <Dialogs />
        <Interruptions />
        <Toasts />
        <Announcement />
      </Kind>
    </Announcer>
  );
}

function Interruptions() {
  const [open, setOpen] = useState(false);
  return (
    <Specimen name="Interruption">
      <Button look="edge" onClick={() => setOpen(true)}>
        Interruption
      </Button>
      {open && (
        <Interruption
          title="Sign in to continue"
          description="One sentence on what happened, and what becomes of the text."
        >
          <InterruptionActions>
            <Button look="primary" onClick={() => setOpen(false)}>
              Sign in
            </Button>
          </InterruptionActions>
        </Interruption>
      )}
    </Specimen>
  );
}

function Dialogs() {
  const [open, setOpen] = useState<DialogKind | null>(null);
  const close = () => setOpen(null);
  const { name, place, required } = kinds[open ?? "middle"];
  return (
    <Specimen name="Dialog">
      {names.map((kind) => (
        <Button key={kind} look="edge" onClick={() => setOpen(kind)}>
          {kinds[kind].name}
        </Button>
      ))}
      <Dialog
        open={open !== null}
        onOpenChange={close}
        title={name}
        description="One sentence on what is asked, and what becomes of it."
        place={place}
        required={required}
      >
        <Field label="Name of the version" defaultValue="Second draft" />
        <DialogActions>
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button look="primary" onClick={close}>
            Name it
          </Button>
        </DialogActions>
      </Dialog>
    </Specimen>
  );
}

function Toasts() {
  const toast = useToast();
  const action = { label: "See it", instead: "Open the history", onAct: () => undefined };
  return (
    <Specimen name="Toast">
      <Button look="edge" onClick={() => toast({ text: "Link copied" })}>
        Show a toast
      </Button>
      <Button look="edge" onClick={() => toast({ text: "Ben restored a revision.", action })}>
        Show a toast with an action
      </Button>
    </Specimen>
  );
}

function Announcement() {
  const announce = useAnnounce();
  return (
    <Specimen name="Announcer, heard by screen readers alone">
      <Button look="edge" onClick={() => announce("Ben is now an owner.")}>
        Announce
      </Button>
    </Specimen>
  );
}
