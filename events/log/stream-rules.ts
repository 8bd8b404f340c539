import type { Aggregate, Evolving } from "./aggregate";
import { bodyFields } from "@/events/core/envelope";
import type { RawProposal, Subject } from "@/events/core/envelope";
import type { TypedEvent } from "@/events/core/event-types";
import type { Law } from "./law";
import type { Rules } from "./log-merge";
import { foldEvent, phaseOf } from "./stream-fold";
import type { StreamFold } from "./stream-fold";

/**
 * An event that this client has proposed and the server has not ruled yet. `time` is the client's,
 * in ISO 8601. Events of one `batch` are sent together and recorded all or none.
 */
export type OptimisticEvent = RawOptimisticEvent & TypedEvent;

/** An optimistic event of any type: the law also judges types that this version does not know. */
export type RawOptimisticEvent = Pick<RawProposal, "id" | "type" | "body" | "replaces"> & {
  subject: Subject;
  actorId: string;
  time: string;
  batch?: string;
};

/**
 * Creates the law and the fold of one stream from the aggregates that may be part of it. `stream`
 * is the stream's own subject.
 */
export function streamRules(
  aggregates: readonly Aggregate[],
  law: Law,
  stream: Subject,
): Rules<StreamFold, RawOptimisticEvent, Evolving> {
  const hosts = aggregates.find(({ kind }) => kind === stream.kind)?.hosts ?? [];
  const own = (subject: Subject) => subject.kind === stream.kind && subject.id === stream.id;
  const isHosted = (fold: StreamFold, { type, subject, body }: RawOptimisticEvent) => {
    if (own(subject)) return true;
    if (!hosts.includes(phaseOf(fold, stream))) return false;
    const host = aggregates.find(({ kind }) => kind === subject.kind)?.host;
    if (!host || host.event !== type) return true;
    const id = bodyFields(body)[host.key];
    const inside = aggregates.find(({ kind }) => kind === host.kind)?.hosts ?? [];
    return typeof id === "string" && inside.includes(phaseOf(fold, { kind: host.kind, id }));
  };
  return {
    judge(fold, optimistic) {
      const { type, subject } = optimistic;
      const phase = phaseOf(fold, subject);
      const verdict = law.judge(subject.kind, phase, type);
      const hosted = isHosted(fold, optimistic);
      if (verdict.ok && hosted) return { ok: true, toPhase: verdict.toPhase };
      return {
        ok: false,
        refusal: {
          name: "illegal-transition",
          detail: `${type} while ${hosted ? phase : "its host is away"}`,
        },
      };
    },
    optimistic: (fold, { id, type, body, subject, actorId, time }, toPhase) =>
      foldEvent(aggregates, fold, {
        id,
        type,
        body,
        subject,
        actorId,
        toPhase,
        streamId: stream.id,
        recordedAt: time,
        version: fold.version + 1,
      }),
    fold: (fold, event) => foldEvent(aggregates, fold, event),
  };
}
