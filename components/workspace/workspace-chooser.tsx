"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useNavigate } from "@/components/frame/documents/navigation-guard";
import { useTab } from "@/components/session/backend-provider";
import { BrandMark } from "@/components/ui/pictures/brand-mark";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { rowsAtATime } from "@/events/core/pages";
import type { Rows } from "@/events/read-models/rows";
import type { NamedWorkspace } from "@/events/read-models/workspace-rows";
import { useRowsBehind } from "@/components/workspace-state/window/rows-behind";
import { CreateWorkspace } from "./create-workspace";
import styles from "./workspace-chooser.module.css";

async function readBehind(rows: Rows, last: NamedWorkspace) {
  const { workspacesBehind } = await import("@/events/read-models/workspace-rows");
  return workspacesBehind(rows, last, rowsAtATime);
}

/** Lists the reader's workspaces if there are none or several. The server renders page one. */
export function WorkspaceChooser({ workspaces: first }: { workspaces: readonly NamedWorkspace[] }) {
  const {
    shown: workspaces,
    showMore,
    list,
  } = useRowsBehind({ first, readBehind, failure: "The other workspaces are not shown" });
  const go = useNavigate();
  const [creating, setCreating] = useState(false);
  const stalled = useFirstWorkspace(workspaces.length === 0);
  return (
    <main className={styles.page} id="main">
      <p className={styles.mark}>
        <BrandMark size={22} />
        Palimpsest
      </p>
      <h1>Your workspaces</h1>
      {workspaces.length > 0 ? (
        <ul ref={list} aria-label="Workspaces">
          {workspaces.map(({ id, name }) => (
            <li key={id}>
              <Link href={`/w/${id}`}>{name}</Link>
            </li>
          ))}
        </ul>
      ) : stalled ? (
        <p className={styles.lead} role="status">
          The server didn’t answer, so your first workspace isn’t made yet. It is tried again and
          opens here by itself.
        </p>
      ) : (
        <p className={styles.lead}>
          You belong to no workspace yet. Create one, or open an invitation that somebody sent you.
        </p>
      )}
      {showMore && (
        <Button look="edge" aria-label="Show more workspaces" onClick={() => void showMore()}>
          Show more
        </Button>
      )}
      <Button
        look={workspaces.length > 0 || stalled ? "edge" : "primary"}
        onClick={() => setCreating(true)}
      >
        <Icon of={Plus} />
        Create a workspace
      </Button>
      <CreateWorkspace
        open={creating}
        onOpenChange={setCreating}
        onCreated={(id) => go(`/w/${id}`)}
      />
    </main>
  );
}

/**
 * Refreshes until the first workspace exists, once this tab has delivered the events of a new
 * account. Returns whether the delivery is stalled.
 */
function useFirstWorkspace(none: boolean): boolean {
  const { open } = useTab();
  const router = useRouter();
  const [stalled, setStalled] = useState(false);
  useEffect(() => {
    if (!none) return;
    let stop = () => {};
    let left = false;
    void Promise.all([open(), import("@/components/session/tab")]).then(
      ([tab, { watchAuthLog }]) => {
        if (left) return;
        stop = watchAuthLog(tab, (state) => {
          setStalled(state === "stalled");
          if (state === "settled") router.refresh();
        });
      },
    );
    return () => {
      left = true;
      stop();
    };
  }, [none, open, router]);
  return none && stalled;
}
