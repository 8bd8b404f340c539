import { applyUpdate } from "yjs";
import type { TypedEvent } from "@/events/core/event-types";
import type { Edit } from "@/events/crdt/payload/payload";
import { actsOf } from "./demo-acts";
import type { Act, DemoSubject } from "./demo-acts";
import type { DemoPerson, DemoScene } from "./demo-steps";
import { DemoWriter } from "./demo-writer";

/** One event of the demo: its author, its time in ms after the start, and its edits. */
export type DemoEvent = TypedEvent & {
  who: DemoPerson;
  at: number;
  edits: Edit[];
  clientIds: number[];
  about?: DemoSubject;
};

const people: DemoPerson[] = ["ana", "ben"];
const flushAfter = 900;
const origin = "heard";

/**
 * Plays the scenes for both writers and collects the events. Each writer receives the other's edits
 * once those are appended.
 */
export class DemoStage {
  readonly events: DemoEvent[] = [];
  private now = 0;
  private readonly writers: Record<DemoPerson, DemoWriter>;
  private readonly waiting: Record<DemoPerson, Edit[]> = { ana: [], ben: [] };
  private readonly bound = new Set<DemoPerson>();

  private readonly clientIds: Record<DemoPerson, number>;
  private readonly created: number;

  /** `base` is the document's initial state, and `created` the number of its events. */
  constructor(
    clientIds: Record<DemoPerson, number>,
    base: readonly Uint8Array[] = [],
    created = 1,
  ) {
    this.clientIds = clientIds;
    this.created = created;
    this.writers = { ana: new DemoWriter(clientIds.ana), ben: new DemoWriter(clientIds.ben) };
    for (const who of people) {
      for (const update of base) applyUpdate(this.writers[who].doc, update, origin);
      this.writers[who].doc.on("update", (update: Uint8Array, from: unknown) => {
        if (from !== origin) this.waiting[who].push({ update, time: this.now });
      });
    }
  }

  /** Opens the first block. */
  begin(who: DemoPerson): void {
    this.writers[who].open("paragraph");
    this.flush(who);
  }

  play({ later = 0, ...scene }: DemoScene, random: () => number): void {
    this.now += later * 3_600_000;
    const queues = people.map((who) => ({
      who,
      at: this.now,
      acts: (scene[who] ?? []).flatMap((step) => actsOf(step, random)),
    }));
    for (;;) {
      const next = queues
        .filter(({ acts }) => acts.length > 0)
        .map((queue) => ({ queue, due: queue.at + (queue.acts[0]?.after ?? 0) }))
        .sort((one, other) => one.due - other.due)[0];
      const act = next?.queue.acts.shift();
      if (next === undefined || act === undefined) break;
      this.flushDue(next.due);
      next.queue.at = next.due;
      this.now = Math.round(next.due);
      if ("run" in act) act.run(this.writers[next.queue.who]);
      else this.append(next.queue.who, act.append);
    }
    for (const who of people) this.flush(who);
  }

  private append(who: DemoPerson, append: (Act & { append: unknown })["append"]): void {
    for (const writer of people) this.flush(writer);
    const version = this.events.length + this.created;
    const events =
      typeof append === "function" ? append({ writer: this.writers[who], version }) : [append];
    for (const event of events)
      this.events.push({ who, at: this.now, edits: [], clientIds: [], ...event });
  }

  private flushDue(now: number): void {
    const due = people
      .map((who) => ({ who, first: this.waiting[who][0]?.time ?? Infinity }))
      .filter(({ first }) => first + flushAfter <= now)
      .sort((one, other) => one.first - other.first);
    for (const { who } of due) this.flush(who);
  }

  private flush(who: DemoPerson): void {
    const edits = this.waiting[who];
    const [first] = edits;
    if (first === undefined) return;
    this.waiting[who] = [];
    const fresh = this.bound.has(who) ? [] : [this.clientIds[who]];
    this.bound.add(who);
    this.events.push({
      who,
      at: first.time,
      type: "document.edited",
      body: {},
      edits,
      clientIds: fresh,
    });
    for (const other of people)
      if (other !== who)
        for (const { update } of edits) applyUpdate(this.writers[other].doc, update, origin);
  }

  /** Returns the final text, for tests. */
  get text(): string {
    return this.writers.ana.doc
      .getXmlFragment("default")
      .toString()
      .replace(/<[^>]*>/g, "\n");
  }
}
