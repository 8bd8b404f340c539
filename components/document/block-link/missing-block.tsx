"use client";

import { Unlink } from "lucide-react";
import { useEffect, useState } from "react";
import { useLiveTimeline } from "@/components/history/analysis/use-live-timeline";
import { addressOf } from "@/components/history/playback/revision-address";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { dateTimeOf } from "@/components/ui/time/day-words";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { outcomeOfBlock } from "@/events/analysis/block-outcome";
import { blockInHash, blockKeyInHash, hashOfBlock } from "@/events/core/ids/block-key";
import { isolated } from "@/events/core/text/isolated";
import type { Store } from "@/events/log/store";
import { addressAt } from "@/machines/replay/replay-opening";
import type { LiveDocument } from "@/machines/sync/live-document";

type Props = {
  documentId: string;
  hash: string;
  live: LiveDocument;
  store: Pick<Store, "read">;
};

/**
 * Shows the outcome of a block that the URL names and the text does not have. Links to the block's
 * new place, or names the person who deleted the block and links to a moment before.
 */
export function MissingBlock({ documentId, hash, live, store }: Props) {
  const { people, clock } = useWorkspace("people", "clock");
  const [version] = useState(live.version);
  const [dismissed, setDismissed] = useState(false);
  const { timeline, failed } = useLiveTimeline({ documentId, store, version });
  const outcome = timeline && outcomeOfBlock(timeline, blockKeyInHash(hash) ?? "");
  const now = outcome?.kind === "stands" ? blockInHash(outcome.key.replace(":", "-")) : null;
  const moved = now && `#${hashOfBlock(now.client, now.clock)}`;
  useEffect(() => {
    if (moved !== null && moved !== hash) location.replace(moved);
  }, [moved, hash]);
  if (dismissed || (!failed && (outcome === null || outcome.kind === "stands"))) return null;
  const gone = timeline !== null && outcome?.kind === "deleted" ? outcome : null;
  const who = gone && people.get(gone.actorId)?.name;
  return (
    <Banner
      icon={Unlink}
      onDismiss={() => setDismissed(true)}
      actions={
        timeline !== null &&
        gone !== null && (
          <Button
            look="edge"
            onClick={() =>
              history.pushState(
                null,
                "",
                addressOf({ at: addressAt(timeline, gone.revision), range: null }) + hash,
              )
            }
          >
            Go to when it stood
          </Button>
        )
      }
    >
      {gone === null
        ? "The block that this link leads to is not in this document."
        : `The block that this link leads to is no longer in the text: ${isolated(
            who ?? "somebody",
          )} deleted it ${dateTimeOf(new Date(gone.time).toISOString(), clock)}.`}
    </Banner>
  );
}
