"use client";

import { X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { filterWords, isFiltering, noFilter } from "@/components/history/playback/playback-filter";
import { axisWords, timeWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";
import type { PlayerView } from "@/components/history/playback/player-view";
import styles from "./control-bar.module.css";

/**
 * Names the filter and range in a line above the timeline bar, and resets them. Renders nothing if
 * everything is played.
 */
export function SelectionLine({ timeline, playbackPath, filter, range, nameOf, run }: PlayerView) {
  const filtering = isFiltering(filter);
  if (!filtering && range === null) return null;
  const countWords = `${numberWords(playbackPath.count)} of ${numberWords(timeline.length)} edits`;
  const dayOf = (index: number) => axisWords(timeline.timeOf(index)).day;
  const when = (index: number) => `${dayOf(index)}, ${timeWords(timeline.timeOf(index))}`;
  const sameDay = range !== null && dayOf(range.from) === dayOf(range.to);
  return (
    <div className={styles.selection}>
      {filtering && (
        <span role="status">
          <b>{filterWords(filter, nameOf)}</b>{" "}
          {playbackPath.count === 0 ? "Nothing in the history matches this filter." : countWords}
          <Button
            look="quiet"
            icon
            aria-label="Clear the filter"
            onClick={() => run({ type: "filter", filter: noFilter })}
          >
            <Icon of={X} size={14} />
          </Button>
        </span>
      )}
      {range && (
        <span>
          <b>
            {when(range.from)} to {sameDay ? timeWords(timeline.timeOf(range.to)) : when(range.to)}
          </b>{" "}
          is played
          <Button
            look="quiet"
            icon
            aria-label="Play the whole history again"
            onClick={() => run({ type: "range", range: null })}
          >
            <Icon of={X} size={14} />
          </Button>
        </span>
      )}
    </div>
  );
}
