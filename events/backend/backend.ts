import type { SupabaseClient } from "@supabase/supabase-js";
import { browserClient, passingClient } from "@/supabase/browser";
import { openLink } from "@/events/auth/opened-link";
import type { OpenedLink } from "@/events/auth/opened-link";
import { keepAliveFetch } from "@/supabase/keep-alive-fetch";
import { holdsSession, storedSession } from "@/supabase/stored-session";
import { maySendFor } from "@/supabase/token-person";
import type { AuthPort, EmailedLink } from "@/events/auth/auth";
import type { PagePerson } from "@/events/auth/page-person";
import type { Channels, Transport } from "@/events/realtime/channel";
import { createChannels } from "@/events/realtime/channel-hub";
import { systemClock, systemRandom } from "@/events/core/clock";
import { indexedDbHeads } from "@/events/device/seen-heads";
import type { SeenHeads } from "@/events/device/seen-heads";
import { watchHistory } from "@/events/device/history-watch";
import type { HistoryWatch } from "@/events/device/history-watch";
import { realtimeTransport } from "@/events/realtime/realtime-transport";
import { segmentsOver } from "@/events/history/segments/segment-stream";
import { appendAtOnce } from "@/events/log/append-at-once";
import { StoreFault, supabaseStore } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { supabaseAuth } from "@/events/auth/supabase-auth";

/** A tab's whole connection to its backend, with the identity of the tab's session. */
export type Backend = {
  auth: AuthPort;
  store: Store;
  channels: Channels;
  /**
   * Detects a log that differs from the log that this browser has seen, and returns the heads that
   * the browser has seen.
   */
  history: Omit<HistoryWatch, "store"> & Pick<SeenHeads, "recall">;
  /** The tables beside the log, which the functions of `events/read-models` query. */
  rows: Pick<SupabaseClient, "from" | "rpc">;
  /** Finds the account of an emailed link without touching this browser's session. */
  openLink(link: EmailedLink): Promise<OpenedLink>;
  /** Calls a server function by name. Resolves to false if the call failed. */
  call(name: string, body: Record<string, string>): Promise<boolean>;
};

/**
 * Connects this tab for the page's account. Call this function once: every client has its own
 * timers and sockets.
 */
export function connectBackend({
  url,
  key,
  person,
}: {
  url: string;
  key: string;
  person: PagePerson;
}): Backend {
  const client = browserClient(url, key, person);
  const heads = indexedDbHeads();
  const log = supabaseStore(client, () => person.id);
  const { store, ...watch } = watchHistory(log, heads, systemClock);
  const channels = createChannels({
    transport: transportOf(client, systemRandom.uuid(), person),
    topic: store.topic,
    clock: systemClock,
    random: systemRandom,
  });
  // After sleep or a lost network, reconnects at once instead of waiting for the next timer.
  addEventListener("online", channels.wake);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) channels.wake();
  });
  return {
    auth: supabaseAuth(client, {
      origin: location.origin,
      stored: () => storedSession(document.cookie),
      onDoubt: (listener) => person.onDoubt(listener),
    }),
    store: {
      ...store,
      segments: segmentsOver((input, init) => fetch(input, init)),
      appendAtOnce: appendAtOnce({
        url,
        key,
        // The channel's token is the session's. Reading the token does not wait for the auth lock.
        token: () => (holdsSession(document.cookie) ? client.realtime.accessTokenValue : null),
        person: () => person.id,
        // The caller awaits this response when the page resumes, and the response may never arrive.
        send: keepAliveFetch(),
      }),
    },
    channels,
    history: { ...watch, recall: heads.recall },
    rows: client,
    openLink: (link) => openLink(link, passingClient(url, key)),
    async call(name, body) {
      const { error } = await client.functions.invoke(name, { body });
      return error === null;
    },
  };
}

/** Joins as the page's account or, while the page is unclaimed, as the signed-in person. */
function transportOf(client: SupabaseClient, tab: string, person: PagePerson): Transport {
  let userId = "";
  const now = () => realtimeTransport(client, `${userId}:${tab}`);
  return {
    async refresh() {
      const { data } = await client.auth.getSession();
      if (data.session && !maySendFor(person.id, data.session.access_token)) {
        person.doubt();
        throw new StoreFault("the session belongs to another account", 0);
      }
      userId = data.session?.user.id ?? "";
      await now().refresh();
    },
    join: (topic, listener) => now().join(topic, listener),
  };
}
