"use client";

import { groupChangesBefore } from "@/events/analysis/group-change";
import type { Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import { useAnalysis } from "@/components/history/analysis/model/analysis-state";
import { onDemand } from "@/components/loading/on-demand";
import { commentedBlock } from "@/components/comments/past/past-comments";
import type { EditNote } from "@/components/comments/past/past-threads";
import type { BesideProps, BesideText } from "@/components/history/revision/beside-text";
import { groupSentence } from "@/components/history/words/group-sentence";
import { moveWords } from "@/components/history/words/move-words";
import { timeWords } from "@/components/history/words/revision-words";
import { useCallback } from "react";

const PastThreads = onDemand(() =>
  import("@/components/comments/past/past-threads").then((module) => module.PastThreads),
);

/** The largest number of notes beside one text. */
const most = 6;

function Beside(props: BesideProps) {
  const { people } = props;
  const editsAt = useCallback(
    (timeline: Timeline, at: number): EditNote[] => {
      const nameOf = (userId: string) => firstName(people.get(userId) ?? { name: "Somebody" });
      return groupChangesBefore(timeline, at, most).flatMap((change) => {
        if (change.block === null) return [];
        const { time, actorId } = timeline.revision(change.to);
        const person = people.get(actorId) ?? { name: "Somebody", color: 10 };
        return [
          {
            id: `edit ${change.from}`,
            block: change.block,
            person,
            when: timeWords(time),
            sentence: (
              <>
                <b>{firstName(person)}</b>{" "}
                {change.moved === null
                  ? groupSentence(change).map(({ text, quoted }, part) =>
                      quoted ? <i key={part} data-text={`“${text}”`} /> : text,
                    )
                  : moveWords(timeline, change.moved, nameOf)}
              </>
            ),
          },
        ];
      });
    },
    [people],
  );
  // The analysis panel occupies the margin while it is open.
  return <PastThreads {...props} editsAt={editsAt} shown={useAnalysis().view === null} />;
}

/** The edits and comments of the shown revision, beside its text. */
export const commentsBeside: BesideText = {
  isIn: ({ length }) => length > 1,
  blockAt: commentedBlock,
  Beside,
};
