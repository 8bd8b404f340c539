import type { DocumentEventType } from "@/events/core/event-types";
import { bodyOf, descriptionOf } from "@/events/core/recorded-body";
import type { ByType } from "@/events/core/recorded-body";
import type { Mark, Timeline } from "@/events/history/timeline/timeline";
import { firstComments } from "@/machines/past-threads";
import { namedVersions, shortly } from "@/events/history/timeline/named-versions";
import { iconWords } from "@/components/history/words/icon-words";
import type { Axis } from "./timeline-axis";

export type MarkerKind =
  "version" | "comment" | "restored" | "renamed" | "trashed" | "joined" | "left";

/**
 * An event other than an edit, at a revision. `label` fits on the timeline bar. `description` is a
 * sentence without its subject.
 */
export type Marker = {
  key: string;
  revision: number;
  kind: MarkerKind;
  actorId: string;
  label: string;
  description: string;
};

/** A person who joined or left the workspace at a time. */
export type MembershipChange = { key: string; userId: string; time: number; left: boolean };

/** Markers that are too close to distinguish, at the position of the first marker. */
export type Cluster = { left: number; markers: readonly Marker[]; label: string };

type MarkerText = Pick<Marker, "kind" | "label" | "description">;

const markerTexts: ByType<DocumentEventType, null, MarkerText> = {
  "document.created": null,
  "document.edited": null,
  "document.forked": null,
  "document.imported": null,
  "document.step_imported": null,
  "document.redacted": null,
  // The parent is not part of the text.
  "document.moved": null,
  "document.template_set": null,
  "document.purged": null,
  // The text shows the file, and the list of revisions names it.
  "file.attached": null,
  // A named version is marked at the revision that it names (`versionMarker`).
  "version.named": null,
  "version.renamed": null,
  "version.pinned": null,
  "version.unpinned": null,
  "comment.edited": null,
  "comment.deleted": null,
  "thread.opened": ({ quote }) => ({
    kind: "comment",
    label: "",
    description: `commented on “${shortly(quote)}”`,
  }),
  "comment.added": ({ text }) => ({
    kind: "comment",
    label: "",
    description: `answered “${shortly(text)}”`,
  }),
  "thread.resolved": () => ({ kind: "comment", label: "", description: "resolved a comment" }),
  "thread.reopened": () => ({ kind: "comment", label: "", description: "reopened a comment" }),
  "document.reverted": () => ({
    kind: "restored",
    label: "Restored",
    description: "restored an earlier version",
  }),
  "document.reworked": () => ({
    kind: "restored",
    label: "Reverted",
    description: "reverted a part",
  }),
  "document.merged": () => ({
    kind: "restored",
    label: "Merged",
    description: "merged another document in",
  }),
  "document.renamed": ({ title }) => ({
    kind: "renamed",
    label: "",
    description: `called it “${shortly(title)}”`,
  }),
  "document.icon_set": ({ emoji }) => ({
    kind: "renamed",
    label: "",
    description: iconWords(emoji),
  }),
  "document.trashed": () => ({ kind: "trashed", label: "", description: "moved it to the trash" }),
  "document.restored": () => ({
    kind: "trashed",
    label: "",
    description: "brought it back from the trash",
  }),
};

function markersOfMarks(marks: readonly Mark[]): Marker[] {
  const first = firstComments(marks);
  const begun = new Set(
    marks.filter(({ type }) => type === "thread.opened").map(({ subject }) => subject.id),
  );
  return marks.flatMap((mark) => {
    const { id, revision, type, actorId, subject } = mark;
    const markerText = descriptionOf(markerTexts, mark, null);
    // The first comment of a thread adds nothing to the thread's own marker. That marker is placed
    // at the comment, where the thread becomes visible.
    const opening = begun.delete(bodyOf(mark, "comment.added")?.thread ?? "");
    const at = type === "thread.opened" ? (first.get(subject.id) ?? revision) : revision;
    return markerText && !opening ? [{ key: id, revision: at, actorId, ...markerText }] : [];
  });
}

/** Returns the marker of a named version. */
export function versionMarker({
  key,
  revision,
  name,
  actorId,
}: ReturnType<typeof namedVersions>[number]): Marker {
  return {
    key,
    revision,
    kind: "version",
    actorId,
    label: name,
    description: `named this version “${name}”`,
  };
}

/** Returns all markers of the timeline bar, in order. */
export function markersOf(
  timeline: Pick<Timeline, "marks" | "ofVersion" | "length" | "timeOf">,
  membershipChanges: readonly MembershipChange[],
  revisionAtTime: (time: number) => number,
): Marker[] {
  const versions = namedVersions(timeline).map(versionMarker);
  const first = timeline.timeOf(0);
  const last = timeline.timeOf(timeline.length - 1);
  const people = membershipChanges.flatMap(({ key, userId, time, left }): Marker[] =>
    time < first || time > last
      ? []
      : [
          {
            key,
            revision: revisionAtTime(time),
            kind: left ? "left" : "joined",
            actorId: userId,
            label: "",
            description: left ? "left the workspace" : "joined the workspace",
          },
        ],
  );
  return [...markersOfMarks(timeline.marks), ...versions, ...people].sort(
    (a, b) => a.revision - b.revision,
  );
}

/**
 * Clusters markers that would touch on a timeline bar `width` px wide. A cluster has a label only
 * if the label fits before the next cluster.
 */
export function clustersOf(markers: readonly Marker[], axis: Axis, width: number): Cluster[] {
  const touch = 24 / width;
  const clusters: { left: number; markers: Marker[] }[] = [];
  for (const marker of markers) {
    const left = axis.positionOf(marker.revision);
    const last = clusters.at(-1);
    if (last && left - last.left < touch) last.markers.push(marker);
    else clusters.push({ left, markers: [marker] });
  }
  return clusters.map(({ left, markers: own }, index) => {
    const label = own.length === 1 ? (own[0]?.label ?? "") : "";
    const available = ((clusters[index + 1]?.left ?? 1.02) - left) * width;
    return {
      left,
      markers: own,
      label: width >= 600 && label.length * 7 + 30 <= available ? label : "",
    };
  });
}
