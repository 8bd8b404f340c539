import type { AuthAnswer, AuthChange, AuthPort, Session } from "@/events/auth/auth";
import type { Proposal, Ruled } from "@/events/core/envelope";
import type { Refusal } from "@/events/log/refusal";
import type { QueuedAuthEvent } from "@/events/auth/queued-auth-event";
import type { AuthEventQueue } from "@/events/device/auth-event-queue";
import { StoreFault } from "@/events/log/store";
import type { Appended, Store } from "@/events/log/store";
import { uuidV5 } from "@/events/core/ids/uuid";

/** The time of the doubles' clock, in ms since the epoch. */
export const when = 1_800_000_000_000;

/** Returns a person whose session expires in ten minutes. */
export function person(name: string): Session {
  const userId = uuidV5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", name);
  return {
    userId,
    email: `${name.toLowerCase()}@example.com`,
    name,
    sessionId: "first",
    issuedAt: when / 1_000,
    expiresAt: when / 1_000 + 600,
    updatedAt: new Date(when).toISOString(),
  };
}

/**
 * An authentication service that gives the configured answer and reports the changes that a test
 * emits.
 */
export class FakeAuth implements AuthPort {
  answer: AuthAnswer = { ok: true, confirm: false };
  refreshes = 0;
  onSignIn = () => {};
  onSignOut = () => {};
  private readonly listeners = new Set<(change: AuthChange) => void>();

  notice(change: AuthChange): void {
    for (const listener of this.listeners) listener(change);
  }
  watch(listener: (change: AuthChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  async signIn(): Promise<AuthAnswer> {
    if (this.answer.ok) this.onSignIn();
    return this.answer;
  }
  async signOut(): Promise<AuthAnswer> {
    if (this.answer.ok) this.onSignOut();
    return this.answer;
  }
  async refresh(): Promise<AuthAnswer> {
    this.refreshes++;
    return this.answer;
  }
  signUp = async () => this.answer;
  sendLink = async () => this.answer;
  verifyCode = async () => this.answer;
  followLink = async () => this.answer;
  sendReset = async () => this.answer;
  change = async () => this.answer;
}

/**
 * A log that keeps order and ids as the database does. It fails, refuses or hangs as configured.
 */
export class MemoryLog implements Pick<Store, "append" | "read"> {
  faults = 0;
  refuse: string | null = null;
  /** The account of the browser's session, or null for the caller's account. */
  session: string | null = null;
  /** A stream that belongs to another person. */
  taken: string | null = null;
  silent = false;
  /** The number of events that were appended more than once. */
  repeated = 0;
  private readonly streams = new Map<string, Proposal[]>();

  stream(id: string): Proposal[] {
    return this.streams.get(id) ?? [];
  }
  all(type: string): Proposal[] {
    return [...this.streams.values()].flat().filter((event) => event.type === type);
  }

  async append(
    stream: string,
    _expected: number | null,
    proposals: Proposal[],
    actor?: string,
  ): Promise<Appended> {
    await this.travel();
    if (this.session !== null && actor !== this.session)
      return { ok: false, refusal: { name: "not-permitted", reason: "other-account", detail: "" } };
    if (stream === this.taken || proposals.some((proposal) => proposal.type === this.refuse)) {
      return { ok: false, refusal: { name: "invalid-event", detail: "" } };
    }
    const events = this.stream(stream);
    const fresh = proposals.filter((proposal) => !events.some((event) => event.id === proposal.id));
    this.repeated += proposals.length - fresh.length;
    this.streams.set(stream, [...events, ...fresh]);
    return { ok: true, rulings: [] };
  }

  async read(stream: string, after: number, max = Infinity): Promise<Ruled[]> {
    await this.travel();
    return this.stream(stream)
      .slice(after, after + max)
      .map((event, index) => ruled(stream, event, after + index + 1));
  }

  private async travel(): Promise<void> {
    if (this.silent) await new Promise(() => {});
    await Promise.resolve();
    if (this.faults > 0) {
      this.faults--;
      throw new StoreFault("connection lost", 0);
    }
  }
}

function ruled(streamId: string, event: Proposal, version: number): Ruled {
  const at = new Date(when).toISOString();
  return {
    id: event.id,
    streamId,
    streamKind: "account",
    workspaceId: null,
    version,
    position: null,
    type: event.type,
    subject: { kind: "account", id: streamId },
    fromPhase: "active",
    toPhase: "active",
    schema: 1,
    actorId: streamId,
    clientIds: [],
    clientTime: at,
    recordedAt: at,
    payloadHash: "",
    hash: "",
    body: event.body,
    bodyText: null,
    salt: null,
    update: null,
  };
}

/** Creates a queue in memory that two tabs of one browser can share. */
export function memoryQueue(): AuthEventQueue {
  const authEvents = new Map<string, QueuedAuthEvent>();
  const refusals = new Map<string, Refusal>();
  const known = new Set<string>();
  const of = (userId: string) =>
    [...authEvents.values()].filter((authEvent) => authEvent.userId === userId);
  return {
    put: (authEvent) => void authEvents.set(authEvent.id, authEvent),
    waiting: (userId) => of(userId).filter(({ id }) => !refusals.has(id)),
    take: (id) => void authEvents.delete(id),
    refuse: (id, refusal) => void refusals.set(id, refusal),
    refused: (userId) =>
      of(userId).flatMap((authEvent) => {
        const refusal = refusals.get(authEvent.id);
        return refusal ? [{ authEvent, refusal }] : [];
      }),
    retry: (userId) => of(userId).forEach(({ id }) => refusals.delete(id)),
    knows: (sessionId) => known.has(sessionId),
    know: (sessionId) => void known.add(sessionId),
  };
}
