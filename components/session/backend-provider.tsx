"use client";

import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import type { ReactNode } from "react";
import type { Session } from "@/events/auth/auth";
import type { Backend } from "@/events/backend/backend";
import { afterCritical, firstTouch } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import { pagePerson } from "./person/page-person";
import type { SessionSnapshot, Tab } from "./tab";

type Config = {
  /** The URL of the backend, or null for the page's own origin. */
  url: string | null;
  publishableKey: string;
  /** Whether mail is caught and shown at `/mail` instead of being sent. */
  mailPage: boolean;
  /** Whether the page's request had no session. Nothing then loads before the first input. */
  visitor: boolean;
  /** The limit of Realtime messages per second for all clients, or null if it is unknown. */
  messageLimit: number | null;
};

type TabContext = Pick<Config, "mailPage" | "messageLimit"> & {
  tab: Tab | null;
  open: () => Promise<Tab>;
  /** Reads the tab synchronously, even during pagehide. Returns null until its code has loaded. */
  current: () => Tab | null;
};

const Context = createContext<TabContext | null>(null);

let opened: Promise<Tab> | null = null;
let present: Tab | null = null;
const current = () => present;

/** Provides the tab's backend and session. Their code loads after the page is shown. */
export function BackendProvider({
  url,
  publishableKey,
  mailPage,
  messageLimit,
  visitor,
  children,
}: Config & { children: ReactNode }) {
  const [tab, setTab] = useState<Tab | null>(null);
  const open = useCallback(() => {
    opened ??= importWithRetry(() => import("./tab")).then(({ openTab }) =>
      openTab({ url: url ?? location.origin, key: publishableKey }),
    );
    void opened.then((tab) => {
      present = tab;
      setTab(tab);
    });
    return opened;
  }, [url, publishableKey]);
  useEffect(() => {
    void (visitor ? firstTouch() : afterCritical()).then(open);
  }, [open, visitor]);
  const value = useMemo(
    () => ({ mailPage, messageLimit, tab, open, current }),
    [mailPage, messageLimit, tab, open],
  );
  return <Context value={value}>{children}</Context>;
}

/**
 * Returns access to the tab. `tab` is null until its code has loaded, `open` waits for the code,
 * and `current` reads the tab synchronously.
 */
export function useTab(): TabContext {
  const context = use(Context);
  if (!context) throw new Error("`useTab` must be used inside BackendProvider");
  return context;
}

/** Returns the tab's backend, or null on the server and until its code has loaded. */
export function useBackend(): Backend | null {
  return useTab().tab?.backend ?? null;
}

type SessionView = {
  phase:
    | "restoring"
    | "signedOut"
    | "signingIn"
    | "ended"
    | "left"
    | "signedIn"
    | "passwordRecovery"
    | "signingOut";
  session: Session | null;
  ended: Session | null;
  replaced: Session | null;
};

const restoring: SessionView = { phase: "restoring", session: null, ended: null, replaced: null };
const awayPhases = ["restoring", "signedOut", "signingIn", "ended", "left"] as const;
const presentPhases = ["signedIn", "passwordRecovery", "signingOut"] as const;

function phaseOf(snapshot: SessionSnapshot): SessionView["phase"] {
  return (
    awayPhases.find((phase) => snapshot.matches({ away: phase })) ??
    presentPhases.find((phase) => snapshot.matches({ present: phase })) ??
    "restoring"
  );
}

/** Returns the live session: who is signed in, or whose session ended or was replaced. */
export function useSession(): SessionView {
  const { tab } = useTab();
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscription = tab?.session.subscribe(listener);
      return () => subscription?.unsubscribe();
    },
    [tab],
  );
  const snapshot = useSyncExternalStore(
    subscribe,
    () => tab?.session.getSnapshot() ?? null,
    () => null,
  );
  return useMemo(() => {
    if (!snapshot) return restoring;
    const { session, ended, replaced } = snapshot.context;
    return { phase: phaseOf(snapshot), session, ended, replaced };
  }, [snapshot]);
}

/**
 * Calls `onResumed` when the page's person is signed in again after their session ended or was
 * replaced. Waiting requests can then be sent again.
 */
export function useSessionResumed(onResumed: () => void): void {
  const { tab } = useTab();
  useEffect(() => {
    if (!tab) return;
    let away = false;
    const subscription = tab.session.subscribe((snapshot) => {
      const { session, ended } = snapshot.context;
      const person = pagePerson.id ?? session?.userId ?? null;
      if (session === null ? ended !== null : session.userId !== person) away = true;
      else if (session !== null && away) {
        away = false;
        onResumed();
      }
    });
    return () => subscription.unsubscribe();
  }, [tab, onResumed]);
}
