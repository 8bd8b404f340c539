"use client";

import { useAnnounce } from "@/components/ui/announcer";
import { Select } from "@/components/ui/select";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { HistoryVisibility } from "@/machines/history-visibility";
import styles from "./members-page.module.css";

const options = [
  { value: "everything", label: "see everything", detail: "The text, and how it was written" },
  {
    value: "versions",
    label: "see named versions",
    detail: "The present text and versions with a name",
  },
] as const satisfies readonly { value: HistoryVisibility; label: string; detail: string }[];

const readers = [
  { role: "viewer", name: "Who can read" },
  { role: "commenter", name: "Who can comment" },
] as const;

/** How much of the past readers see, for an owner to set; nothing for everybody else. */
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
          ? "They see everything from now on"
          : "They see named versions from now on",
      );
  };
  return (
    <section aria-labelledby="history-grades">
      <h2 id="history-grades" className={styles.heading}>
        History
      </h2>
      <p className={styles.note}>
        How much of the making of a text people see who do not write in it. Editors and owners see
        everything.
      </p>
      <ul className={styles.list}>
        {readers.map(({ role, name }) => (
          <li key={role}>
            <span className={styles.words}>{name}</span>
            <Select
              label={`History for ${name.toLowerCase()}`}
              value={history[role]}
              onChange={(visibility) => void change(role, visibility)}
              options={options}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
