"use client";

import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useReplayActor, useReplayValue } from "@/components/history/playback/replay-context";
import { numberWords } from "@/events/core/text/number-words";
import controlBar from "./control-bar/control-bar.module.css";
import page from "@/components/history/revision/revision-page.module.css";
import styles from "./player.module.css";

/** Shows a placeholder until the history is open, or the error if it could not be read. */
export function OpeningPage() {
  const { send } = useReplayActor();
  const failed = useReplayValue((snapshot) => snapshot.matches("failed"));
  return (
    <section className={page.page} aria-label="Document at this moment">
      {failed ? (
        <div className={styles.failure} role="alert">
          <p>The history could not be read. The document itself is not affected.</p>
          <Button look="edge" onClick={() => send({ type: "retry" })}>
            Try again
          </Button>
        </div>
      ) : (
        <Skeleton lines={6} label="Opening the history" />
      )}
    </section>
  );
}

/** Shows how much of the history has loaded, in place of the control bar. */
export function OpeningControlBar({ newest }: { newest: number }) {
  const failed = useReplayValue((snapshot) => snapshot.matches("failed"));
  const loaded = useReplayValue(({ context }) => context.loaded);
  return (
    <section className={controlBar.controlBar} aria-label="Player">
      <p className={controlBar.loading}>
        {failed
          ? "The history is not open."
          : `Opening the history… ${loaded > 0 ? `version ${numberWords(loaded)} of ${numberWords(newest)}` : ""}`}
      </p>
      <progress
        className={controlBar.buffered}
        aria-label="History read"
        value={Math.min(loaded, newest)}
        max={Math.max(1, newest)}
      />
    </section>
  );
}
