import type { MemoryTab } from "@/events/backend/memory-backend.fixture";
import { emptyFold, subjectsOf } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import { aggregates, kindOfType, law } from "../catalog";
import { comment } from "../comment";
import { commentThreadsOf } from "../comment-thread";
import { stream, world } from "../sync/live-world.fixture";
import { thread } from "../thread";
import { ThreadsStore } from "./threads-store";
import type { CommentRows } from "./threads-store";

export const anchor = { start: "AA==", end: "AQ==", quote: "these words" };

/** Returns the phase to which the law (transition table) leads from one that allows the event. */
function phaseAfter(type: string): string {
  const kind = kindOfType(type) ?? "";
  const phases = ["absent", "open", "resolved", "shown", "live"];
  const verdicts = phases.map((phase) => law.judge(kind, phase, type));
  return verdicts.find((verdict) => verdict.ok)?.toPhase ?? "live";
}

/** Creates tabs with one open document and its threads, on a backend in memory. */
export function threadsWorld() {
  const { clock, random, backend, open } = world();
  backend.phaseAfter = phaseAfter;
  const rules = streamRules(aggregates, law, { kind: "document", id: stream });
  /** The ids of comments whose text was redacted. */
  const redacted = new Set<string>();
  /** How often the read models were read, and the delay of their answers in ms. */
  const reading = { count: 0, delay: 0 };

  /** Reads the read models, as a projection of the log. */
  async function read(tab: MemoryTab): Promise<CommentRows> {
    reading.count += 1;
    const rows = await tab.store().read(stream, 0);
    await clock.wait(reading.delay);
    const fold = rows.reduce(rules.fold, emptyFold);
    return {
      threads: subjectsOf(fold, thread).map(({ id, folded: { phase, state } }) => ({
        id,
        phase,
        ...state,
      })),
      comments: subjectsOf(fold, comment).map(({ id, folded: { phase, state } }) => ({
        id,
        phase,
        ...state,
        text: redacted.has(id) ? "" : state.text,
      })),
    };
  }

  /** Opens a tab of `user` whose document is open and whose threads are about to be read. */
  function tabOf(user: string, name = "1") {
    const tab = backend.tab(user, name);
    const live = open(tab);
    const refusals: string[] = [];
    const faults: unknown[] = [];
    const store = new ThreadsStore({
      documentId: stream,
      phase: "live",
      userId: user,
      live,
      clock,
      random,
      onRefused: (sentence) => refusals.push(sentence),
      onFault: (fault) => faults.push(fault),
    });
    const connect = () => store.connect({ store: tab.store(), read: () => read(tab) });
    const disconnect = connect();
    /** Returns the comments' text by thread, or null before they are read. */
    const words = () => {
      const fold = store.fold();
      return fold && commentThreadsOf(fold).map(({ comments }) => comments.map(({ text }) => text));
    };
    const threads = () => commentThreadsOf(store.fold() ?? emptyFold);
    return { tab, live, store, refusals, faults, connect, disconnect, words, threads };
  }
  return { clock, backend, redacted, reading, tabOf };
}
