import type { RealtimeChannel, SupabaseClient } from "@supabase/supabase-js";
import type { PresenceEntry, Transport, TransportListener } from "./channel";

/** Joins private channels of a Supabase project. `presenceKey` is `<user id>:<tab>`. */
export function realtimeTransport(client: SupabaseClient, presenceKey: string): Transport {
  return {
    async refresh() {
      // Reading the session refreshes an expired token. Without setAuth, the first join would be
      // anonymous.
      await client.auth.getSession();
      await client.realtime.setAuth();
    },
    join(topic, listener) {
      const channel = client.channel(topic, {
        config: {
          private: true,
          // No broadcast requests an acknowledgement, since none is needed: the log's notice
          // confirms the edit.
          broadcast: { ack: false, self: false },
          presence: { key: presenceKey, enabled: true },
        },
      });
      listen(channel, listener);
      const joined = () => channel.state === "joined" && client.realtime.isConnected();
      return {
        send(event, payload) {
          // supabase-js would turn a send on an unjoined channel into an HTTP request.
          if (joined()) void channel.send({ type: "broadcast", event, payload });
        },
        track(payload) {
          if (joined()) void channel.track(payload);
        },
        async close() {
          await client.removeChannel(channel);
        },
      };
    },
  };
}

function listen(channel: RealtimeChannel, listener: TransportListener): void {
  let lost = false;
  let limited = false;
  let reason = "";
  const lose = (text: string) => {
    if (lost) return;
    lost = true;
    listener.lost({ text, limited });
  };
  channel
    .on("broadcast", { event: "*" }, (message: { event: string; payload?: unknown }) => {
      listener.broadcast(message.event, message.payload);
    })
    .on("presence", { event: "sync" }, () => listener.presence(entriesOf(channel.presenceState())))
    .on("system", {}, (message: { status?: string; message?: string }) => {
      if (message.status !== "error") return;
      reason = message.message ?? "";
      limited = /too many (presence )?messages|rate limit/i.test(reason);
    })
    .subscribe((status, error) => {
      if (status === "SUBSCRIBED") listener.joined();
      else lose(reason || (error?.message ?? status));
    });
}

function entriesOf(state: Record<string, object[]>): PresenceEntry[] {
  return Object.entries(state).flatMap(([key, metas]) =>
    metas.map((payload) => ({ key, payload })),
  );
}
