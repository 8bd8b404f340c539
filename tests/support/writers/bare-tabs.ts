import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { supabaseStore } from "@/events/log/store";
import type { Person } from "./people";

/** The reconnect delays of realtime-js, in ms. */
const rests = [1_000, 2_000, 5_000, 10_000];

/**
 * A tab's traffic without its page, since one process cannot run hundreds of pages. The tab joins
 * the document's channel, publishes presence, reads the log, and starts over when its socket
 * closes.
 */
export class BareTab {
  /** The version read since the last join. Null while the tab is not joined. */
  version: number | null = null;
  private readonly person: Person;
  private readonly documentId: string;
  private readonly address: string;
  private socket: WebSocket | null = null;
  private isClosed = false;
  private failures = 0;

  constructor(url: string, key: string, person: Person, documentId: string) {
    this.address = `${url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0&apikey=${key}`;
    this.person = person;
    this.documentId = documentId;
    void this.stay();
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  private async stay(): Promise<void> {
    while (!this.isClosed) {
      await this.visit().catch(() => undefined);
      this.version = null;
      if (this.isClosed) return;
      await delay((rests[Math.min(this.failures, rests.length - 1)] ?? 0) * (0.5 + Math.random()));
      this.failures += 1;
    }
  }

  /** Opens a socket, and resolves when the socket closes. */
  private async visit(): Promise<void> {
    const store = supabaseStore(this.person.client);
    const topic = `realtime:${await store.topic(this.documentId)}`;
    const access_token = await this.person.accessToken();
    const socket = new WebSocket(this.address);
    this.socket = socket;
    const gone = new Promise<void>((settle) => {
      socket.once("close", () => settle());
      socket.once("error", () => settle());
    });
    const say = (event: string, payload: object) =>
      socket.send(JSON.stringify(["1", event, topic, event, payload]));
    socket.once("open", () =>
      say("phx_join", { config: { private: true, presence: { enabled: true } }, access_token }),
    );
    socket.on("message", (data) => {
      const text = String(data).slice(0, 200);
      const isJoined = text.startsWith('["1","phx_join"') && text.includes('"status":"ok"');
      if (isJoined) {
        this.failures = 0;
        say("presence", { type: "presence", event: "track", payload: { at: this.documentId } });
      }
      if (isJoined || text.includes('"log"')) void this.read(store);
    });
    await gone;
  }

  private async read(store: ReturnType<typeof supabaseStore>): Promise<void> {
    const rows = await store.read(this.documentId, this.version ?? 0).catch(() => null);
    // Without an answer, the next notice or visit reads again.
    if (rows === null) this.socket?.close();
    else this.version = Math.max(this.version ?? 0, rows.at(-1)?.version ?? 0);
  }
}
