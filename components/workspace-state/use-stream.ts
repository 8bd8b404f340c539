"use client";

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { PresenceEntry, Subscription } from "@/events/realtime/channel";
import { systemClock, systemRandom } from "@/events/core/clock";
import type { Subject } from "@/events/core/envelope";
import { openStream } from "@/events/log/live-stream";
import type { LiveStream, StreamView } from "@/events/log/live-stream";
import type { StreamFold } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import { aggregates, law } from "@/machines/catalog";
import { rebased } from "@/machines/replaced-words";
import { droppedToast } from "./proposals/dropped-toast";
import type { WorkspaceProposals } from "./proposals/workspace-proposals";
import { lazyStore } from "./lazy-store";
import { useBackend, useTab } from "@/components/session/backend-provider";
import { onPageEnd } from "@/components/session/page-end";
import { reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";

/** `open`: the stream is live. `gone`: this reader has lost access. */
export type Access = "open" | "gone";

type UsedStream = StreamView & {
  access: Access;
  /**
   * Shows the event at once and settles with the server's ruling (acknowledgement). A refusal also
   * shows a toast.
   */
  act: LiveStream["act"];
  /** Proposes again what an earlier page has proposed. Refusals are shown too. */
  resume: LiveStream["resume"];
};

type Input = {
  stream: Subject;
  userId: string;
  initial: StreamFold;
  /** Called when the channel reports growth of a stream hosted by this one. */
  onNotice?: (notice: { stream: string; version: number }) => void;
  onPresence?: (entries: PresenceEntry[]) => void;
  /** Called whenever the channel is joined. Earlier notices of other streams were missed. */
  onJoined?: () => void;
  proposals: WorkspaceProposals;
  /** This tab's presence on the channel, which is sent again on every change. */
  presence?: Record<string, unknown>;
};

/**
 * Connects a stream to React: its recorded and optimistic events, live, and its append functions.
 */
export function useStream({
  stream: subject,
  userId,
  initial,
  onNotice,
  onPresence,
  onJoined,
  proposals,
  presence,
}: Input): UsedStream {
  const { open, current } = useTab();
  const backend = useBackend();
  const toast = useToast();
  const [access, setAccess] = useState<Access>("open");
  const { kind, id } = subject;

  const [stream] = useState(() =>
    openStream({
      stream: subject,
      actorId: userId,
      initial,
      store: lazyStore(
        async () => (await open()).backend.store,
        () => current()?.backend.store ?? null,
      ),
      rules: streamRules(aggregates, law, subject),
      clock: systemClock,
      random: systemRandom,
      rebase: rebased,
      onDropped: (dropped) => toast(droppedToast(dropped, performance.timeOrigin, () => undefined)),
      onFault: reportUnexpected,
      onPageEnd,
      keep: proposals.keepFor(subject),
    }),
  );
  const view = useSyncExternalStore(stream.subscribe, stream.view, stream.view);

  const handlers = useRef({ onNotice, onPresence, onJoined });
  useEffect(() => {
    handlers.current = { onNotice, onPresence, onJoined };
  });
  const presenceJson = useMemo(
    () => (presence === undefined ? null : JSON.stringify(presence)),
    [presence],
  );
  const subscription = useRef<Subscription | null>(null);

  useEffect(() => {
    if (!backend) return;
    const channel = backend.channels.subscribe(id, {
      state(state) {
        setAccess(state === "gone" ? "gone" : "open");
        if (state !== "joined") return;
        stream.catchUp();
        handlers.current.onJoined?.();
      },
      notice(notice) {
        if (notice.stream === id) stream.heard(notice.version);
        else handlers.current.onNotice?.(notice);
      },
      presence: (entries) => handlers.current.onPresence?.(entries),
    });
    subscription.current = channel;
    return () => {
      subscription.current = null;
      channel.close();
    };
  }, [backend, id, stream]);

  useEffect(() => {
    if (presenceJson === null || !backend) return;
    // The component's own JSON, parsed here so that the effect depends on its content.
    const payload: Record<string, unknown> = JSON.parse(presenceJson);
    subscription.current?.track(payload);
  }, [presenceJson, backend]);

  const act: LiveStream["act"] = useCallback(
    (type, body, about = { kind, id }, replaces) => stream.act(type, body, about, replaces),
    [stream, kind, id],
  );
  return { ...view, access, act, resume: stream.resume };
}
