"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useState } from "react";
import { focusStart } from "@/components/editor/carets/own-selection";
import { useLinkNames } from "@/components/editor/document-links/use-link-names";
import { editorOf } from "@/components/editor/text-editor";
import type { MadeEditor } from "@/components/editor/text-editor";
import { useCommands } from "@/components/commands/command-handlers";
import { Frame } from "@/components/frame/frame";
import { useAnalysis, useAnalysisPanel } from "@/components/history/analysis/model/analysis-state";
import { onDemand } from "@/components/loading/on-demand";
import { useHistoryAlarm } from "@/components/history/proof/use-history-alarm";
import { useBackend } from "@/components/session/backend-provider";
import { afterCritical } from "@/components/loading/after-critical";
import { useComments } from "@/components/comments/use-comments";
import { titleWithIcon } from "@/components/ui/pictures/title-with-icon";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { useNewDocument } from "@/components/frame/documents/use-new-document";
import { useBlockHash } from "./block-link/use-block-hash";
import { DocumentBar } from "./bar/document-bar";
import type { DocumentDialog } from "./actions/document-dialogs";
import { DocumentHead } from "./heading/document-head";
import { DocumentNotices } from "./document-notices";
import type { DocumentSnapshot } from "./document-snapshot";
import { DocumentText } from "./document-text";
import styles from "./document.module.css";
import { inThePast } from "./past/in-the-past";
import { PastLoading } from "./past/past-loading";
import { useDocument } from "./use-document";
import { useFinding } from "./finding/use-finding";
import { useReadingPlace } from "./use-reading-place";
import { useWindowTitle } from "./use-window-title";

const AlarmBanner = onDemand(() =>
  import("@/components/history/proof/alarm-banner").then((module) => module.AlarmBanner),
);

const LiveThreads = onDemand(() =>
  import("@/components/comments/live-threads").then((module) => module.LiveThreads),
);
const LiveAnalysis = onDemand(() =>
  import("@/components/history/analysis/live-analysis").then((module) => module.LiveAnalysis),
);

const Arrival = onDemand(() => import("./finding/arrival").then((module) => module.Arrival));

const Actions = onDemand(() => import("./actions/actions").then((module) => module.Actions));

// Loads once the text can be written. No dialog can be requested earlier.
const DocumentDialogs = onDemand(() =>
  afterCritical()
    .then(() => import("./actions/document-dialogs"))
    .then((module) => module.DocumentDialogs),
);

// Handles Ctrl+F once the text can be written. Until then, the browser's own search opens.
const Find = onDemand(() =>
  afterCritical()
    .then(() => import("@/components/editor/find/find"))
    .then((module) => module.Find),
);

const OutlineMargin = onDemand(() =>
  afterCritical()
    .then(() => import("./outline/outline-margin"))
    .then((module) => module.OutlineMargin),
);

const DocumentCommands = onDemand(() =>
  afterCritical()
    .then(() => import("./actions/document-commands"))
    .then((module) => module.DocumentCommands),
);

const FollowingChip = onDemand(() =>
  import("./following/following-chip").then((module) => module.FollowingChip),
);

const SyncInspector = onDemand(() =>
  import("./inspector/sync-inspector").then((module) => module.SyncInspector),
);

const LinkedBlock = onDemand(() =>
  import("./block-link/linked-block").then((module) => module.LinkedBlock),
);

const LinkedHere = onDemand(() =>
  afterCritical()
    .then(() => import("./linked-here/linked-here"))
    .then((module) => module.LinkedHere),
);

const Past = onDemand(() => import("./past/past").then((module) => module.Past), <PastLoading />);

/** Shows a document: its text, the people present, its save status, and its actions. */
export function DocumentPage({ snapshot }: { snapshot: DocumentSnapshot }) {
  const {
    row,
    live,
    text,
    status,
    here,
    access,
    may,
    unreadable,
    setUnreadable,
    writers,
    lastChange,
    whom,
    sendPresence,
    onTextReady,
  } = useDocument(snapshot);
  const { name, people, clock, mayDocument, documentCommands } = useWorkspace(
    "name",
    "people",
    "clock",
    "mayDocument",
    "documentCommands",
  );
  const [dialog, setDialog] = useState<DocumentDialog | null>(null);
  const [made, setMade] = useState<MadeEditor | null>(null);
  const written = unreadable === null ? text : null;
  const editor = editorOf(made, written);
  const analysis = useAnalysis();
  const backend = useBackend();
  const alarm = useHistoryAlarm(backend, row.id);
  const [freshComments, setFreshComments] = useState(0);
  const newDocument = useNewDocument();
  const [finding, find] = useFinding();
  const query = useSearchParams();
  const past = inThePast(query);
  const block = useBlockHash();
  useLinkNames(snapshot.linked);
  const comments = useComments(!past && access !== "none", useAnalysisPanel());
  const mayComment =
    access !== "none" && row.phase === "live" && mayDocument("thread.opened", null);
  const title = row.title || "Untitled";
  // The maximum would be wrong if the log was rolled back to an older backup.
  const version = live?.version ?? snapshot.version;
  useWindowTitle(titleWithIcon(row.icon, title), name, status);

  const followed = whom === null ? undefined : people.get(whom);
  const unfollow = useCallback(() => sendPresence({ type: "unfollow" }), [sendPresence]);
  const { left, leave, settle } = useReadingPlace(row.id, past);
  const openHistory = useCallback(() => {
    leave();
    history.pushState(null, "", `?at=${live?.version ?? snapshot.version}`);
  }, [live, snapshot.version, leave]);
  useCommands(past ? { newDocument } : { newDocument, history: openHistory });
  const onReady = useCallback(() => {
    onTextReady();
    settle();
  }, [onTextReady, settle]);
  const toText = () => {
    if (editor !== null) focusStart(editor);
    else document.getElementById("text")?.focus();
  };

  const maySetIcon = may("document.icon_set");
  const verify = () => setDialog("verify");
  const bar = (
    <DocumentBar
      documentId={row.id}
      title={title}
      icon={row.icon}
      live={live}
      version={version}
      status={status}
      here={here}
      whom={whom}
      onFollow={(userId) => sendPresence({ type: "follow", userId })}
      comments={comments}
      fresh={freshComments}
      may={may}
      onHistory={openHistory}
      onFind={editor === null ? null : find}
      onDialog={setDialog}
    />
  );
  const warning = alarm !== null && backend !== null && (
    <div className={styles.notices}>
      <AlarmBanner
        alarm={alarm}
        stream={row.id}
        backend={backend}
        live={live}
        clock={clock}
        onVerify={verify}
      />
    </div>
  );
  const place = { document: row.id, onNewDocument: newDocument };
  const aside = !past &&
    live !== null &&
    backend !== null &&
    (analysis.view !== null || analysis.tinted) && (
      <LiveAnalysis
        documentId={row.id}
        store={backend.store}
        live={live}
        editor={editor}
        people={people}
        mayWrite={access === "write"}
      />
    );
  return (
    <>
      {past && (
        <Past
          place={place}
          document={{ documentId: row.id, title, icon: row.icon, known: snapshot.version }}
          from={left}
          live={live}
          people={people}
          here={here}
          mayRestore={may("document.reverted")}
          warning={warning}
          onVerify={verify}
        />
      )}
      {/* The editor stays mounted while the reader looks at the past, so that it keeps its undo
          steps and its place. */}
      <div className={past ? styles.away : styles.present}>
        <Frame {...place} bar={bar} aside={aside}>
          {!past && editor !== null && (
            <Find editor={editor} writes={access === "write"} request={finding} onAsk={find} />
          )}
          <div className={styles.edge}>
            <div className={styles.sheet} data-margin>
              <article className={styles.page}>
                {!past && warning}
                {!past && block && editor && live && backend && (
                  <LinkedBlock
                    documentId={row.id}
                    hash={block}
                    editor={editor}
                    live={live}
                    store={backend.store}
                  />
                )}
                <DocumentNotices
                  row={row}
                  live={live}
                  version={version}
                  access={access}
                  mayComment={mayComment}
                  mayRestore={may("document.restored")}
                  hasEditor={editor !== null}
                  unreadable={unreadable}
                  fullness={snapshot.fullness}
                  status={status}
                />
                <DocumentHead
                  row={row}
                  writers={writers}
                  lastChange={lastChange}
                  editable={access === "write"}
                  onIcon={maySetIcon ? () => setDialog("icon") : null}
                  onText={toText}
                />
                <DocumentText
                  snapshot={snapshot}
                  live={live}
                  text={written}
                  editable={access === "write"}
                  unreadable={unreadable}
                  onUnreadable={setUnreadable}
                  onComment={mayComment ? comments.compose : null}
                  onPick={comments.pick}
                  onEditor={setMade}
                  onReady={onReady}
                />
                {access !== "none" && <LinkedHere documentId={row.id} title={title} at={null} />}
              </article>
              {!past && editor !== null && !aside && <OutlineMargin editor={editor} />}
              {live !== null && access !== "none" && (
                <LiveThreads
                  documentId={row.id}
                  phase={row.phase}
                  live={live}
                  editor={editor}
                  comments={comments}
                  onNews={setFreshComments}
                />
              )}
            </div>
          </div>
          {live !== null && <Actions live={live} />}
          {!past && editor !== null && (query.has("find") || query.has("thread")) && (
            <Arrival query={query.toString()} onThread={comments.pick} />
          )}
          {live !== null && query.get("debug") === "sync" && <SyncInspector live={live} />}
          {followed !== undefined && (
            <FollowingChip
              person={followed}
              awareness={live?.awareness ?? null}
              onStop={unfollow}
            />
          )}
        </Frame>
      </div>
      {!past && (
        <DocumentCommands
          documentId={row.id}
          title={title}
          icon={row.icon}
          live={live}
          version={version}
          comments={comments}
          may={may}
          onFind={editor === null ? null : find}
          onDialog={setDialog}
        />
      )}
      <DocumentDialogs
        dialog={dialog}
        documentId={row.id}
        editor={editor}
        title={title}
        shown={() => live?.confirmed() ?? null}
        version={version}
        mayName={may("document.edited")}
        icon={row.icon}
        onIcon={
          maySetIcon ? (emoji) => void documentCommands.setIcon(row.id, emoji, row.icon) : null
        }
        onClose={() => setDialog(null)}
      />
    </>
  );
}
