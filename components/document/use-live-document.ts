"use client";

import { tolerate } from "@/events/core/error-report";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { Ruled } from "@/events/core/envelope";
import type { PresenceState } from "@/events/realtime/presence-list";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { readyForEditor } from "@/components/editor/early/early-loading";
import { ShownText } from "@/components/editor/binding/live-text";
import type { LiveText } from "@/components/editor/binding/live-text";
import { useSessionResumed, useTab } from "@/components/session/backend-provider";
import { afterCritical, comeFirst } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import { isCachedPage } from "@/components/session/cached-page";
import { broughtState } from "./fetched-state";
import type { DocumentSnapshot } from "./document-snapshot";
import { draftStatus, openDraft } from "./open-draft";
import type { OpenedDraft } from "./open-draft";
import { closerOf, leftStates } from "./opening/left-states";

type Input = {
  documentId: string;
  userId: string;
  snapshot: DocumentSnapshot;
  access: "write" | "read" | "none";
  presence: PresenceState;
  /** Receives the log's rows as they are read. Must be stable across renders. */
  onRows: (rows: Ruled[]) => void;
  /** Called when this tab has written something. Must be stable across renders. */
  onWritten: () => void;
};

/** An open document. The editable text is available before the rest. */
type OpenedDocument = {
  live: LiveDocument | null;
  text: LiveText | null;
  status: SyncStatus | null;
  here: LiveDocument["people"];
};

/** The delay before an incomplete page is requested again, in ms. */
const patience = 1_000;

const closed: OpenedDocument = { live: null, text: null, status: null, here: [] };

function isSame(one: SyncStatus | null, other: SyncStatus | null): boolean {
  return (
    one?.label === other?.label &&
    one?.sentence === other?.sentence &&
    one?.action === other?.action
  );
}

/**
 * Opens the document while the component is mounted, and keeps its state current. The text is
 * available at once. The connection loads after the page has called `onTextReady`.
 */
export function useLiveDocument({
  documentId,
  userId,
  snapshot,
  access,
  presence,
  onRows,
  onWritten,
}: Input): OpenedDocument & { onTextReady: () => void } {
  const { open, messageLimit } = useTab();
  const [opened, setOpened] = useState<OpenedDocument>(closed);
  const mayWrite = access === "write";
  const [first, setFirst] = useState<DocumentState | null>(() =>
    leftStates.newerThan(snapshot.version, { userId, documentId }),
  );
  const router = useRouter();
  const ready = useRef(() => {});
  const allowed = useRef(mayWrite);
  const drafted = useRef<OpenedDraft["draft"] | null>(null);
  useEffect(() => {
    allowed.current = mayWrite;
    drafted.current?.setMayWrite(mayWrite);
  }, [mayWrite]);
  useEffect(() => {
    if (first !== null) return;
    let left = false;
    const newest = async () => {
      const brought = await broughtState(snapshot, documentId);
      await readyForEditor();
      if (!isCachedPage()) return brought;
      const { newestOf } = await importWithRetry(() => import("./device-copy"));
      return newestOf({ userId, documentId }, brought);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    newest().then(
      (initial) => !left && setFirst(initial),
      // The page's response ended before its last part. The text remains, and a new request may
      // bring the rest.
      () => !left && (timer = setTimeout(() => router.refresh(), patience)),
    );
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [first, router, userId, documentId, snapshot]);
  useEffect(() => {
    if (first === null) return;
    ready.current = comeFirst();
    let left = false;
    let stop = () => {
      if (draft.draft.count === 0) unwarned();
    };
    // An unknown status does not replace a known one.
    const setStatus = (status: SyncStatus | null) =>
      setOpened((before) =>
        status === null || isSame(before.status, status) ? before : { ...before, status },
      );
    const draft = openDraft({
      documentId,
      userId,
      initial: first,
      mayWrite: allowed.current,
      onChange: () => {
        setStatus(draftStatus(draft.draft, navigator.onLine));
        onWritten();
      },
    });
    drafted.current = draft.draft;
    if (!navigator.onLine) setStatus(draftStatus(draft.draft, false));
    const text = new ShownText(draft.draft, userId);
    draft.draft.show(text);
    setOpened((before) => ({ ...before, text }));

    const connect = async () => {
      await afterCritical();
      if (left && draft.draft.count === 0) return draft.draft.discard();
      const [{ backend }, { openLive, statusOf }] = await Promise.all([
        open(),
        importWithRetry(() => import("./open-live")),
      ]);
      if (left && draft.draft.count === 0) return draft.draft.discard();
      const live = openLive({
        backend,
        documentId,
        userId,
        messageLimit,
        initial: first,
        mayWrite: allowed.current,
        opened: draft,
      });
      const close = closerOf(live, { userId, documentId });
      unstored = () => live.sync.getSnapshot().context.pending > 0 && !live.isStored;
      // If the page is left this early, its edits are still sent.
      if (left) return close().finally(unwarned);
      const stops = [
        text.connect(live),
        // The text object stays the same, so a new state object makes the page read the replaced
        // document.
        live.onReplaced(() => setOpened((before) => ({ ...before }))),
        live.onPeople(() => setOpened((before) => ({ ...before, here: live.people }))),
        live.onRows(onRows),
        live.sync.subscribe((snapshot) => {
          setStatus(statusOf(live));
          if (snapshot.context.pending > 0) onWritten();
        }).unsubscribe,
      ];
      let endCopies = (closed: Promise<void>) => closed;
      const hide = () => live.flush();
      const visible = () => (document.visibilityState === "visible" ? live.seen() : live.flush());
      const network = () => live.sync.send({ type: navigator.onLine ? "online" : "offline" });
      if (!navigator.onLine) network();
      addEventListener("online", network);
      addEventListener("offline", network);
      addEventListener("pagehide", hide);
      document.addEventListener("visibilitychange", visible);
      addEventListener("pageshow", visible);
      setOpened((before) => ({ ...before, live, here: live.people }));
      setStatus(statusOf(live));
      stop = () => {
        for (const end of stops) end();
        removeEventListener("online", network);
        removeEventListener("offline", network);
        removeEventListener("pagehide", hide);
        document.removeEventListener("visibilitychange", visible);
        removeEventListener("pageshow", visible);
        const closed = close().finally(unwarned);
        void endCopies(closed);
      };
      const { cacheOnDevice } = await importWithRetry(() => import("./device-copy"));
      if (!left) endCopies = cacheOnDevice(live, { userId, documentId });
    };
    let unstored = () => draft.draft.count > 0 && !draft.draft.stored;
    const warn = (event: BeforeUnloadEvent) => {
      if (unstored()) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    const unwarned = () => removeEventListener("beforeunload", warn);
    void connect();
    return () => {
      left = true;
      ready.current();
      setOpened(closed);
      stop();
    };
  }, [open, documentId, userId, messageLimit, first, onRows, onWritten]);
  const { live } = opened;
  useSessionResumed(useCallback(() => live?.resume(), [live]));
  useEffect(() => {
    live?.setAccess(access);
    if (access === "none")
      void import("@/events/device/copies")
        .then(({ dropCopy }) => dropCopy({ userId, documentId }))
        .catch(tolerate("dropping the copy of a document"));
  }, [live, access, userId, documentId]);
  useEffect(() => live?.setPresence(presence), [live, presence]);
  const onTextReady = useCallback(() => ready.current(), []);
  return { ...opened, onTextReady };
}
