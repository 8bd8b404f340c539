import type { LogLevel } from "../operations/log";

/** The options of the page process. */
export type PageStart = {
  root: string;
  port: number;
  warmUp: boolean;
  /** The socket that the page process listens on. */
  socket: string;
  /** The secret that every request to the page process carries. */
  secret: string;
};

/** A message from the main process to the page process. */
export type PageOrder =
  | ({ kind: "start" } & PageStart)
  | { kind: "session"; call: number; holds: boolean | null }
  | { kind: "metrics"; call: number }
  | { kind: "ping" }
  | { kind: "close" };

/** A message from the page process to the main process. */
export type PageReport =
  | { kind: "ready" }
  | { kind: "line"; message: string; fields: { level?: LogLevel; part?: string; request?: string } }
  | { kind: "session"; call: number; session: string }
  | { kind: "metrics"; call: number; text: string }
  | { kind: "pong" };

/** Pending requests to another process, matched to responses by number. */
export class Questions<Answer> {
  private readonly open = new Map<number, (answer: Answer | null) => void>();
  private last = 0;

  /** Sends a request with `send`; resolves to null if the other process has exited. */
  ask(send: (call: number) => void): Promise<Answer | null> {
    const call = (this.last += 1);
    return new Promise((settle) => {
      this.open.set(call, settle);
      send(call);
    });
  }

  answered(call: number, answer: Answer | null): void {
    this.open.get(call)?.(answer);
    this.open.delete(call);
  }

  /** Ends all pending requests: no more responses will arrive. */
  close(): void {
    for (const settle of this.open.values()) settle(null);
    this.open.clear();
  }
}
