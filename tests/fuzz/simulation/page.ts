import { newestSchema } from "@/events/content/text-schema";
import { inspectContent } from "@/components/editor/binding/content-guard";
import type { MemoryBackend, MemoryTab } from "@/events/backend/memory-backend.fixture";
import { stallingTab } from "@/events/backend/stalling-tab.fixture";
import type { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { Outbox, OutboxBox } from "@/events/device/outbox";
import type { LiveDocument } from "@/machines/sync/live-document";
import { openDocument } from "@/machines/sync/open-document";
import type { Access } from "@/machines/sync/status/sync-events";
import { status } from "@/machines/sync/sync-status";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { letters, stream } from "./ledger";
import type { Ledger } from "./ledger";
import { BoundReader } from "./bound-reader";
import { Line } from "./line";
import { Writer } from "./writer";

type Input = {
  user: string;
  tab: MemoryTab;
  backend: MemoryBackend;
  clock: VirtualClock;
  random: ReturnType<typeof seededRandom>;
  ledger: Ledger;
  outbox: Outbox;
  initial: DocumentState | null;
  /** The newest schema of the text that this page's build knows. */
  schema: number;
  access: Access;
  /** A page without a writer: an editor shows the text while its build can. */
  reads: boolean;
};

/** One open page: the real client on its own line, and its person's acts. */
export class Page {
  readonly user: string;
  readonly tab: MemoryTab;
  readonly schema: number;
  readonly line: Line;
  readonly live: LiveDocument;
  readonly stalling: ReturnType<typeof stallingTab>;
  box: OutboxBox | null = null;
  open = true;
  /** The log names a newer schema than this page's build knows, so it shows the text read-only. */
  outdated = false;
  private readonly input: Input;
  private access: Access;
  private appends = 0;
  /**
   * The number of messages sent by the time that it should fall silent: it may not write, and
   * nothing is pending.
   */
  private silentSince: number | null = null;
  readonly writer: Writer;
  private readonly reader: BoundReader | null;

  constructor(input: Input) {
    const { user, tab, backend, clock, random, outbox, schema, initial, access } = input;
    this.input = input;
    this.user = user;
    this.tab = tab;
    this.schema = schema;
    this.access = access;
    this.line = new Line(input);
    this.stalling = stallingTab(this.line, clock, random);
    this.outdated = backend
      .log(stream)
      .some((row) => row.version <= (initial?.version ?? 0) && row.schema > schema);
    this.live = openDocument({
      documentId: stream,
      userId: user,
      store: {
        ...this.stalling.store,
        append: (...call) => {
          this.appends += 1;
          return this.stalling.store.append(...call);
        },
      },
      channels: this.stalling.channels(),
      outbox: { open: async (scope) => (this.box = await outbox.open(scope)) },
      clock: this.stalling.clock,
      random,
      schemaVersion: schema,
      initial,
      access,
    });
    this.writer = new Writer(user, this.live, input);
    this.reader = input.reads && !this.outdated ? new BoundReader(this.live) : null;
    this.watch(initial?.version ?? 0);
  }

  get status(): SyncStatus {
    return status(this.live.sync.getSnapshot());
  }

  get pending(): number {
    return this.live.sync.getSnapshot().context.pending;
  }

  /** Whether the text accepts input. */
  get writable(): boolean {
    return (
      this.open &&
      !this.input.reads &&
      !this.stalling.clock.stalled &&
      this.access === "write" &&
      !this.outdated &&
      (this.schema > newestSchema || inspectContent(this.live.fragment) === null) &&
      !this.live.sync.getSnapshot().matches({ access: "none" })
    );
  }

  /** Informs the page of this person's access. */
  tell(access: Access): void {
    if (!this.open) return;
    this.access = access;
    this.live.setAccess(access);
    this.look();
  }

  /** Performs the action that the status line offers. */
  respond(): void {
    const { ledger } = this.input;
    const { action } = this.status;
    if (action === "sign-in") {
      this.tab.signedOut = false;
      this.live.resume();
    } else if (action === "retry") this.live.sync.send({ type: "retry" });
    else if (action === "copy" || action === "move") {
      for (const letter of letters(this.live.unsavedText())) ledger.copied.add(letter);
      ledger.count("copied");
      if (this.live.sync.getSnapshot().context.orphaned > 0) this.live.forgetOrphaned();
      else this.live.letGo();
    }
  }

  /** The tab dies instantly; the device keeps what it had received. */
  drop(outbox: Outbox & { crash(box: OutboxBox): void }): void {
    if (this.box) outbox.crash(this.box);
    this.tab.setOffline(true);
    this.open = false;
  }

  private get sent(): number {
    return this.appends + this.line.sent;
  }

  /** Records a violation if a page without write access and pending edits has sent something. */
  look(): void {
    const readOnly = this.input.reads || this.outdated || this.access !== "write";
    if (!readOnly || this.pending > 0) this.silentSince = null;
    else this.silentSince ??= this.sent;
    if (this.silentSince !== null && this.sent > this.silentSince)
      this.input.ledger.violations.push(`${this.user}'s page wrote, which may only read`);
  }

  private watch(begun: number): void {
    const { ledger } = this.input;
    let last = begun;
    this.listen();
    this.live.onReplaced(() => {
      ledger.count("replaced");
      this.listen();
    });
    this.live.onRows((rows) => {
      for (const { version, schema, update } of rows) {
        if (version <= last) ledger.violations.push(`${this.user} was shown ${version} again`);
        last = version;
        if (update && schema > this.schema && !this.outdated) {
          this.outdated = true;
          this.reader?.end();
          ledger.count("outdated");
        }
      }
      this.look();
    });
    this.live.sync.subscribe((snapshot) => {
      // This tab has to send the leftovers of an earlier one.
      if (snapshot.context.pending > 0) this.silentSince = null;
      const { outbox } = snapshot.value;
      if (typeof outbox === "object" && outbox.waiting === "held") ledger.count("held");
      if (this.writer.unsaved.size > 0 && status(snapshot).label === "Saved") this.checkSaved();
    });
  }

  /**
   * Records a violation if a read-only text changes except through the network or deferred
   * deletions.
   */
  private listen(): void {
    this.live.doc.on("update", (_update: Uint8Array, origin: unknown) => {
      if ((this.outdated || this.input.reads) && origin !== "remote" && origin !== "deferred")
        this.input.ledger.violations.push(`${this.user}'s page changed what it only shows`);
    });
  }

  /** After "Saved": checks that the log has every letter typed here so far. */
  private checkSaved(): void {
    const { ledger } = this.input;
    ledger.count("savedChecked");
    ledger.read();
    for (const letter of this.writer.unsaved)
      if (!ledger.logged.has(letter) && !ledger.copied.has(letter) && !ledger.erased.has(letter))
        ledger.violations.push(`${this.user}'s ${letter} was called saved`);
    this.writer.unsaved.clear();
  }
}
