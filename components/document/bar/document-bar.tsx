"use client";

import { History, UserRoundPlus } from "lucide-react";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { Grow } from "@/components/frame/frame";
import { CommentsButton } from "@/components/comments/comments-button";
import type { Comments } from "@/components/comments/use-comments";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Crumbs } from "./breadcrumb";
import styles from "../document.module.css";
import type { MoreProps } from "../actions/more-items";
import { MoreMenu } from "../actions/more-menu";
import { PeopleHere } from "./people-here";
import type { PersonHere } from "./people-here";
import { SaveStatus } from "./save-status";

type Props = MoreProps & {
  status: SyncStatus | null;
  here: readonly PersonHere[];
  /** The person whose caret the view follows. */
  whom: string | null;
  onFollow: (userId: string) => void;
  comments: Comments;
  /** The number of unseen comments. */
  fresh: number;
  onHistory: () => void;
};

/** Shows the bar over a document: path, save status, people present, and actions. */
export function DocumentBar({
  status,
  here,
  whom,
  onFollow,
  comments,
  fresh,
  onHistory,
  ...more
}: Props) {
  return (
    <>
      <Crumbs documentId={more.documentId} title={more.title} icon={more.icon} />
      <div className={styles.status}>
        <SaveStatus status={status} />
      </div>
      <Grow />
      <div className={styles.chrome}>
        <PeopleHere people={here} whom={whom} onFollow={onFollow} />
        <Button
          look="quiet"
          aria-label="Share"
          className={styles.share}
          onClick={() => more.onDialog("share")}
        >
          <Icon of={UserRoundPlus} />
          <span className={styles.words}>Share</span>
        </Button>
        <CommentsButton
          shown={comments.shown}
          fresh={fresh}
          className={styles.words}
          onToggle={() => comments.setShown(!comments.shown)}
        />
        <Button
          look="quiet"
          aria-label="History"
          aria-keyshortcuts="Control+Alt+Shift+H"
          onClick={onHistory}
        >
          <Icon of={History} />
          <span className={styles.words}>History</span>
        </Button>
        <MoreMenu {...more} />
      </div>
    </>
  );
}
