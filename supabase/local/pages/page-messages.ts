import type { LogLevel } from "../operations/log";

/** What the process that renders pages is started with. */
export type PageStart = {
  root: string;
  port: number;
  warmUp: boolean;
  /** Where it listens. */
  socket: string;
  /** What each request to it brings. */
  secret: string;
};

/** What the main process says to the process that renders pages. */
export type PageOrder =
  | ({ kind: "start" } & PageStart)
  | { kind: "session"; call: number; holds: boolean | null }
  | { kind: "metrics"; call: number }
  | { kind: "ping" }
  | { kind: "close" };

/** What the process that renders pages says to the main process. */
export type PageReport =
  | { kind: "ready" }
  | { kind: "line"; message: string; fields: { level?: LogLevel; part?: string; request?: string } }
  | { kind: "session"; call: number; session: string }
  | { kind: "metrics"; call: number; text: string }
  | { kind: "pong" };

/** Questions to another process whose answers are told apart by their number. */
export class Questions<Answer> {
  readonly #open = new Map<number, (answer: Answer | null) => void>();
  #last = 0;

  /** Asks by `send`; null where the other process has ended. */
  ask(send: (call: number) => void): Promise<Answer | null> {
    const call = (this.#last += 1);
    return new Promise((settle) => {
      this.#open.set(call, settle);
      send(call);
    });
  }

  answered(call: number, answer: Answer | null): void {
    this.#open.get(call)?.(answer);
    this.#open.delete(call);
  }

  /** No further answer comes. */
  close(): void {
    for (const settle of this.#open.values()) settle(null);
    this.#open.clear();
  }
}
