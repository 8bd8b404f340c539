"use client";

import { Footprints } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Backend } from "@/events/backend/backend";
import type { LiveDocument } from "@/machines/sync/live-document";
import { dateTimeOf } from "@/components/ui/time/day-words";
import { numberWords } from "@/events/core/text/number-words";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { absenceWords } from "./absence-words";
import { setAnalysis } from "../model/analysis-state";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { storeLastSeen, lastSeen } from "@/components/workspace-state/last-seen";
import { mostRows, readNews, replayAddress, replaySeconds } from "./news";
import type { News } from "./news";
import { NewsWatch } from "./news-watch";
import { seenMarks } from "./seen-marks";

type Props = {
  documentId: string;
  userId: string;
  backend: Backend;
  live: LiveDocument;
  people: ReadonlyMap<string, Person>;
  clock: { now: number; zone: string };
};

/**
 * Reports changes by others since the last visit, when the document is opened or the reader returns
 * after a long time. Offers to play the changes in 20 seconds.
 */
export function CatchUp({ documentId, userId, backend, live, people, clock }: Props) {
  const [news, setNews] = useState<News | null>(null);
  const { personal, unread } = useWorkspace("personal", "unread");
  // The version that was read on another device when this page was opened.
  const [elsewhere] = useState(() => unread.get(documentId) ?? 0);
  const mark = useRef(personal.seen);
  useEffect(() => {
    mark.current = personal.seen;
  });
  useEffect(() => {
    let isCurrent = true;
    const marks = seenMarks({
      mark: (version, opened) => mark.current(documentId, version, opened),
      later: (work, ms) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    });
    const watch = new NewsWatch({
      isHidden: () => document.hidden,
      now: () => Date.now(),
      lastSeen: () => {
        const here = lastSeen(userId, documentId);
        return elsewhere > (here?.version ?? 0) ? { version: elsewhere, at: null } : here;
      },
      storeLastSeen: () => {
        storeLastSeen(userId, documentId, { version: live.version, at: new Date().toISOString() });
        marks.reached(live.version);
      },
      async announce(seen) {
        const found = await readNews({ backend, documentId, userId, seen });
        if (isCurrent && found) setNews(found);
      },
    });
    const stop = live.onRows(() => watch.look());
    const leave = () => {
      watch.leave();
      marks.flush();
    };
    const sight = () => {
      watch.sight();
      if (document.hidden) marks.flush();
    };
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", sight);
    return () => {
      isCurrent = false;
      leave();
      stop();
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", sight);
    };
  }, [backend, documentId, userId, live, elsewhere]);
  if (!news) return null;
  const { since, at, absence, more } = news;
  const nameOf = (id: string) => firstName(people.get(id) ?? { name: "Somebody" });
  const play = () => history.pushState(null, "", replayAddress(news, live.version));
  return (
    <Banner
      second
      icon={Footprints}
      onDismiss={() => setNews(null)}
      actions={
        <>
          <Button look="edge" onClick={play}>
            Play it in {replaySeconds} seconds
          </Button>
          <Button look="edge" onClick={() => setAnalysis({ view: "account", since })}>
            What changed
          </Button>
        </>
      }
    >
      Since you were last here{at === null ? "" : `, ${dateTimeOf(at, clock)}`}:{" "}
      {more && `more than ${numberWords(mostRows)} changes. In the first of them `}
      {absenceWords(absence, nameOf)}
    </Banner>
  );
}
