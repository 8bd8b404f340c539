"use client";

import { History, Scissors, TriangleAlert } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { StaticText } from "@/components/editor/static-text";
import { Frame, Grow } from "@/components/frame/frame";
import { onDemand } from "@/components/loading/on-demand";
import { pageFetch } from "@/components/session/person/page-person";
import { messageOf } from "@/components/transfer/requests";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { PageIcon } from "@/components/ui/pictures/page-icon";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { useNewDocument } from "@/components/frame/documents/use-new-document";
import { sinceWords } from "./heading/byline";
import type { DocumentSnapshot } from "./document-snapshot";
import { Crumbs } from "./bar/breadcrumb";
import styles from "./document.module.css";
import { inThePast } from "./past/in-the-past";
import { PastLoading } from "./past/past-loading";
import { Title } from "./heading/title";
import { UnsentText } from "./unsent/unsent-text";

const Past = onDemand(() => import("./past/past").then((module) => module.Past), <PastLoading />);

const nothing = () => undefined;
const none = () => null;

/**
 * Replaces the page of a document that became too large to open. Shows its last text, its history
 * up to there, and how to continue.
 */
export function StoppedPage({
  snapshot,
  stoppedAt,
}: {
  snapshot: DocumentSnapshot;
  stoppedAt: number;
}) {
  const { people, clock, role } = useWorkspace("people", "clock", "role");
  const [asking, setAsking] = useState(false);
  const [cutting, setCutting] = useState(false);
  const toast = useToast();
  const newDocument = useNewDocument();
  const past = inThePast(useSearchParams());
  const { row, html, whole } = snapshot;
  const title = row.title || "Untitled";
  const place = { document: row.id, onNewDocument: newDocument };
  const cut = async () => {
    setCutting(true);
    const answer = await pageFetch(`/d/${row.id}/cut`, { method: "POST" }).catch(() => null);
    if (answer?.ok) return location.reload();
    setCutting(false);
    setAsking(false);
    const message = answer && (await messageOf(answer));
    toast({ text: message ?? "The server could not be reached. Nothing was changed; try again." });
  };
  const openHistory = () => history.pushState(null, "", `?at=${stoppedAt}`);
  const bar = (
    <>
      <Crumbs documentId={row.id} title={title} icon={row.icon} />
      <Grow />
      <div className={styles.chrome}>
        <Button look="quiet" aria-label="History" onClick={openHistory}>
          <Icon of={History} />
          <span className={styles.words}>History</span>
        </Button>
      </div>
    </>
  );
  if (past) {
    return (
      <Past
        place={place}
        document={{
          documentId: row.id,
          title,
          icon: row.icon,
          known: stoppedAt,
          upTo: stoppedAt,
        }}
        from={null}
        live={null}
        people={people}
        here={[]}
        mayRestore={false}
        warning={null}
        onVerify={nothing}
      />
    );
  }
  return (
    <>
      <Frame {...place} bar={bar}>
        <div className={styles.sheet}>
          <article className={styles.page}>
            <div className={styles.notices}>
              <Banner
                tone="warn"
                icon={TriangleAlert}
                actions={
                  role === "owner" && (
                    <Button look="edge" onClick={() => setAsking(true)}>
                      <Icon of={Scissors} />
                      Remove the largest changes
                    </Button>
                  )
                }
              >
                A change made this document too large to open. You see it as it was before that, and
                can read its history or fork it from there; nothing is lost.
                {role === "owner"
                  ? " To write in it again, remove the changes that are too large."
                  : " To write in it again, ask an owner to remove the changes that are too large."}
              </Banner>
            </div>
            <UnsentText />
            <PageIcon emoji={row.icon} onChange={null} />
            <Title
              title={row.title}
              editable={false}
              takeTyped={none}
              onRename={none}
              onText={nothing}
            />
            <p className={styles.byline} suppressHydrationWarning>
              Changed {sinceWords(row.updatedAt, clock)}.
            </p>
            <StaticText html={html} />
            {!whole && (
              <p className={styles.byline}>Only the beginning of the text is shown here.</p>
            )}
          </article>
        </div>
      </Frame>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove the largest changes?"
        description={
          "What these changes wrote is destroyed for everybody and can’t be brought back. Who " +
          "made them and when stays in the history; everything else stays as it is."
        }
      >
        <DialogActions>
          <Button look="edge" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button look="danger" busy={cutting} onClick={() => void cut()}>
            Remove for good
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
