"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { blockKeyInHash } from "@/events/core/ids/block-key";
import type { Store } from "@/events/log/store";
import type { LiveDocument } from "@/machines/sync/live-document";
import { Frame } from "@/components/frame/frame";
import type { ReadingPlace } from "@/components/frame/reading-place";
import type { TreeProps } from "@/components/frame/tree";
import { Player } from "@/components/history/player/player";
import { useReplayValue, useRevisionIndex } from "@/components/history/playback/replay-context";
import { useMembershipChanges } from "@/components/history/player/use-membership-changes";
import type { Person } from "@/events/read-models/person";
import { useBackend } from "@/components/session/backend-provider";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { Crumbs } from "../bar/breadcrumb";
import styles from "../document.module.css";
import { LinkedHere } from "../linked-here/linked-here";
import { PeopleHere } from "../bar/people-here";
import type { PersonHere } from "../bar/people-here";
import { usePastAddress } from "./use-past-address";

type PastDocument = {
  documentId: string;
  title: string;
  icon: string | null;
  /** The version at which the page was rendered. */
  known: number;
  /** The last version that can be shown, if later versions cannot. */
  upTo?: number;
};

type Props = {
  place: TreeProps;
  document: PastDocument;
  /** The reader's place in the live text, or null if they did not open the past from there. */
  from: ReadingPlace | null;
  live: LiveDocument | null;
  people: ReadonlyMap<string, Person>;
  here: readonly PersonHere[];
  mayRestore: boolean;
  /** The warning about this history, if any. */
  warning: ReactNode;
  onVerify: () => void;
};

/** Returns a store that ends at a version, without segments, because segments may hold more. */
function beginningOf({ segments: _, ...store }: Store, upTo: number): Store {
  return {
    ...store,
    read: async (stream, after, max = Infinity) =>
      after >= upTo ? [] : store.read(stream, after, Math.min(max, upTo - after)),
  };
}

/**
 * Shows a document in the past: the player in the document's own frame. The URL names the shown
 * revision.
 */
export function Past({
  place,
  document: { documentId, title, icon, known, upTo },
  from,
  live,
  people,
  here,
  mayRestore,
  warning,
  onVerify,
}: Props) {
  const { id } = useWorkspace("id");
  const backend = useBackend();
  const query = useSearchParams();
  // The block in the hash of the first URL. The player later writes URLs of revisions instead.
  const [linked] = useState(() => {
    const key = blockKeyInHash(location.hash);
    return key === null ? null : { key };
  });
  const address = usePastAddress(query);
  const [newest, setNewest] = useState(live?.version ?? known);
  useEffect(
    () => live?.onAdvanced(() => setNewest((before) => Math.max(before, live.version))),
    [live],
  );
  // After a log rollback, the newest version may be lower than before.
  useEffect(() => live?.onReplaced(() => setNewest(live.version)), [live]);
  const membershipChanges = useMembershipChanges(backend?.store ?? null, id);
  const whole = backend?.store ?? null;
  const store = useMemo(
    () => (whole && upTo !== undefined ? beginningOf(whole, upTo) : whole),
    [whole, upTo],
  );
  if (store === null) return null;
  const lead = <Crumbs documentId={documentId} title={title} icon={icon} />;
  return (
    <Player
      document={{ documentId, store, liveVersion: newest, mayRestore }}
      address={address}
      members={[...people.values()]}
      from={linked ?? from}
      writing={here.filter((person) => !person.me)}
      membershipChanges={membershipChanges}
      lead={lead}
      here={<PeopleHere people={here} />}
      onVerify={onVerify}
    >
      {({ bar, page, aside, controlBar, resting }) => (
        <Frame {...place} bar={bar} aside={aside} controlBar={controlBar}>
          <div className={styles.warning} data-margin>
            {warning}
          </div>
          {page}
          {resting && (
            <div className={styles.below} data-margin>
              <LinkedThen documentId={documentId} />
            </div>
          )}
        </Frame>
      )}
    </Player>
  );
}

/** Lists the documents that linked to this one at the shown revision. */
function LinkedThen({ documentId }: { documentId: string }) {
  const timeline = useReplayValue(({ context }) => context.open?.timeline ?? null);
  const index = useRevisionIndex();
  return (
    timeline && (
      <LinkedHere
        documentId={documentId}
        title={timeline.titleAt(index) || "Untitled"}
        at={timeline.timeOf(index)}
      />
    )
  );
}
