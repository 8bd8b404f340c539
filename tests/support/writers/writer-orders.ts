import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A message from a test to a writer process. */
export type Order =
  | {
      kind: "open";
      url: string;
      key: string;
      person: { name: string; email: string; password: string };
      documentId: string;
    }
  | { kind: "type"; agent: number }
  | { kind: "look" }
  | { kind: "close" };

export type Seen = {
  kind: "seen";
  label: string;
  version: number;
  text: string;
  replaced: number;
  /** The reasons for the rebuilds, for a failure message. */
  rebuiltFor: readonly string[];
};
/** A writer process's answer. */
export type Report =
  { kind: "opened" } | { kind: "typed" } | Seen | { kind: "failed"; why: string };

const script = fileURLToPath(new URL("./writer-process.ts", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A person who writes in a separate process. */
export class WriterProcess {
  private readonly child: ChildProcess;

  constructor() {
    this.child = fork(script, {
      cwd: root,
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  /** Resolves with the answer of this kind. Rejects if the writer has failed or exited. */
  ask<Kind extends Report["kind"]>(
    order: Order,
    kind: Kind,
  ): Promise<Extract<Report, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        this.child.off("message", hear);
        this.child.off("exit", gone);
        act();
      };
      const hear = (report: Report) => {
        if (report.kind === "failed") settle(() => reject(new Error(report.why)));
        else if (isKind(report, kind)) settle(() => resolve(report));
      };
      const gone = (code: number | null) =>
        settle(() => reject(new Error(`The writer's process ended with ${code}.`)));
      this.child.on("message", hear);
      this.child.once("exit", gone);
      this.child.send(order);
    });
  }

  /** Lets the writer finish its work, and waits for its exit. */
  async close(): Promise<void> {
    if (this.child.exitCode !== null || !this.child.connected) return;
    const ended = new Promise<void>((resolve) => this.child.once("exit", () => resolve()));
    this.child.send({ kind: "close" } satisfies Order);
    await ended;
  }
}

function isKind<Kind extends Report["kind"]>(
  report: Report,
  kind: Kind,
): report is Extract<Report, { kind: Kind }> {
  return report.kind === kind;
}
