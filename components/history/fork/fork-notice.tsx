"use client";

import { GitFork } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { counted } from "@/components/history/words/change-words";
import { reportUnexpected } from "@/components/ui/failure-words";
import { onDemand } from "@/components/loading/on-demand";
import { useBackend } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import { mostCounted, parentNews } from "@/events/revisions/parent-changes";
import type { ParentNews } from "@/events/revisions/parent-changes";
import { useParentTitle } from "./use-parent-title";
import styles from "@/components/ui/screen/page-notice.module.css";

const MergeDialog = onDemand(() => import("./merge-dialog").then((module) => module.MergeDialog));

type Props = { id: string; title: string; parent: string; version: number; mayWrite: boolean };

/** Shows a fork's parent and the parent's later changes, and offers to merge. */
export function ForkNotice({ id, title, parent, version, mayWrite }: Props) {
  const { mayDocument } = useWorkspace("mayDocument");
  const [merging, setMerging] = useState<"back" | "here" | null>(null);
  const known = useDocumentRow(parent);
  const row = known?.phase === "live" ? known : undefined;
  const rows = useBackend()?.rows ?? null;
  const elsewhere = useParentTitle(rows, parent, row === undefined);
  const called = row ? row.title || "Untitled" : elsewhere;
  const sides = [
    { id, title },
    { id: parent, title: called ?? "the other document" },
  ] as const;
  const [news, setNews] = useState<ParentNews | null>(null);
  const [merges, setMerges] = useState(0);
  const onChanged = useCallback(() => setMerges((count) => count + 1), []);
  const there = row?.version;
  useEffect(() => {
    if (rows === null || there === undefined) return;
    let isCurrent = true;
    parentNews(rows, { id, parent, forkedAt: version }).then(
      (read) => isCurrent && setNews(read),
      reportUnexpected,
    );
    return () => {
      isCurrent = false;
    };
  }, [rows, id, parent, version, there, merges]);
  const since = news?.events ?? 0;
  const mayMergeBack = row !== undefined && mayDocument("document.merged", row);
  return (
    <aside className={styles.fork} aria-label="Fork">
      <Icon of={GitFork} />
      <p>
        {called === undefined ? (
          "Forked from another document."
        ) : called === null ? (
          "Forked from a document that you can’t see."
        ) : (
          <>
            Forked from{" "}
            <Link className="link" href={`/d/${parent}?at=${version}`}>
              <bdi>{called}</bdi>
            </Link>
            .
          </>
        )}{" "}
        {row && news && since > 0 && (
          <>
            <Link className="link" href={`/d/${parent}?compare=${news.from}&with=now`}>
              {since < mostCounted
                ? counted(since, "edit")
                : `More than ${counted(mostCounted - 1, "edit")}`}{" "}
              there since{news.from > version && " it was last brought in"}
            </Link>
            .
          </>
        )}
        {row &&
          news &&
          since === 0 &&
          (news.from > version
            ? "Everything that was written there since is here."
            : "Nothing was written there since.")}
      </p>
      {row && (
        <span className={styles.acts}>
          {mayWrite && since > 0 && (
            <Button look="edge" onClick={() => setMerging("here")}>
              Bring it in…
            </Button>
          )}
          {mayMergeBack && (
            <Button look="edge" onClick={() => setMerging("back")}>
              Merge back…
            </Button>
          )}
        </span>
      )}
      {merging && (
        <MergeDialog
          from={merging === "back" ? sides[0] : sides[1]}
          into={merging === "back" ? sides[1] : sides[0]}
          onChanged={onChanged}
          onClose={() => setMerging(null)}
        />
      )}
    </aside>
  );
}
