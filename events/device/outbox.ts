import { type Proposal } from "@/events/core/envelope";

/**
 * What a tab keeps until the log has it. An `edit` waits to be put into an event, and says the version of the text's
 * schema that it was written in where that is not the first; an `event` is a batch: sent, or about
 * to be, and to be sent again byte for byte until it is ruled; a `support` is somebody else's unlogged update that an
 * edit depends on, without which the edit could not be made again; `deferred` are deletions of what may yet come back.
 * `broken` is whatever else was found where a record should be.
 */
export type OutboxRecord =
  | { kind: "edit"; key: string; update: Uint8Array; time: number; schema?: number }
  | { kind: "event"; key: string; proposal: Proposal; edits: number }
  | { kind: "support"; key: string; update: Uint8Array }
  | { kind: "deferred"; key: string; update: Uint8Array }
  | { kind: "broken"; key: string; found: unknown };

export type EditRecord = Extract<OutboxRecord, { kind: "edit" }>;

export type OutboxScope = { userId: string; documentId: string };

/** Puts, removes, and sets aside (kept on the device, taken by nobody any more) in one step. */
export type OutboxChange = { put?: OutboxRecord[]; remove?: string[]; setAside?: string[] };

/**
 * `changed`: something waits for this document in another tab, or does not any more; `wanted`:
 * another tab shows the document and asks for what this one keeps; `evicted`: the browser has thrown
 * the box away.
 */
export type OutboxNews = "changed" | "wanted" | "evicted";

/** The part of the outbox that one tab owns for one document. */
export type OutboxBox = {
  /** What other tabs of this person left behind; from now on this tab's. */
  takeOverLeftovers(): Promise<OutboxRecord[]>;
  /** The name of the oldest edit that waits for this document in another tab's box; null where none does. */
  elsewhere(): Promise<string | null>;
  /** Asks tabs that keep something for this document, and do not show it, to give it up. */
  want(): void;
  /** Hears what becomes of the boxes; `works` is false where nobody can tell, so that one has to look. */
  onNews(listener: (news: OutboxNews) => void): () => void;
  readonly newsWorks: boolean;
  /** Rejects when the device cannot keep it; a closed box takes nothing. */
  write(change: OutboxChange): Promise<void>;
  /** Gives the box up: what is still in it may be adopted by another tab. */
  close(): Promise<void>;
};

export type Outbox = {
  open(scope: OutboxScope): Promise<OutboxBox>;
  /** The documents for which this person's tabs, living or dead, keep something. */
  documents(userId: string): Promise<string[]>;
  /** Everything that this person's tabs, living or dead, keep for one document; it stays theirs. */
  peek(scope: OutboxScope): Promise<OutboxRecord[]>;
};

/** The record of an edit that is written in this version of the text's schema. */
export function editRecord(
  { key, update, time }: Pick<EditRecord, "key" | "update" | "time">,
  schema: number,
): EditRecord {
  return { kind: "edit", key, update, time, ...(schema > 1 && { schema }) };
}

/** Whether a record is an edit that the log is to hold, and not what merely goes with one. */
export function isUnsent({ kind }: OutboxRecord): boolean {
  return kind === "edit" || kind === "event";
}

type MemoryTab = {
  scope: string;
  alive: boolean;
  records: Map<string, OutboxRecord>;
  listeners: Set<(news: OutboxNews) => void>;
};

/** An outbox in memory. Boxes opened from one `memoryOutbox` find each other as tabs of one browser do. */
export function memoryOutbox(): Outbox & { crash(box: OutboxBox): void } {
  const tabs = new Map<OutboxBox, MemoryTab>();
  const others = (own: MemoryTab) =>
    [...tabs].filter(([, tab]) => tab !== own && tab.scope === own.scope);
  const notify = (own: MemoryTab, news: OutboxNews) =>
    queueMicrotask(() => {
      for (const [, tab] of others(own))
        if (tab.alive) for (const listener of tab.listeners) listener(news);
    });
  return {
    async open({ userId, documentId }) {
      const own: MemoryTab = {
        scope: `${userId}/${documentId}`,
        alive: true,
        records: new Map(),
        listeners: new Set(),
      };
      const waits = () => [...own.records.values()].some(isUnsent);
      const box: OutboxBox = {
        newsWorks: true,
        async takeOverLeftovers() {
          if (!own.alive) return [];
          const found: OutboxRecord[] = [];
          for (const [other, tab] of others(own)) {
            if (tab.alive) continue;
            found.push(...tab.records.values());
            tabs.delete(other);
          }
          for (const record of found) own.records.set(record.key, record);
          return found;
        },
        async elsewhere() {
          const keys = others(own).flatMap(([, { records }]) =>
            [...records.values()].filter(isUnsent).map(({ key }) => key),
          );
          return keys.sort()[0] ?? null;
        },
        want: () => notify(own, "wanted"),
        onNews(listener) {
          own.listeners.add(listener);
          return () => own.listeners.delete(listener);
        },
        async write({ put = [], remove = [], setAside = [] }) {
          if (!own.alive) return;
          const waited = waits();
          for (const key of [...remove, ...setAside]) own.records.delete(key);
          for (const record of put) own.records.set(record.key, record);
          if (waits() !== waited) notify(own, "changed");
        },
        async close() {
          own.alive = false;
          if (own.records.size === 0) tabs.delete(box);
          notify(own, "changed");
        },
      };
      tabs.set(box, own);
      return box;
    },
    async documents(userId) {
      const scopes = [...tabs.values()]
        .filter(({ records }) => records.size > 0)
        .map(({ scope }) => scope);
      return [...new Set(scopes)]
        .filter((scope) => scope.startsWith(`${userId}/`))
        .map((scope) => scope.slice(userId.length + 1));
    },
    async peek({ userId, documentId }) {
      return [...tabs.values()]
        .filter(({ scope }) => scope === `${userId}/${documentId}`)
        .flatMap(({ records }) => [...records.values()]);
    },
    crash(box) {
      const tab = tabs.get(box);
      if (tab) tab.alive = false;
    },
  };
}
