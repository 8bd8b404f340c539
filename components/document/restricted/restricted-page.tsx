"use client";

import { Eye } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import type { LinkedDocument } from "@/events/content/document-link";
import type { DocumentRow } from "@/events/read-models/document-rows";
import type { VersionRow } from "@/events/read-models/version-rows";
import { useLinkNames } from "@/components/editor/document-links/use-link-names";
import { StaticText } from "@/components/editor/static-text";
import { editorOf, TextEditor } from "@/components/editor/text-editor";
import type { MadeEditor } from "@/components/editor/text-editor";
import { Frame, Grow } from "@/components/frame/frame";
import { useAnalysisPanel } from "@/components/history/analysis/model/analysis-state";
import { onDemand } from "@/components/loading/on-demand";
import { CommentsButton } from "@/components/comments/comments-button";
import type { RestrictedComments } from "@/machines/restricted-comments";
import { useComments } from "@/components/comments/use-comments";
import { usePlainText } from "@/components/comments/restricted/use-plain-text";
import { useWholeComments } from "@/components/comments/use-whole-comments";
import { Banner } from "@/components/ui/banner";
import { PageIcon } from "@/components/ui/pictures/page-icon";
import { isolated } from "@/events/core/text/isolated";
import { UnsentText } from "@/components/document/unsent/unsent-text";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import { sinceWords } from "../heading/byline";
import { DownloadMenu } from "../downloads/download-menu";
import { LinkedHere } from "../linked-here/linked-here";
import { Crumbs } from "../bar/breadcrumb";
import styles from "../document.module.css";
import { RestrictedVersions } from "./restricted-versions";
import { focusTitle, Title } from "../heading/title";
import { usePresent } from "./use-present";

const RestrictedThreads = onDemand(() =>
  import("@/components/comments/restricted/restricted-threads").then(
    (module) => module.RestrictedThreads,
  ),
);

const Arrival = onDemand(() => import("../finding/arrival").then((module) => module.Arrival));

/**
 * A document for a restricted reader, who sees only the current text and named versions. `html` is
 * null if the server could not render it.
 */
export type RestrictedSnapshot = {
  restricted: true;
  row: DocumentRow;
  html: string | null;
  /** Whether `html` contains the whole text. */
  whole: boolean;
  version: number;
  versions: readonly VersionRow[];
  /** The shown named version, or null for the current text. */
  shown: VersionRow | null;
  /**
   * The newest comments on the current text. Null for a named version, or if there is nothing to
   * show.
   */
  restrictedComments: RestrictedComments | null;
  /** The last version before the document became too large to open, or null if it can be opened. */
  stoppedAt: number | null;
  /**
   * The linked documents outside the workspace, by id. Null for a document that the reader may not
   * see.
   */
  linked: Readonly<Record<string, LinkedDocument | null>>;
};

const nothing = () => undefined;
const none = () => null;
const toText = () => document.getElementById("text")?.focus();
const nobody = () => null;

/** Shows a document without its history: the current text, its comments, and the named versions. */
export function RestrictedPage({ snapshot }: { snapshot: RestrictedSnapshot }) {
  const { people, me, clock, mayDocument, personal } = useWorkspace(
    "people",
    "me",
    "clock",
    "mayDocument",
    "personal",
  );
  const { html, whole, versions, shown, version, restrictedComments, stoppedAt } = snapshot;
  const row = useDocumentRow(snapshot.row.id) ?? snapshot.row;
  const router = useRouter();
  useLinkNames(snapshot.linked);
  const refresh = useCallback(() => router.refresh(), [router]);
  usePresent({
    isShown: shown === null,
    version,
    heard: row.version,
    // A document that is too large stays too large, so a retry is pointless.
    failed: html === null && stoppedAt === null,
    refresh,
  });
  useEffect(() => {
    if (shown === null && html !== null) personal.seen(row.id, version, true);
  }, [personal, row.id, version, shown, html]);
  const plain = usePlainText(useWholeComments(row.id, restrictedComments), me.userId);
  const [made, setMade] = useState<MadeEditor | null>(null);
  const [freshComments, setFreshComments] = useState(0);
  const comments = useComments(plain !== null, useAnalysisPanel());
  const mayComment = plain !== null && row.phase === "live" && mayDocument("thread.opened", null);
  const title = row.title || "Untitled";
  const query = useSearchParams();
  const bar = (
    <>
      <Crumbs documentId={row.id} title={title} icon={row.icon} />
      <Grow />
      {restrictedComments !== null && (
        <div className={styles.chrome}>
          <CommentsButton
            shown={comments.shown}
            fresh={freshComments}
            className={styles.words}
            onToggle={() => comments.setShown(!comments.shown)}
          />
        </div>
      )}
      {html !== null && shown === null && <DownloadMenu documentId={row.id} title={title} />}
    </>
  );
  return (
    <Frame document={row.id} bar={bar}>
      <div className={styles.sheet}>
        <article className={styles.page}>
          <div className={styles.notices}>
            <Banner second icon={Eye}>
              {html === null
                ? "The text can’t be shown: this installation has no service key. Nothing is lost; " +
                  "ask whoever runs it."
                : stoppedAt !== null
                  ? "A change made this document too large to open. You see it as it was before that; " +
                    "nothing is lost. Ask an owner to remove the changes that are too large."
                  : "You see the present text and named " +
                    `versions${mayComment ? ", and can comment on the present" : ""}. ` +
                    "An owner of the workspace decides who sees how a text " +
                    "was written."}
            </Banner>
          </div>
          <UnsentText />
          {html !== null && (query.has("find") || query.has("thread")) && (
            <Arrival query={query.toString()} onThread={comments.pick} />
          )}
          <PageIcon emoji={row.icon} onChange={null} />
          <Title
            title={row.title}
            editable={false}
            takeTyped={none}
            onText={toText}
            onRename={none}
          />
          <p className={styles.byline} suppressHydrationWarning>
            {shown === null
              ? `Changed ${sinceWords(row.updatedAt, clock)}`
              : `“${isolated(shown.name)}”, named ` +
                `${sinceWords(shown.createdAt, clock)} by ` +
                `${isolated(people.get(shown.createdBy)?.name ?? "somebody")}`}
            .
          </p>
          {plain === null ? (
            <StaticText html={html ?? ""} />
          ) : (
            <TextEditor
              documentId={row.id}
              userId={me.userId}
              html={html ?? ""}
              live={plain.text}
              editable={false}
              personOf={nobody}
              onRefuse={nothing}
              onUnreadable={nothing}
              onNewDocument={nobody}
              onComment={null}
              onPassage={nothing}
              onPick={comments.pick}
              onEditor={setMade}
              onReady={nothing}
              onUp={focusTitle}
            />
          )}
          {!whole && <p className={styles.byline}>Only the beginning of the text is shown here.</p>}
          {shown === null && (
            <LinkedHere documentId={row.id} title={row.title || "Untitled"} at={null} />
          )}
          {versions.length > 0 && (
            <RestrictedVersions document={row.id} versions={versions} shown={shown} clock={clock} />
          )}
        </article>
        {plain !== null && (
          <RestrictedThreads
            documentId={row.id}
            phase={row.phase}
            plain={plain}
            editor={editorOf(made, plain.text)}
            comments={comments}
            onNews={setFreshComments}
            onCommented={refresh}
          />
        )}
      </div>
    </Frame>
  );
}
