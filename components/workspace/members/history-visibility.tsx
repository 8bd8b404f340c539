"use client";

import { useAnnounce } from "@/components/ui/screen/announcer";
import { Select } from "@/components/ui/forms/select";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { HistoryVisibility } from "@/machines/history-visibility";
import styles from "./members-page.module.css";

const options = [
  { value: "everything", label: "Whole history", detail: "The text and every change to it" },
  {
    value: "versions",
    label: "Named versions",
    detail: "The text now and named versions",
  },
] as const satisfies readonly { value: HistoryVisibility; label: string; detail: string }[];

const readers = [
  { role: "viewer", name: "People who can read" },
  { role: "commenter", name: "People who can comment" },
] as const;

const seen = {
  everything: "See every earlier version, with who wrote what and when.",
  versions: "See the text as it is now and versions that have a name.",
} as const satisfies Record<HistoryVisibility, string>;

/** Lets owners set the history visibility of each role. Renders nothing for other members. */
export function HistoryVisibilities() {
  const { act, may, history } = useWorkspace("act", "may", "history");
  const announce = useAnnounce();
  if (!may("workspace.history_graded")) return null;
  const change = async (role: (typeof readers)[number]["role"], visibility: HistoryVisibility) => {
    if (history[role] === visibility) return;
    const { ok } = await act("workspace.history_graded", { ...history, [role]: visibility });
    if (ok)
      announce(
        visibility === "everything"
          ? "They now see the whole history"
          : "They now see named versions only",
      );
  };
  return (
    <section aria-labelledby="history-grades">
      <h2 id="history-grades" className={styles.heading}>
        History
      </h2>
      <ul className={styles.settings}>
        {readers.map(({ role, name }) => (
          <li key={role}>
            <b>{name}</b>
            <small>{seen[history[role]]}</small>
            <Select
              label={`History for ${name.toLowerCase()}`}
              edge
              value={history[role]}
              onChange={(visibility) => void change(role, visibility)}
              options={options}
            />
          </li>
        ))}
        <li>
          <b>People who can edit, and owners</b>
          <small>Always see the whole history.</small>
          <span className={styles.always}>Whole history</span>
        </li>
      </ul>
    </section>
  );
}
