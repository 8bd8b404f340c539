"use client";

import { FileText, Pause, Play, Trash2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { KeyboardEvent } from "react";
import { readActivity } from "@/events/read-models/activity";
import type { Happening } from "@/events/read-models/activity";
import { StoreFault } from "@/events/log/store";
import { dayOf, dateTimeOf, timeOf } from "@/components/ui/time/day-words";
import { useTab } from "@/components/session/backend-provider";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { isolated } from "@/events/core/text/isolated";
import { Link } from "@/components/ui/link";
import { personClass } from "@/components/ui/pictures/palette";
import { Skeleton } from "@/components/ui/skeleton";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { activityWords } from "./activity-words";
import { readStory, stageOf, storyOf } from "./workspace-story";
import type { Story, StoryState } from "./workspace-story";
import styles from "./workspace-replay.module.css";

const most = { pages: 25, olderPages: 100 };
const wholeTimelineBar = 30_000;
const [shortest, longest] = [60, 900];

function useStory(): { story: Story | null; failed: boolean } {
  const { id } = useWorkspace("id");
  const { open } = useTab();
  const [story, setStory] = useState<Story | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const { backend } = await open();
      return readStory((before, types) => readActivity(backend.rows, id, before, { types }), most);
    };
    read().then(
      (found) => isCurrent && setStory(found),
      (fault: unknown) => {
        if (!(fault instanceof StoreFault)) throw fault;
        if (isCurrent) setFailed(true);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [open, id]);
  return { story, failed };
}

/**
 * Replays the workspace's history: documents are created, renamed and trashed, and people join and
 * leave.
 */
export function WorkspaceReplay() {
  const { story, failed } = useStory();
  if (failed)
    return (
      <p role="alert">
        The history of the workspace could not be read. Try again when you are back online.
      </p>
    );
  if (!story) return <Skeleton lines={4} label="Reading the history of the workspace" />;
  return <ReplayView {...story} />;
}

function ReplayView({ happenings, detailedFrom, complete }: Story) {
  const { clock } = useWorkspace("clock");
  const states = useMemo(() => storyOf(happenings), [happenings]);
  const last = Math.max(0, happenings.length - 1);
  const [index, setIndex] = useState(last);
  const [playing, setPlaying] = useState(false);
  const step = Math.max(
    shortest,
    Math.min(longest, wholeTimelineBar / Math.max(1, happenings.length)),
  );
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => setIndex((at) => Math.min(last, at + 1)), step);
    return () => clearInterval(timer);
  }, [playing, last, step]);
  if (playing && index === last) setPlaying(false);
  const happening = happenings[index];
  const state = states[index];
  if (!happening || !state) return null;
  const toggle = () => {
    if (!playing && index === last) setIndex(0);
    setPlaying(!playing);
  };
  const listen = (event: KeyboardEvent<HTMLElement>) => {
    if (
      (event.key !== " " && event.key !== "k") ||
      (event.target instanceof Element && event.target.closest("a, button"))
    )
      return;
    event.preventDefault();
    toggle();
  };
  return (
    <section className={styles.replay} aria-label="Replay of the workspace" onKeyDown={listen}>
      {complete && detailedFrom !== null && (
        <p className={styles.hint}>
          This workspace has a long history; what was written and said is in the film from{" "}
          {dateTimeOf(detailedFrom, clock)} on. Documents and people are, from the beginning.
        </p>
      )}
      {!complete && (
        <p className={styles.hint}>
          This workspace has a long history; the film begins where the last {happenings.length}{" "}
          happenings do.
        </p>
      )}
      <Stage state={state} now={happening} />
      <StoryEvent happening={happening} state={state} />
      <div className={styles.controls}>
        <Button look="primary" icon aria-label={playing ? "Pause" : "Play"} onClick={toggle}>
          <Icon of={playing ? Pause : Play} />
        </Button>
        <Scrubber
          happenings={happenings}
          index={index}
          onScrub={(to) => (setPlaying(false), setIndex(to))}
        />
      </div>
    </section>
  );
}

function Scrubber({
  happenings,
  index,
  onScrub,
}: {
  happenings: readonly Happening[];
  index: number;
  onScrub: (to: number) => void;
}) {
  const { people, clock } = useWorkspace("people", "clock");
  const last = Math.max(1, happenings.length - 1);
  const most = Math.max(...happenings.map(({ count }) => count));
  const who = (id: string) => isolated(people.get(id)?.name ?? "Somebody");
  const at = happenings[index];
  const ends = [happenings[0], happenings.at(-1)].flatMap((end) => (end ? [end.at] : []));
  const days = new Set(ends.map((end) => dayOf(end, clock))).size;
  return (
    <div className={styles.track}>
      <svg
        viewBox={`0 0 ${happenings.length} 20`}
        preserveAspectRatio="none"
        aria-hidden
        focusable="false"
      >
        {happenings.map(({ id, actorId, count }, place) => {
          const tall = 4 + 16 * Math.sqrt(count / most);
          return (
            <rect
              key={id}
              className={classNames(
                personClass(people.get(actorId)?.color ?? 10),
                place > index && styles.ahead,
              )}
              x={place + 0.1}
              y={20 - tall}
              width={0.8}
              height={tall}
            />
          );
        })}
      </svg>
      <input
        type="range"
        aria-label="Moment of the workspace"
        aria-valuetext={
          at &&
          `${dateTimeOf(at.at, clock)}, ${who(at.actorId)}, ${index + 1} of ${happenings.length}`
        }
        min={0}
        max={last}
        value={index}
        onChange={(event) => onScrub(Number(event.target.value))}
      />
      <p className={styles.scale} aria-hidden>
        {ends.map((end, place) => (
          <span key={place}>{days > 1 ? dayOf(end, clock) : timeOf(end, clock)}</span>
        ))}
      </p>
    </div>
  );
}

function Stage({ state, now }: { state: StoryState; now: Happening }) {
  const { people } = useWorkspace("people");
  const actor = people.get(now.actorId);
  return (
    <div className={styles.stage}>
      <ul aria-label="Documents then">
        {stageOf(state).map(({ document: { id, title, icon, trashed }, level }) => (
          <li
            key={id}
            style={{ paddingInlineStart: 8 + 14 * (level - 1) }}
            className={classNames(trashed && styles.trashed, now.stream.id === id && styles.now)}
          >
            {icon !== null && !trashed ? (
              <DocumentIcon emoji={icon} />
            ) : (
              <Icon of={trashed ? Trash2 : FileText} />
            )}
            <span>{title || "Untitled"}</span>
            {trashed && <small>in the trash</small>}
            {now.stream.id === id && actor && (
              <Avatar name={actor.name} color={actor.color} size="mini" />
            )}
          </li>
        ))}
        {state.documents.length === 0 && <li className={styles.hint}>No document yet</li>}
      </ul>
      <ul aria-label="People then">
        {state.people.map((id) => {
          const person = people.get(id) ?? { name: "Somebody", color: 10 };
          return (
            <li key={id}>
              <Avatar name={person.name} color={person.color} size="mini" />
              <span>{person.name}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function StoryEvent({ happening, state }: { happening: Happening; state: StoryState }) {
  const { me, people, clock } = useWorkspace("me", "people", "clock");
  const { actorId, stream, version, at } = happening;
  const who = (id: string) =>
    id === me.userId ? "you" : isolated(people.get(id)?.name ?? "somebody");
  const titleOf = (id: string) =>
    state.documents.find((document) => document.id === id)?.title ?? null;
  const words = activityWords(happening, who, titleOf(stream.id) ?? "", titleOf);
  return (
    <p className={styles.sentence} aria-live="off">
      <time dateTime={at}>{dateTimeOf(at, clock)}</time>{" "}
      <b>{actorId === me.userId ? "You" : (people.get(actorId)?.name ?? "Somebody")}</b>{" "}
      {words.before}
      {words.link !== null && (
        <>
          {" "}
          <Link className="link" href={`/d/${stream.id}?at=${version}`}>
            {words.link}
          </Link>
          {words.after}
        </>
      )}
    </p>
  );
}
