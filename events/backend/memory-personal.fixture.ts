import { createClient } from "@supabase/supabase-js";
import { realtime } from "@/supabase/plain-clients";
import type { ChannelListener, Channels } from "@/events/realtime/channel";
import { personalNotice } from "@/events/read-models/personal";
import type { Personal } from "@/events/read-models/personal";
import type { Rows } from "@/events/read-models/rows";

type Args = Readonly<Record<string, unknown>>;

/**
 * One person's data of one workspace in memory, as the database stores it, with the channel of
 * their account.
 */
export class MemoryPersonal {
  readonly workspace: string;
  /** Whether the database refuses: every call then answers false. */
  refuses = false;
  /** Whether the server is unreachable. */
  unreachable = false;
  /** The names of the called functions, in order. */
  readonly calls: string[] = [];
  private kept: Personal = { readAt: "", favourites: [], recents: [], unread: {} };
  private readonly versions = new Map<string, number>();
  private readonly listeners = new Set<ChannelListener>();

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  /** Returns the tables, through a Supabase client. */
  rows(): Rows {
    return createClient("http://memory.test", "key", {
      realtime,
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: {
        fetch: async (input, init) => {
          if (this.unreachable) throw new TypeError("Failed to fetch");
          const url = new URL(input instanceof Request ? input.url : input);
          const body: Args = typeof init?.body === "string" ? JSON.parse(init.body) : {};
          return Response.json(this.answer(url, body));
        },
      },
    });
  }

  readonly channels: Pick<Channels, "subscribe"> = {
    subscribe: (_, listener) => {
      this.listeners.add(listener);
      return {
        state: () => "joined",
        send: () => true,
        track: () => undefined,
        limitHits: () => 0,
        epoch: () => "1",
        close: () => this.listeners.delete(listener),
      };
    },
  };

  /** Joins the channel. A lost channel is joined again. */
  join(): void {
    for (const { state } of this.listeners) state?.("joined");
  }

  private answer(url: URL, args: Args): unknown {
    const name = url.pathname.split("/").at(-1) ?? "";
    this.calls.push(name);
    if (name === "personal_documents")
      return [...this.versions].map(([document_id, seen_version]) => ({
        document_id,
        seen_version,
      }));
    if (name === "read_personal") return this.kept;
    if (this.refuses) return false;
    const document = typeof args["document"] === "string" ? args["document"] : undefined;
    if (name === "mark_seen" && document !== undefined)
      return this.markSeen(document, Number(args["version"]), args["opened"] === true);
    if (name === "mark_all_read") this.kept = { ...this.kept, readAt: String(args["until"]) };
    if (name === "set_favourite" && document !== undefined)
      this.setFavourite(document, args["favourite"] === true, args["place"]);
    this.tell({});
    return true;
  }

  private markSeen(document: string, version: number, opened: boolean): true {
    this.versions.set(document, version);
    if (opened) {
      const others = this.kept.recents.filter((id) => id !== document);
      this.kept = { ...this.kept, recents: [document, ...others] };
    }
    this.tell({ document, version });
    return true;
  }

  private setFavourite(document: string, favourite: boolean, place: unknown): void {
    const favourites = this.kept.favourites.filter((id) => id !== document);
    if (favourite)
      favourites.splice(typeof place === "number" ? place : favourites.length, 0, document);
    this.kept = { ...this.kept, favourites };
  }

  private tell(change: object): void {
    for (const { broadcast } of this.listeners)
      broadcast?.(personalNotice, { workspace: this.workspace, ...change });
  }
}
