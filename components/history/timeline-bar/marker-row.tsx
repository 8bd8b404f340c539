"use client";

import { Bookmark, DoorOpen, LogOut, MessageSquare, RotateCcw, Trash2, Type } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { memo, useMemo } from "react";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Tooltip } from "@/components/ui/tooltip";
import type { Axis } from "@/components/history/playback/timeline-axis";
import { clustersOf } from "@/components/history/playback/timeline-markers";
import type { Cluster, Marker, MarkerKind } from "@/components/history/playback/timeline-markers";
import { dateWords, timeWords } from "@/components/history/words/revision-words";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useRoving } from "@/components/ui/keyboard/use-roving";
import styles from "./timeline-bar.module.css";

const drawings: Record<MarkerKind, LucideIcon> = {
  version: Bookmark,
  comment: MessageSquare,
  restored: RotateCcw,
  renamed: Type,
  trashed: Trash2,
  joined: DoorOpen,
  left: LogOut,
};

type Props = Pick<PlayerView, "timeline" | "markers" | "nameOf" | "run"> & {
  axis: Axis;
  width: number;
};

/**
 * Shows the markers of the timeline bar as buttons, with one tab stop and arrow keys between them.
 * Markers that are too close share a button.
 */
export const MarkerRow = memo(function MarkerRow({
  timeline,
  axis,
  width,
  markers,
  nameOf,
  run,
}: Props) {
  const clusters = useMemo(() => clustersOf(markers, axis, width), [markers, axis, width]);
  const { row, stop, reach, onKeyDown } = useRoving(clusters.length);
  if (clusters.length === 0) return null;
  return (
    <div
      ref={row}
      className={styles.markers}
      role="toolbar"
      aria-label="Marks"
      data-own-arrows
      data-speaks
      onKeyDown={onKeyDown}
    >
      {clusters.map((cluster, index) => (
        <ClusterButton
          key={cluster.markers[0]?.key}
          cluster={cluster}
          timeline={timeline}
          nameOf={nameOf}
          run={run}
          reachable={index === stop}
          onReached={() => reach(index)}
        />
      ))}
    </div>
  );
});

type ClusterProps = Pick<PlayerView, "timeline" | "nameOf" | "run"> & {
  cluster: Cluster;
  reachable: boolean;
  onReached: () => void;
};

function ClusterButton({
  cluster: { left, markers, label },
  timeline,
  nameOf,
  run,
  reachable,
  onReached,
}: ClusterProps) {
  const newest = timeline.timeOf(timeline.length - 1);
  const textOfMarker = (marker: Marker) => {
    const time = timeline.timeOf(marker.revision);
    return {
      who: `${nameOf(marker.actorId)} ${marker.description}`,
      when: `${dateWords(time, newest)}, ${timeWords(time)}`,
    };
  };
  const only = markers.length === 1 ? markers[0] : undefined;
  const drawing =
    drawings[markers.find(({ kind }) => kind === "version")?.kind ?? markers[0]?.kind ?? "comment"];
  const button = (name: string, onClick?: () => void) => (
    <button
      type="button"
      className={styles.mark}
      style={{ left: `${left * 100}%` }}
      aria-label={name}
      tabIndex={reachable ? 0 : -1}
      onFocus={onReached}
      {...(onClick && { onClick })}
    >
      <Icon of={drawing} size={14} />
      {markers.length > 1 && <small>{markers.length}</small>}
      {label && <span>{label}</span>}
    </button>
  );
  if (only) {
    const { who, when } = textOfMarker(only);
    return (
      <Tooltip text={who} detail={when} side="top">
        {button(`${who}, ${when}`, () => run({ type: "seek", index: only.revision }))}
      </Tooltip>
    );
  }
  return (
    <Menu
      label="Marks here"
      wide
      trigger={button(
        `${markers.length} marks, from ${markers[0] ? textOfMarker(markers[0]).when : ""}`,
      )}
    >
      {markers.map((marker) => {
        const { who, when } = textOfMarker(marker);
        return (
          <MenuItem
            key={marker.key}
            icon={drawings[marker.kind]}
            detail={when}
            onSelect={() => run({ type: "seek", index: marker.revision })}
          >
            {who}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
