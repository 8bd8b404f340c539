"use client";

import { ArrowRight, ChevronDown, ChevronUp, X } from "lucide-react";
import { useImperativeHandle, useMemo, useRef, useState } from "react";
import type { Ref } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { RestoreRequest } from "@/events/revisions/restore";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { numberWords } from "@/events/core/text/number-words";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Segmented } from "@/components/ui/forms/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { titleWithIcon } from "@/components/ui/pictures/title-with-icon";
import { Select } from "@/components/ui/forms/select";
import { Tooltip } from "@/components/ui/tooltip";
import { ChangeCard } from "./change-card";
import { summaryWords } from "@/components/history/words/change-words";
import { DiffSheet } from "./diff-sheet";
import { authorsOf } from "@/components/history/authors/authors";
import { revisionChoices } from "@/components/history/words/revision-choices";
import { TakeBack } from "./selective-revert";
import { useChanges } from "./use-changes";
import type { StepChanges } from "./use-compare";
import { useComparison } from "./use-comparison";
import styles from "./compare.module.css";
import diff from "./diff.module.css";

type Props = {
  timeline: Timeline;
  people: ReadonlyMap<string, Person>;
  /** The two revisions in any order. The difference always runs forwards. */
  revisions: readonly [number, number];
  onRevisions: (revisions: readonly [number, number]) => void;
  /** Receives the function that steps between changes, for the player's keys. */
  steps: Ref<StepChanges>;
  onClose: () => void;
  /** Reverts a change or one author's changes. Absent if the reader may not write. */
  onTakeBack?: ((request: RestoreRequest) => void) | undefined;
  /** Closes the comparison and shows one of its revisions. */
  onShow: (revision: number) => void;
};

type Layout = "inline" | "columns";
const layouts = [
  { value: "inline", label: "Inline" },
  { value: "columns", label: "Side by side" },
] as const satisfies { value: Layout; label: string }[];

/** Shows the changes between two revisions of a document, with their authors. */
export function ComparePage({
  timeline,
  people,
  revisions,
  onRevisions,
  steps,
  onClose,
  onTakeBack,
  onShow,
}: Props) {
  const [layout, setLayout] = useState<Layout>("inline");
  const [from, to] = revisions[0] <= revisions[1] ? revisions : [revisions[1], revisions[0]];
  const authors = useMemo(() => authorsOf(timeline, people), [timeline, people]);
  const { source, personAt, namesOf, copyInOf } = authors;
  const comparison = useComparison({ source, from, to });
  const count = comparison?.changes.length ?? 0;
  const root = useRef<HTMLDivElement>(null);
  const { current, go, step } = useChanges(root, count, layout);
  useImperativeHandle(steps, () => step);
  const names = [...new Set(comparison?.changes.flatMap(namesOf))];
  const choices = revisionChoices(timeline, [from, to]);
  const [before, after] = [from, to].map((at) =>
    titleWithIcon(timeline.iconAt(at), timeline.titleAt(at) || "Untitled"),
  );
  const nameOf = (userId: string) => firstName(people.get(userId) ?? { name: "Somebody" });
  const change = current === null ? undefined : comparison?.changes[current];
  return (
    <section className={styles.page} aria-label="Comparison" data-layout={layout} tabIndex={0}>
      <header className={styles.head}>
        <div className={styles.line}>
          <Select
            label="Compare from"
            value={`${from}`}
            options={choices}
            onChange={(value) => onRevisions([Number(value), to])}
            edge
          />
          <Icon of={ArrowRight} />
          <Select
            label="Compare to"
            value={`${to}`}
            options={choices}
            onChange={(value) => onRevisions([from, Number(value)])}
            edge
          />
          <span className={styles.grow} />
          <span className={styles.wide}>
            <Segmented<Layout>
              label="Layout"
              value={layout}
              options={layouts}
              onChange={setLayout}
            />
          </span>
          <span className={styles.steps}>
            <Tooltip text="Previous change" detail="P">
              <Button
                look="quiet"
                icon
                aria-label="Previous change"
                aria-keyshortcuts="P"
                aria-disabled={count === 0}
                onClick={() => step(-1)}
              >
                <Icon of={ChevronUp} />
              </Button>
            </Tooltip>
            <span className={styles.count}>
              {current === null
                ? `${numberWords(count)} ${count === 1 ? "change" : "changes"}`
                : `Change ${numberWords(current + 1)} of ${numberWords(count)}`}
            </span>
            <Tooltip text="Next change" detail="N">
              <Button
                look="quiet"
                icon
                aria-label="Next change"
                aria-keyshortcuts="N"
                aria-disabled={count === 0}
                onClick={() => step(1)}
              >
                <Icon of={ChevronDown} />
              </Button>
            </Tooltip>
          </span>
          <Tooltip text="Close the comparison" detail="D">
            <Button look="quiet" icon aria-label="Close the comparison" onClick={onClose}>
              <Icon of={X} />
            </Button>
          </Tooltip>
        </div>
        <p className={styles.summary} role="status">
          {comparison ? summaryWords(comparison, names) : "Comparing…"}
        </p>
      </header>
      <h1 className={styles.title}>
        {before === after ? (
          after
        ) : (
          <span className={diff.diff}>
            <del>{before}</del> <ins>{after}</ins>
          </span>
        )}
      </h1>
      {comparison ? (
        <DiffSheet
          timeline={timeline}
          comparison={comparison}
          authors={authors}
          columns={layout === "columns"}
          root={root}
          current={current}
          onGo={go}
        />
      ) : (
        <Skeleton lines={6} label="Comparing the two moments" />
      )}
      {change && (
        <ChangeCard
          change={change}
          timeline={timeline}
          person={personAt(change.revision)}
          names={namesOf(change)}
          copyIn={copyInOf(change)}
          onShow={onShow}
        >
          {onTakeBack && (
            <TakeBack
              timeline={timeline}
              from={from}
              to={to}
              change={change}
              nameOf={nameOf}
              onTakeBack={onTakeBack}
            />
          )}
        </ChangeCard>
      )}
    </section>
  );
}
