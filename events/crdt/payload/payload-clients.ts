import { BytesError } from "@/events/core/bytes/bytes";
import type { ByteReader, ByteWriter } from "@/events/core/bytes/bytes";
import type { Id, IdSink, IdSource } from "@/events/crdt/updates/yjs-update";

/** The most clients in one payload, as authors, in dependencies or in deletions. */
export const maxClients = 4096;
const uint32 = 2 ** 32;
const inlineSlots = 7;

/**
 * State that the encoder and the decoder both update while they walk a payload: the clients met so
 * far, in order, the clock that each has reached, and the last writer with its right neighbour.
 * With this state, most references take one byte or none.
 */
export class ClientTable {
  private readonly clients: number[] = [];
  private readonly slots = new Map<number, number>();
  private readonly reached = new Map<number, number>();
  lastRight: Id | null = null;
  lastClient: number | null = null;

  /** Whether the payload has more clients than a reader accepts. */
  get overflows(): boolean {
    return this.clients.length > maxClients;
  }

  /** Returns the expected clock of a client's next struct. */
  next(client: number): number {
    return this.reached.get(client) ?? 0;
  }

  advance(client: number, clock: number): void {
    this.reached.set(client, clock);
  }

  /**
   * Returns a client's slot. The slot one past the last introduces a new 32-bit client, and the
   * slot two past the last introduces a client of any size.
   */
  slotOf(client: number): number {
    return this.slots.get(client) ?? this.clients.length + (client < uint32 ? 0 : 1);
  }

  /** Writes the client's number unless the client has been met already. */
  introduce(writer: ByteWriter, client: number): void {
    if (this.slots.has(client)) return;
    this.meet(client);
    if (client >= uint32) writer.varUint(client);
    else for (let shift = 24; shift >= 0; shift -= 8) writer.byte((client >>> shift) & 0xff);
  }

  clientAt(reader: ByteReader, slot: number): number {
    const known = this.clients[slot];
    if (known !== undefined) return known;
    const past = slot - this.clients.length;
    if (past > 1 || slot >= maxClients) throw new BytesError("Unknown client");
    const client =
      past === 1
        ? reader.varUint()
        : reader.take(4).reduce((number, byte) => number * 256 + byte, 0);
    if (this.slots.has(client)) throw new BytesError("Client is declared twice");
    this.meet(client);
    return client;
  }

  /** Returns the clock at `distance` before the last one that the client reached. */
  behind(client: number, distance: number): number {
    const clock = this.next(client) - 1 - distance;
    if (clock < 0) throw new BytesError("Clock is out of range");
    return clock;
  }

  readClock(reader: ByteReader, base: number): number {
    const clock = base + reader.varInt();
    if (clock < 0 || clock > Number.MAX_SAFE_INTEGER) throw new BytesError("Clock is out of range");
    return clock;
  }

  /** Returns the last writer and its clock, at which a run continues. */
  lastPosition(): { client: number; clock: number } {
    const client = this.lastClient;
    if (client === null) throw new BytesError("Continuation without a run");
    return { client, clock: this.next(client) };
  }

  private meet(client: number): void {
    this.slots.set(client, this.clients.length);
    this.clients.push(client);
  }
}

/** Writes a client. A low slot shares the byte of the run's flags. */
export function writeSlot(
  writer: ByteWriter,
  table: ClientTable,
  client: number,
  flags: number,
): void {
  const slot = table.slotOf(client);
  writer.byte(flags | (Math.min(slot, inlineSlots) << 5));
  if (slot >= inlineSlots) writer.varUint(slot);
  table.introduce(writer, client);
}

/** Reads the client of a run that begins with these flags. */
export function readSlot(reader: ByteReader, table: ClientTable, flags: number): number {
  const slot = flags >> 5;
  return table.clientAt(reader, slot === inlineSlots ? reader.varUint() : slot);
}

/** Reads clients by slot, and clocks relative to the table's expectation. */
export function relativeSource(table: ClientTable, reader: ByteReader): IdSource {
  const client = () => table.clientAt(reader, reader.varUint());
  const clock = (owner: number, base = table.next(owner)) => table.readClock(reader, base);
  const id = (owner: number) => {
    const number = reader.varUint();
    if (number % 2 === 0) return { client: owner, clock: table.behind(owner, number / 2) };
    const other = client();
    return { client: other, clock: clock(other) };
  };
  return { reader, client, clock, id, advance: (owner, reached) => table.advance(owner, reached) };
}

/** Writes clients by slot, and clocks relative to the table's expectation. */
export function relativeSink(table: ClientTable, writer: ByteWriter): IdSink {
  const client = (owner: number) => {
    writer.varUint(table.slotOf(owner));
    table.introduce(writer, owner);
  };
  const clock = (owner: number, reached: number, base = table.next(owner)) =>
    writer.varInt(reached - base);
  const id = (owner: number, to: Id) => {
    const distance = table.next(owner) - 1 - to.clock;
    if (to.client === owner && distance >= 0 && distance < 2 ** 48) writer.varUint(distance * 2);
    else {
      writer.varUint(1);
      client(to.client);
      clock(to.client, to.clock);
    }
  };
  return { writer, client, clock, id, advance: (owner, reached) => table.advance(owner, reached) };
}
