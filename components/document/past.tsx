"use client";

import { useSearchParams } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Store } from "@/events/log/store";
import type { LiveDocument } from "@/machines/sync/live-document";
import { Frame } from "@/components/frame/frame";
import { isNavigating, useIsNavigating } from "@/components/frame/navigation-guard";
import type { ReadingPlace } from "@/components/frame/reading-place";
import type { TreeProps } from "@/components/frame/tree";
import { openingOf } from "@/components/history/playback/revision-address";
import { Player } from "@/components/history/player/player";
import { useMembershipChanges } from "@/components/history/player/use-membership-changes";
import type { Person } from "@/events/read-models/person";
import { useBackend } from "@/components/session/backend-provider";
import { DocumentIcon } from "@/components/ui/document-icon";
import { Link } from "@/components/ui/link";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./document.module.css";
import { PeopleHere, type PersonHere } from "./people-here";

type Props = {
  place: TreeProps;
  documentId: string;
  title: string;
  icon: string | null;
  /** The version the page was rendered at. */
  known: number;
  /** The last version that can be shown, where there are more that cannot. */
  upTo?: number;
  /** Where in the present its reader was, who came from there. */
  from: ReadingPlace | null;
  live: LiveDocument | null;
  people: ReadonlyMap<string, Person>;
  here: readonly PersonHere[];
  mayRestore: boolean;
  /** What has to be known of this history before it is believed. */
  warning: ReactNode;
  onVerify: () => void;
};

/** What the address asks for; where nobody wants things to move, nothing plays by itself. */
function asked(query: URLSearchParams) {
  const opening = openingOf(query);
  return {
    ...opening,
    play: opening.play && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  };
}

/** A store that knows a history up to a version; segments may hold more. */
function beginningOf({ segments: _, ...store }: Store, upTo: number): Store {
  return {
    ...store,
    read: async (stream, after, max = Infinity) =>
      after >= upTo ? [] : store.read(stream, after, Math.min(max, upTo - after)),
  };
}

/** The same page in the past: the player in the document's own frame. The address says which revision is shown. */
export function Past({
  place,
  documentId,
  title,
  icon,
  known,
  upTo,
  from,
  live,
  people,
  here,
  mayRestore,
  warning,
  onVerify,
}: Props) {
  const { id, name } = useWorkspace("id", "name");
  const backend = useBackend();
  const query = useSearchParams();
  const [opening, setOpening] = useState(() => asked(new URLSearchParams(location.search)));
  const [newest, setNewest] = useState(live?.version ?? known);
  useEffect(
    () =>
      live?.onRows((rows) => setNewest((before) => Math.max(before, rows.at(-1)?.version ?? 0))),
    [live],
  );
  // The log may be set back to an older backup.
  useEffect(() => live?.onReplaced(() => setNewest(live.version)), [live]);
  const leaving = useRef(false);
  useIsNavigating();
  const shown = useRef(location.search);
  // The page follows the address a moment later; a moment told in between must not write the past back into it.
  const show = useCallback((address: string) => {
    if (leaving.current || isNavigating()) return;
    shown.current = address;
    history.replaceState(null, "", address);
  }, []);
  const leave = useCallback(() => {
    leaving.current = true;
    history.pushState(null, "", location.pathname);
  }, []);
  useEffect(() => {
    // A link or Back has gone to another revision than the one shown.
    if (leaving.current || location.search === shown.current) return;
    shown.current = location.search;
    setOpening(asked(new URLSearchParams(location.search)));
  }, [query]);
  const membershipChanges = useMembershipChanges(backend?.store ?? null, id);
  const whole = backend?.store ?? null;
  const store = useMemo(
    () => (whole && upTo !== undefined ? beginningOf(whole, upTo) : whole),
    [whole, upTo],
  );
  if (store === null) return null;
  const lead = (
    <div className={styles.crumbs}>
      <Link href={`/w/${id}`}>{name}</Link>
      <span aria-hidden="true">/</span>
      <b>
        <DocumentIcon emoji={icon} /> {title}
      </b>
    </div>
  );
  return (
    <Player
      documentId={documentId}
      store={store}
      members={[...people.values()]}
      opening={opening}
      liveVersion={newest}
      from={from}
      mayRestore={mayRestore}
      writing={here.filter((person) => !person.me)}
      membershipChanges={membershipChanges}
      lead={lead}
      here={<PeopleHere people={here} />}
      onRevision={show}
      onVerify={onVerify}
      onBackToLive={leave}
    >
      {({ bar, page, aside, controlBar }) => (
        <Frame {...place} bar={bar} aside={aside} controlBar={controlBar}>
          <div className={styles.warning}>{warning}</div>
          {page}
        </Frame>
      )}
    </Player>
  );
}
