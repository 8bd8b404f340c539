import type { Proposal } from "@/events/core/envelope";

/**
 * A record that a tab stores until the log has it. An `edit` waits to be put into an event; its
 * `schema` is the text's schema version, absent for the first version. An `event` is a batch that
 * is sent, or about to be, and is resent byte for byte until it is ruled. A `support` is another
 * person's unlogged update that an edit depends on: without the update, the edit could not be
 * applied again. `deferred` holds deletions of structs that may still return. `broken` is any other
 * value found in place of a record.
 */
export type OutboxRecord =
  | { kind: "edit"; key: string; update: Uint8Array; time: number; schema?: number }
  | { kind: "event"; key: string; proposal: Proposal; edits: number }
  | { kind: "support"; key: string; update: Uint8Array }
  | { kind: "deferred"; key: string; update: Uint8Array }
  | { kind: "broken"; key: string; found: unknown };

export type EditRecord = Extract<OutboxRecord, { kind: "edit" }>;

export type OutboxScope = { userId: string; documentId: string };

/** Puts, removes and sets aside records in one step. A record set aside is not sent any more. */
export type OutboxChange = { put?: OutboxRecord[]; remove?: string[]; setAside?: string[] };

/**
 * `changed`: another tab now holds a record for this document, or no longer holds any. `wanted`:
 * another tab shows the document and requests this tab's records. `evicted`: the browser has
 * deleted the box.
 */
export type OutboxNews = "changed" | "wanted" | "evicted";

/** The part of the outbox that one tab owns for one document. */
export type OutboxBox = {
  /** Takes over and returns the leftovers of this person's other tabs. */
  takeOverLeftovers(): Promise<OutboxRecord[]>;
  /** Resolves to the key of the oldest edit for this document in another tab's box, or to null. */
  elsewhere(): Promise<string | null>;
  /** Requests the records of tabs that hold some for this document and do not show it. */
  want(): void;
  /**
   * Subscribes to news of the boxes. If tabs cannot notify each other, `newsWorks` is false and the
   * caller has to poll.
   */
  onNews(listener: (news: OutboxNews) => void): () => void;
  readonly newsWorks: boolean;
  /** Applies a change. Rejects if the device cannot store it, or if the box is closed. */
  write(change: OutboxChange): Promise<void>;
  /** Closes the box, after which another tab may take over its content. */
  close(): Promise<void>;
};

export type Outbox = {
  open(scope: OutboxScope): Promise<OutboxBox>;
  /** Resolves to the documents for which this person's tabs, alive or dead, hold records. */
  documents(userId: string): Promise<string[]>;
  /**
   * Reads all records of this person's tabs, alive or dead, for one document, without moving them.
   */
  peek(scope: OutboxScope): Promise<OutboxRecord[]>;
};

/** Returns the record of an edit in this version of the text's schema. */
export function editRecord(
  { key, update, time }: Pick<EditRecord, "key" | "update" | "time">,
  schema: number,
): EditRecord {
  return { kind: "edit", key, update, time, ...(schema > 1 && { schema }) };
}

/** Whether a record is an edit for the log, and not only a record that accompanies one. */
export function isUnsent({ kind }: OutboxRecord): boolean {
  return kind === "edit" || kind === "event";
}

type MemoryTab = {
  scope: string;
  alive: boolean;
  records: Map<string, OutboxRecord>;
  listeners: Set<(news: OutboxNews) => void>;
};

/**
 * Creates an in-memory outbox. Boxes opened from one `memoryOutbox` find each other as tabs of one
 * browser do.
 */
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
