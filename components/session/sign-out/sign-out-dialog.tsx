"use client";

import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { isAllSent, unsentWords } from "@/events/device/unsent-count";
import type { UnsentCount } from "@/events/device/unsent-count";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";

const pause = 500;

type Question = {
  /** The counts of unsent data. */
  unsent: UnsentCount;
  /** Reads the current counts of unsent data. */
  read: () => Promise<UnsentCount>;
};

/**
 * Asks the person and resolves to whether they sign out. The dialog has its own root, so pages load
 * its code on demand.
 */
export function askWhetherToSignOut(question: Question): Promise<boolean> {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const answer = (leaves: boolean) => {
      root.unmount();
      place.remove();
      resolve(leaves);
    };
    root.render(<SignOutDialog {...question} answer={answer} />);
  });
}

/** Lists the unsent data. Offers to stay, to sign out once the data is sent, or to sign out now. */
function SignOutDialog({
  unsent: found,
  read,
  answer,
}: Question & { answer: (leaves: boolean) => void }) {
  const [unsent, setUnsent] = useState(found);
  const [waits, setWaits] = useState(false);
  const sent = isAllSent(unsent);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let shown = true;
    const again = async () => {
      const now = await read();
      if (!shown) return;
      setUnsent(now);
      timer = setTimeout(() => void again(), pause);
    };
    timer = setTimeout(() => void again(), pause);
    return () => {
      shown = false;
      clearTimeout(timer);
    };
  }, [read]);
  useEffect(() => {
    if (waits && sent) answer(true);
  }, [waits, sent, answer]);
  return (
    <Dialog
      open
      onOpenChange={(stays) => !stays && answer(false)}
      title="Sign out with unsent changes?"
      description={unsentWords(unsent) || "Everything is sent now."}
    >
      <DialogActions>
        <Button look="edge" onClick={() => answer(false)}>
          Cancel
        </Button>
        {!sent && (
          <Button look="edge" busy={waits} onClick={() => setWaits(true)}>
            {waits ? "Sending…" : "Sign out when sent"}
          </Button>
        )}
        <Button look="danger" onClick={() => answer(true)}>
          {sent && unsent.drafts === 0 ? "Sign out" : "Sign out anyway"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
