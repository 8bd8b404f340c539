import type {
  Channels,
  PresenceEntry,
  Transport,
  TransportListener,
} from "@/events/realtime/channel";
import { createChannels } from "@/events/realtime/channel-hub";
import type { Clock, Random } from "@/events/core/clock";
import type { Proposal, Ruled } from "@/events/core/envelope";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";

/** Faults between a tab and the backend, as probabilities per message or call. */
export type Weather = {
  dropBroadcast: number;
  duplicateBroadcast: number;
  /** The longest delay of a broadcast in milliseconds. Delays change the order of broadcasts. */
  lateBroadcast: number;
  latency: number;
  failCall: number;
  /** The probability that an append is committed and its answer is lost. */
  loseAnswer: number;
};

const fairWeather: Weather = {
  dropBroadcast: 0,
  duplicateBroadcast: 0,
  lateBroadcast: 0,
  latency: 2,
  failCall: 0,
  loseAnswer: 0,
};

type Joined = {
  topic: string;
  tab: MemoryTab;
  listener: TransportListener;
  presence: Record<string, unknown> | null;
  /** Whether the tab may send, as checked at its first message. Null before that message. */
  speaks: boolean | null;
};

/**
 * The log and the live channels in memory, with those rules of the database that live editing
 * depends on.
 */
export class MemoryBackend {
  weather: Weather = { ...fairWeather };
  /** Whether no client can join a channel. */
  deaf = false;
  /** Whether the server is down: it answers no request and has no connections. */
  stopped = false;
  /** Whether the document is in the trash. */
  trashed = false;
  /** Returns the phase that an event leads to. A text has only one phase. */
  phaseAfter: (type: string) => string = () => "live";
  /** Whether a broadcast from one tab reaches another. */
  reaches: (from: MemoryTab, to: MemoryTab) => boolean = () => true;
  readonly happened = {
    dropped: 0,
    duplicated: 0,
    late: 0,
    failed: 0,
    answersLost: 0,
    refused: 0,
    repeated: 0,
    moved: 0,
  };
  private readonly rows = new Map<string, Ruled[]>();
  private readonly clients = new Map<string, string>();
  private readonly roles = new Map<string, "editor" | "viewer">();
  private readonly joined = new Set<Joined>();
  private epoch = 0;
  readonly clock: Clock;
  readonly random: Random;

  constructor(clock: Clock, random: Random) {
    this.clock = clock;
    this.random = random;
  }

  allow(user: string, role: "editor" | "viewer" | null): void {
    const before = this.roles.get(user);
    if (role) this.roles.set(user, role);
    else this.roles.delete(user);
    if (before === "editor" && role !== "editor") this.move();
    else if (before === "viewer" && role === null) this.move();
  }

  roleOf(user: string): "editor" | "viewer" | null {
    return this.roles.get(user) ?? null;
  }

  /** Stops the server with all its connections. Pending answers are lost; commits are not. */
  stop(): void {
    this.stopped = true;
    for (const { tab } of [...this.joined]) this.cut(tab);
  }

  visible(user: string, stream: string): Ruled[] {
    return this.roles.has(user) ? this.log(stream) : [];
  }

  log(stream: string): Ruled[] {
    return this.rows.get(stream) ?? [];
  }

  /**
   * Restores a backup made when the stream had `version` events. Every connection breaks, unless
   * `quietly` is set.
   */
  putBack(stream: string, version: number, { quietly = false } = {}): void {
    this.rows.set(stream, this.log(stream).slice(0, version));
    this.clients.clear();
    for (const { clientIds, actorId } of this.log(stream))
      for (const client of clientIds) this.clients.set(`${stream}/${client}`, actorId);
    if (!quietly) for (const { tab } of [...this.joined]) this.cut(tab);
  }

  tab(user: string, name: string): MemoryTab {
    return new MemoryTab(this, user, name);
  }

  topic(user: string, stream: string): string | null {
    return this.roles.has(user) ? `document:${stream}:${this.epoch}` : null;
  }

  append(
    user: string,
    stream: string,
    proposals: Proposal[],
  ): Awaited<ReturnType<Store["append"]>> {
    if (this.roles.get(user) !== "editor") return this.refuse("right-missing", "an editor may");
    if (this.trashed) {
      this.happened.refused += 1;
      const detail = "it lies in the trash";
      return { ok: false, refusal: { name: "illegal-transition", reason: "phase", detail } };
    }
    const log = this.rows.get(stream) ?? [];
    const known = proposals.map(({ id }) => log.find((row) => row.id === id));
    for (const { clientIds = [] } of proposals) {
      for (const client of clientIds) {
        const owner = this.clients.get(`${stream}/${client}`);
        if (owner !== undefined && owner !== user)
          return this.refuse("client-id-taken", "a client id belongs to somebody else");
      }
    }
    const rows = proposals.map((proposal, index) => {
      const before = known[index];
      if (before) {
        this.happened.repeated += 1;
        return before;
      }
      const row = this.row(user, stream, log.length + 1, proposal);
      log.push(row);
      return row;
    });
    this.rows.set(stream, log);
    const last = rows.at(-1);
    if (last)
      this.broadcast(null, `document:${stream}:${this.epoch}`, "log", {
        stream,
        version: last.version,
        ids: rows.map(({ id }) => id),
      });
    return {
      ok: true,
      rulings: rows.map(({ id, version, hash, recordedAt, toPhase }) => ({
        id,
        version,
        hash,
        recordedAt,
        toPhase,
      })),
    };
  }

  join(tab: MemoryTab, topic: string, listener: TransportListener): Joined {
    const joined = { topic, tab, listener, presence: null, speaks: null };
    this.clock.after(this.weather.latency, () => {
      if (
        this.deaf ||
        this.stopped ||
        tab.offline ||
        topic !== this.topic(tab.user, topic.split(":")[1] ?? "")
      )
        listener.lost({ text: "refused", limited: false });
      else {
        this.joined.add(joined);
        listener.joined();
        this.sendPresence(topic);
      }
    });
    return joined;
  }

  leave(joined: Joined): void {
    if (this.joined.delete(joined)) this.sendPresence(joined.topic);
  }

  cut(tab: MemoryTab): void {
    for (const one of [...this.joined]) {
      if (one.tab !== tab) continue;
      this.leave(one);
      one.listener.lost({ text: "cut", limited: false });
    }
  }

  broadcast(from: Joined | null, topic: string, event: string, payload: unknown): void {
    if (from) {
      if (!this.joined.has(from)) return;
      // Realtime also checks the right to send once per connection and caches the result.
      from.speaks ??= this.roles.get(from.tab.user) === "editor" && topic === this.topicNow(topic);
      if (!from.speaks) return;
    }
    for (const to of [...this.joined]) {
      if (to === from || to.topic !== topic) continue;
      if (from && !this.reaches(from.tab, to.tab)) continue;
      const copies = this.count("duplicated", this.weather.duplicateBroadcast) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        if (this.count("dropped", this.weather.dropBroadcast)) continue;
        const late = Math.floor(this.random.unit() * this.weather.lateBroadcast);
        if (late > 0) this.happened.late += 1;
        this.clock.after(this.weather.latency + late, () => {
          if (this.joined.has(to)) to.listener.broadcast(event, structuredClone(payload));
        });
      }
    }
  }

  sendPresence(topic: string): void {
    const here = [...this.joined].filter((one) => one.topic === topic);
    const entries: PresenceEntry[] = here.flatMap(({ tab, presence }) =>
      presence ? [{ key: `${tab.user}:${tab.name}`, payload: presence }] : [],
    );
    for (const { listener } of here) listener.presence(entries);
  }

  count(what: "dropped" | "duplicated" | "failed" | "answersLost", probability: number): boolean {
    if (this.random.unit() >= probability) return false;
    this.happened[what] += 1;
    return true;
  }

  /** Announces the new topic on the old topics, which receive nothing else from the server. */
  private move(): void {
    this.epoch += 1;
    this.happened.moved += 1;
    for (const one of [...this.joined])
      this.clock.after(this.weather.latency, () => {
        if (this.joined.has(one)) one.listener.broadcast("moved", {});
      });
  }

  private topicNow(topic: string): string {
    return `${topic.slice(0, topic.lastIndexOf(":"))}:${this.epoch}`;
  }

  private refuse(reason: "client-id-taken" | "right-missing", detail: string) {
    this.happened.refused += 1;
    return { ok: false as const, refusal: { name: "not-permitted" as const, reason, detail } };
  }

  private row(user: string, stream: string, version: number, proposal: Proposal): Ruled {
    const bound = (proposal.clientIds ?? []).filter(
      (client) => !this.clients.has(`${stream}/${client}`),
    );
    for (const client of bound) this.clients.set(`${stream}/${client}`, user);
    return {
      id: proposal.id,
      streamId: stream,
      streamKind: "document",
      workspaceId: null,
      version,
      position: version,
      type: proposal.type,
      subject: proposal.subject ?? { kind: "document", id: stream },
      fromPhase: "live",
      toPhase: this.phaseAfter(proposal.type),
      schema: proposal.schema ?? 1,
      actorId: user,
      clientIds: bound,
      clientTime: proposal.clientTime ?? new Date(this.clock.now()).toISOString(),
      recordedAt: new Date(this.clock.now()).toISOString(),
      payloadHash: "",
      hash: proposal.id.replaceAll("-", ""),
      body: proposal.body,
      bodyText: "{}",
      salt: null,
      update: proposal.update ? proposal.update.slice() : null,
    };
  }
}

/** One browser tab as the backend sees it: its identity and its connection. */
export class MemoryTab {
  offline = false;
  signedOut = false;
  readonly backend: MemoryBackend;
  readonly user: string;
  readonly name: string;
  /** The account of the browser's session, which another tab may replace. */
  session: string;

  constructor(backend: MemoryBackend, user: string, name: string) {
    this.backend = backend;
    this.user = user;
    this.name = name;
    this.session = user;
  }

  setOffline(offline: boolean): void {
    this.offline = offline;
    if (offline) this.backend.cut(this);
  }

  store(): Store {
    const { backend, user } = this;
    return {
      append: async (stream, _expected, proposals, actor) => {
        await this.travel();
        // The database also refuses a token whose account differs from the page's.
        if (actor !== undefined && actor !== this.session)
          return {
            ok: false,
            refusal: { name: "not-permitted", reason: "other-account", detail: "" },
          };
        const answer = backend.append(
          this.session,
          stream,
          proposals.map((proposal) => ({ ...proposal })),
        );
        if (backend.count("answersLost", backend.weather.loseAnswer))
          throw new StoreFault("no answer", 0);
        await this.travel();
        return answer;
      },
      read: async (stream, after, max = Infinity) => {
        await this.travel();
        if (this.session !== user) throw new StoreFault("not-permitted", 403);
        const rows = backend
          .visible(user, stream)
          .filter(({ version }) => version > after)
          .slice(0, max);
        await this.travel();
        return rows;
      },
      feed: () => Promise.resolve([]),
      topic: async (stream) => {
        await this.travel();
        return backend.topic(user, stream);
      },
    };
  }

  transport(): Transport {
    return {
      refresh: () => Promise.resolve(),
      join: (topic, listener) => {
        const joined = this.backend.join(this, topic, listener);
        return {
          send: (event, payload) => this.backend.broadcast(joined, topic, event, payload),
          track: (payload) => {
            joined.presence = payload;
            this.backend.sendPresence(topic);
          },
          close: async () => this.backend.leave(joined),
        };
      },
    };
  }

  channels(): Channels {
    const { clock, random } = this.backend;
    return createChannels({
      transport: this.transport(),
      topic: (stream) => this.store().topic(stream),
      clock,
      random,
    });
  }

  private async travel(): Promise<void> {
    const { backend } = this;
    await new Promise<void>((resolve) =>
      backend.clock.after(backend.weather.latency * (0.5 + backend.random.unit()), resolve),
    );
    if (backend.stopped) throw new StoreFault("bad gateway", 502);
    if (this.signedOut) throw new StoreFault("signed out", 401);

    if (this.offline || backend.count("failed", backend.weather.failCall))
      throw new StoreFault("no network", 0);
  }
}
