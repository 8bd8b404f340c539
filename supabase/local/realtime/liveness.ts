import type { Clock } from "./clock";

const sweepEvery = 5000;
/** Data must arrive within this time, as on Supabase. realtime-js sends a heartbeat every 25 s. */
const longestSilence = 60_000;
/** A vanished client answers no ping, so its presences are removed within half a minute. */
const longestUnanswered = 22_000;
const pingAfter = 10_000;
/** How long a connection may stay open without joining a topic. */
const longestIdle = 10 * 60_000;

type Peer = { ping(): void; close(): void; cut(): void; idle(): boolean };
export type Watch = { heardData(): void; heardPong(): void; forget(): void };

type Watched = { peer: Peer; dataAt: number; aliveAt: number; usedAt: number };

/** Closes dead or unused connections, with one timer for all of them. */
export class Liveness {
  private readonly clock: Clock;
  private readonly watched = new Set<Watched>();
  private cancel: () => void;

  constructor(clock: Clock) {
    this.clock = clock;
    this.cancel = clock.after(sweepEvery, () => this.sweep());
  }

  watch(peer: Peer): Watch {
    const now = this.clock.now();
    const watched: Watched = { peer, dataAt: now, aliveAt: now, usedAt: now };
    this.watched.add(watched);
    return {
      heardData: () => {
        watched.dataAt = watched.aliveAt = this.clock.now();
      },
      heardPong: () => {
        watched.aliveAt = this.clock.now();
      },
      forget: () => void this.watched.delete(watched),
    };
  }

  stop(): void {
    this.cancel();
  }

  private sweep(): void {
    const now = this.clock.now();
    for (const watched of this.watched) {
      if (!watched.peer.idle()) watched.usedAt = now;
      if (now - watched.dataAt >= longestSilence || now - watched.aliveAt >= longestUnanswered)
        watched.peer.cut();
      else if (now - watched.usedAt >= longestIdle) watched.peer.close();
      else if (now - watched.aliveAt >= pingAfter) watched.peer.ping();
    }
    this.cancel = this.clock.after(sweepEvery, () => this.sweep());
  }
}
