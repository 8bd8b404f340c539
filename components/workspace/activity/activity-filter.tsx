"use client";

import { Select } from "@/components/ui/forms/select";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { entryKinds } from "./activity-entries";
import type { EntryKind, Filter } from "./activity-entries";
import styles from "./activity.module.css";

const chips: readonly { kind: EntryKind | null; label: string }[] = [
  { kind: null, label: "Everything" },
  { kind: "writing", label: "Writing" },
  { kind: "comments", label: "Comments" },
  { kind: "versions", label: "Versions" },
  { kind: "documents", label: "Documents" },
];
const any = "any";

/** Parses the filter of a URL. Invalid values are ignored. */
export function filterOf(query: URLSearchParams): Filter {
  const show = query.get("show");
  return {
    kind: entryKinds.find((kind) => kind === show) ?? null,
    by: query.get("by"),
    document: query.get("document"),
  };
}

/** Returns the query string of a filter, or an empty string for no filter. */
export function addressOf({ kind, by, document }: Filter): string {
  const query = new URLSearchParams();
  if (kind !== null) query.set("show", kind);
  if (by !== null) query.set("by", by);
  if (document !== null) query.set("document", document);
  return query.size === 0 ? "" : `?${query}`;
}

type Props = { filter: Filter; onChange: (filter: Filter) => void };

/** Filters the activity by kind, person and document. */
export function ActivityFilter({ filter, onChange }: Props) {
  const { me, people, documents } = useWorkspace("me", "people", "documents");
  const persons = [...people.values()].map(({ userId, name }) => ({
    value: userId,
    label: userId === me.userId ? "You" : name,
  }));
  const titles = documents.map(({ id, title }) => ({ value: id, label: title || "Untitled" }));
  return (
    <div className={styles.chips} role="toolbar" aria-label="Filter">
      {chips.map(({ kind, label }) => (
        <button
          key={label}
          type="button"
          className={styles.chip}
          aria-pressed={filter.kind === kind}
          onClick={() => onChange({ ...filter, kind })}
        >
          {label}
        </button>
      ))}
      <span className={styles.grow} />
      <Select
        edge
        label="By whom"
        value={filter.by ?? any}
        onChange={(by) => onChange({ ...filter, by: by === any ? null : by })}
        options={[{ value: any, label: "Anyone" }, ...persons]}
      />
      <Select
        edge
        label="In which document"
        value={filter.document ?? any}
        onChange={(document) =>
          onChange({ ...filter, document: document === any ? null : document })
        }
        options={[{ value: any, label: "Any document" }, ...titles]}
      />
    </div>
  );
}
