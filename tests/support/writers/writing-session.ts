import { setTimeout as delay } from "node:timers/promises";
import type { seededRandom } from "@/events/core/virtual-clock.fixture";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { redactionOf } from "@/events/proof/redaction-event";
import { HistoryCheck } from "@/events/proof/verification";
import { status } from "@/machines/sync/sync-status";
import { Acknowledgements } from "./acknowledgements";
import { textblockOf } from "../line";
import { signInAgain } from "./people";
import type { Person } from "./people";
import type { Stack } from "../product/stack";
import { write } from "./writers";
import type { Writer } from "./writers";

type Random = ReturnType<typeof seededRandom>;
type Options = {
  /** The address that clients use: the product's own, or that of a line in front of it. */
  url: string;
  stack: Pick<Stack, "url" | "keys">;
  people: readonly Person[];
  documentId: string;
  random: Random;
  /** Maximum pause between two letters, in ms. */
  restMs: number;
};

/** The state of the log at the end of a session. */
type SessionEnd = {
  letters: number;
  events: number;
  acknowledged: number;
  /** Events recorded by appends that were never answered. */
  recordedUnanswered: number;
  faults: string[];
};

// These characters are typed only here, each once.
const firstLetter = 0x4e00;
const lettersOf = (text: string) => [...text].filter((one) => one.charCodeAt(0) >= firstLetter);

/**
 * Several people who write in one document with the product's own client, each letter once. At the
 * end, the log must hold every typed letter and every acknowledged event.
 */
export class WritingSession {
  readonly acknowledgements = new Acknowledgements();
  /** The letters that were typed while each status was shown. */
  readonly labels = new Map<string, number>();
  readonly writers: Writer[] = [];
  private readonly options: Options;
  private readonly typed = new Map<string, string>();
  private readonly loops: Promise<void>[] = [];
  private isTyping = false;

  private constructor(options: Options) {
    this.options = options;
  }

  /** Signs each person in as a separate browser, and waits until each shows the document. */
  static async open(options: Options): Promise<WritingSession> {
    const session = new WritingSession(options);
    const { url, stack, people, documentId } = options;
    const again = await Promise.all(
      people.map((person) => signInAgain({ url, keys: stack.keys }, person)),
    );
    for (const person of again)
      session.writers.push(
        write(person, documentId, { store: (store) => session.acknowledgements.of(store) }),
      );
    await Promise.all(session.writers.map(({ live }) => live.loaded));
    return session;
  }

  get letters(): number {
    return this.typed.size;
  }

  /** Lets all writers type until `rest`. */
  start(): void {
    this.isTyping = true;
    this.loops.push(...this.writers.map((writer) => this.type(writer)));
  }

  async rest(): Promise<void> {
    this.isTyping = false;
    await Promise.all(this.loops.splice(0));
  }

  /** Whether all writers are live, have saved everything, and have read the same version. */
  isSettled(): boolean {
    const versions = new Set(this.writers.map(({ live }) => live.version));
    return (
      versions.size === 1 &&
      this.writers.every(({ live }) => {
        const snapshot = live.sync.getSnapshot();
        return status(snapshot).label === "Saved" && snapshot.value.link === "live";
      })
    );
  }

  /** Resolves once the session is settled. Throws with all states after `most` ms. */
  async settled(most = 120_000): Promise<void> {
    const end = performance.now() + most;
    while (!this.isSettled()) {
      if (performance.now() > end) {
        const states = this.writers.map(({ live }) => live.sync.getSnapshot().value);
        throw new Error(`Never settled: ${JSON.stringify(states)}`);
      }
      await delay(20);
    }
  }

  /** Compares the log with the acknowledged, typed and shown letters. */
  async check(): Promise<SessionEnd> {
    const { stack, documentId, people } = this.options;
    const [reader] = people;
    if (!reader) throw new Error("The session has no people");
    const { client } = await signInAgain(stack, reader);
    const rows = await supabaseStore(client).read(documentId, 0);
    const faults: string[] = [];

    const history = new HistoryCheck({ stream: documentId, redactionOf });
    await history.add(rows);
    const report = history.finish();
    if (report.verdict !== "intact") faults.push(`The chain: ${JSON.stringify(report)}`);
    const byId = new Map(rows.map((row) => [row.id, row]));
    if (byId.size !== rows.length) faults.push("An event is in the log twice.");
    for (const [index, { version }] of rows.entries())
      if (version !== index + 1) faults.push(`Version ${version} is in place ${index + 1}.`);

    const acknowledged = this.acknowledgements.read();
    for (const { id, version, hash } of acknowledged) {
      const row = byId.get(id);
      if (row?.version !== version || row.hash !== hash)
        faults.push(`${id} was acknowledged as ${version} and is ${row?.version ?? "lost"}.`);
    }

    const fold = new ConfirmedDocument(null);
    const fragment = fold.doc.getXmlFragment("default");
    const broughtBy = new Map<string, string>();
    let actor = "";
    fragment.observeDeep((changes) => {
      const inserts = changes.flatMap(({ changes: { delta } }) =>
        delta.flatMap(({ insert }) =>
          Array.isArray(insert) ? insert.map(String) : (insert ?? ""),
        ),
      );
      for (const letter of lettersOf(inserts.join("")))
        if (!broughtBy.has(letter)) broughtBy.set(letter, actor);
    });
    for (const row of rows) {
      actor = row.actorId;
      fold.integrate(row);
    }
    if (fold.anomalies.length > 0) faults.push(`Anomalies: ${JSON.stringify(fold.anomalies)}`);
    const text = fragment.toString();
    const logged = lettersOf(text);
    if (new Set(logged).size !== logged.length) faults.push("A letter is in the text twice.");
    for (const letter of logged)
      if (!this.typed.has(letter)) faults.push(`${letter} was typed by nobody.`);
    for (const [letter, author] of this.typed)
      if (broughtBy.get(letter) !== author)
        faults.push(`${letter} of ${author} is ${broughtBy.get(letter) ?? "nobody"}'s.`);
    for (const { live, person } of this.writers)
      if (live.fragment.toString() !== text) faults.push(`${person.name} shows another text.`);

    return {
      letters: this.typed.size,
      events: rows.length,
      acknowledged: acknowledged.length,
      recordedUnanswered: this.acknowledgements.failed
        .flatMap(({ ids, at }) => ids.map((id) => ({ at, row: byId.get(id) })))
        .filter(({ at, row }) => row !== undefined && Date.parse(row.recordedAt) <= at).length,
      faults: faults.slice(0, 20),
    };
  }

  async close(): Promise<void> {
    this.isTyping = false;
    await Promise.all(this.writers.map(({ live }) => live.close()));
    for (const { person } of this.writers) await person.client.realtime.disconnect();
    this.acknowledgements.close();
  }

  private async type(writer: Writer): Promise<void> {
    const { random, restMs } = this.options;
    while (this.isTyping) {
      const letter = String.fromCharCode(firstLetter + this.typed.size);
      this.typed.set(letter, writer.person.user.id);
      const textblock = textblockOf(writer.live.doc);
      textblock.insert(random.below(textblock.length + 1), letter);
      const { label } = status(writer.live.sync.getSnapshot());
      this.labels.set(label, (this.labels.get(label) ?? 0) + 1);
      await delay(random.below(restMs));
    }
  }
}
