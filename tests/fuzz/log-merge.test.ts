import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "@/events/core/cases.fixture";
import { hasGap, merge, startLog } from "@/events/log/log-merge";
import type { Change, StreamLog, Rules } from "@/events/log/log-merge";

type Subject = { kind: string; id: string };
type Event = { id: string; type: string; subject: Subject };
type Ruling = Event & { version: number; toPhase: string };
type State = { applied: readonly string[]; phases: Readonly<Record<string, string>> };
type Log = StreamLog<State, Event>;

const page: Subject = { kind: "page", id: "p" };
const subjects: Subject[] = [page, { kind: "note", id: "a" }, { kind: "note", id: "b" }];
const key = ({ kind, id }: Subject) => `${kind}:${id}`;

/**
 * A law (transition table) with two kinds, a host, and final phases, so that proposals can become
 * illegal.
 */
const law: Record<string, Record<string, string>> = {
  "page absent": { "page.begun": "live" },
  "page live": { "page.renamed": "live", "page.trashed": "trashed" },
  "page trashed": { "page.restored": "live" },
  "note absent": { "note.opened": "open" },
  "note open": { "note.answered": "open", "note.resolved": "resolved" },
  "note resolved": { "note.reopened": "open", "note.struck": "struck" },
};
const types = [...new Set(Object.values(law).flatMap((row) => Object.keys(row)))];
const illegal = { name: "illegal-transition", detail: "" } as const;

/** The phase that an event leads to, or undefined; used by the clients and the server alike. */
const ask = (phases: State["phases"], { type, subject }: Omit<Event, "id">) =>
  subject.kind === "note" && phases[key(page)] !== "live"
    ? undefined
    : law[`${subject.kind} ${phases[key(subject)] ?? "absent"}`]?.[type];

/**
 * The fold records its input, so that an event folded twice, skipped or out of order is noticed.
 */
const apply = (state: State, event: Event, to: string): State => ({
  applied: [...state.applied, `${event.id}>${to}`],
  phases: { ...state.phases, [key(event.subject)]: to },
});
const nothing: State = { applied: [], phases: {} };
const foldAll = (events: readonly Ruling[]) =>
  events.reduce((state, event) => apply(state, event, event.toPhase), nothing);

const rules: Rules<State, Event, Ruling> = {
  judge: ({ phases }, event) => {
    const toPhase = ask(phases, event);
    return toPhase ? { ok: true, toPhase } : { ok: false, refusal: illegal };
  },
  optimistic: apply,
  fold: (state, event) => apply(state, event, event.toPhase),
};

const people = [0, 1, 2] as const;
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("propose"),
      who: fc.nat(2),
      subject: fc.nat(2),
      pick: fc.nat(40),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("send"),
      who: fc.nat(2),
      subject: fc.nat(2),
      pick: fc.nat(3),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("deliver"),
      who: fc.nat(2),
      subject: fc.nat(2),
      pick: fc.nat(40),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("repeat"),
      who: fc.nat(2),
      subject: fc.nat(2),
      pick: fc.nat(40),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("lose"),
      who: fc.nat(2),
      subject: fc.nat(2),
      pick: fc.nat(40),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("project"),
      who: fc.nat(2),
      subject: fc.nat(2),
      pick: fc.nat(40),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("catch up"),
      who: fc.nat(2),
      subject: fc.nat(2),
      pick: fc.nat(40),
    }),
  },
);

it(
  "[MERGE-1] [MERGE-2] [MERGE-3] [MERGE-4] every client is a true prefix plus legal " +
    "optimistic events, and ends like the server",
  () => {
    const happened = {
      proposed: 0,
      stored: 0,
      gaps: 0,
      duplicates: 0,
      stale: 0,
      refused: 0,
      overtaken: 0,
      projected: 0,
    };

    const run = (steps: { do: string; who: number; subject: number; pick: number }[]) => {
      const server: Ruling[] = [];
      const logs: Log[] = people.map(() => startLog(0, nothing));
      const wire: Ruling[][] = people.map(() => []);
      const made: Event[][] = people.map(() => []);
      const refusedByServer = new Set<string>();

      const change = (who: number, next: Change<State, Event, Ruling>) => {
        const before = logs[who]!;
        const after = merge(before, next, rules);
        expect(after.version).toBeGreaterThanOrEqual(before.version);
        expect(after.heard).toBeGreaterThanOrEqual(before.heard);
        if (next.type === "ruled" && next.event.version > before.version + 1) {
          expect(hasGap(after)).toBe(true);
          happened.gaps++;
        }
        if (next.type === "ruled" && next.event.version <= before.version) happened.stale++;
        const dropped = before.pending.filter(({ proposal }) =>
          after.dropped.some((each) => each.proposal.id === proposal.id),
        );
        if (next.type === "ruled") happened.overtaken += dropped.length;
        logs[who] = after;
      };
      const catchUp = (who: number) => {
        for (const event of server.slice(logs[who]!.version)) change(who, { type: "ruled", event });
      };
      const send = (who: number, at: number) => {
        const proposal = logs[who]!.pending[at]?.proposal;
        if (!proposal) return;
        const known = server.find((event) => event.id === proposal.id);
        if (known) {
          happened.duplicates++;
          change(who, { type: "ruled", event: known });
          return;
        }
        const toPhase = ask(foldAll(server).phases, proposal);
        if (!toPhase) {
          happened.refused++;
          refusedByServer.add(proposal.id);
          change(who, { type: "refused", id: proposal.id, refusal: illegal });
          change(who, { type: "refused", id: proposal.id, refusal: illegal });
          return;
        }
        const ruling = { ...proposal, version: server.length + 1, toPhase };
        server.push(ruling);
        for (const other of people) wire[other]!.push(ruling);
      };

      const unheard = ({ pending, dropped }: Log) =>
        [...pending, ...dropped].every(
          ({ proposal }) => !server.some((ruled) => ruled.id === proposal.id),
        );

      const steady = () => {
        for (const who of people) {
          const log = logs[who]!;
          const prefix = server.slice(0, log.version);
          expect(log.state).toEqual(foldAll(prefix));
          let view = log.state;
          for (const { proposal, toPhase } of log.pending) {
            expect(ask(view.phases, proposal)).toBe(toPhase);
            view = apply(view, proposal, toPhase);
          }
          expect(log.view).toEqual(view);
          const ruled = new Set(prefix.map((event) => event.id));
          for (const event of made[who]!) {
            const ends = [
              ruled.has(event.id),
              log.pending.some((each) => each.proposal.id === event.id),
              log.dropped.some((each) => each.proposal.id === event.id),
            ];
            expect(ends.filter(Boolean)).toHaveLength(1);
          }
          expect(new Set(log.dropped.map((each) => each.proposal.id)).size).toBe(
            log.dropped.length,
          );
        }
      };

      for (const each of steps) {
        const { who } = each;
        const queue = wire[who]!;
        const at = each.pick % Math.max(1, queue.length);
        if (each.do === "propose") {
          const subject = subjects[each.subject]!;
          const legal = types.filter((type) => ask(logs[who]!.view.phases, { type, subject }));
          const choice = each.pick % 8 === 0 || legal.length === 0 ? types : legal;
          const event = {
            id: `${who}-${made[who]!.length}`,
            type: choice[each.pick % choice.length]!,
            subject,
          };
          made[who]!.push(event);
          happened.proposed++;
          change(who, { type: "proposed", proposal: event });
          change(who, { type: "proposed", proposal: event });
        }
        if (each.do === "send") send(who, each.pick % 8 === 0 ? 1 : 0);
        if (each.do === "deliver" && queue[at])
          change(who, { type: "ruled", event: queue.splice(at, 1)[0]! });
        if (each.do === "repeat" && queue[at]) change(who, { type: "ruled", event: queue[at] });
        if (each.do === "lose") queue.splice(at, 1);
        if (each.do === "catch up") catchUp(who);
        if (each.do === "project" && unheard(logs[who]!)) {
          const version = each.pick % (server.length + 1);
          const prefix = server.slice(0, version);
          if (version > logs[who]!.version) happened.projected++;
          change(who, { type: "projected", version, state: foldAll(prefix) });
        }
        steady();
      }
      for (
        let round = 0;
        round < 400 && logs.some((log) => log.pending.length || log.version < server.length);
        round++
      ) {
        for (const who of people) {
          catchUp(who);
          send(who, 0);
        }
      }
      steady();
      for (const who of people) {
        const log = logs[who]!;
        expect(log.version).toBe(server.length);
        expect(hasGap(log)).toBe(false);
        expect(log.pending).toEqual([]);
        const stored = new Set(server.map((event) => event.id));
        for (const event of made[who]!)
          expect(stored.has(event.id)).toBe(
            !log.dropped.some((each) => each.proposal.id === event.id),
          );
        for (const id of refusedByServer) expect(stored.has(id)).toBe(false);
      }
      happened.stored += server.length;
    };

    fc.assert(fc.property(fc.array(step, { minLength: 60, maxLength: 160, size: "max" }), run), {
      numRuns: cases(150),
    });
    expect(Math.min(...Object.values(happened)), JSON.stringify(happened)).toBeGreaterThan(
      cases(50),
    );
  },
);
