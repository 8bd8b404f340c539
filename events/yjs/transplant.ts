import * as Y from 'yjs'
import { forgoTidying } from './formatting-marks'
import { insertItem } from './item-insertion'
import { hangsOnMore } from './pending-edits'
import { inspectUpdate } from './update-inspection'
import { readUpdate, withoutDeletes, writeUpdate, type Id, type Range } from './yjs-update'

type AnyType = Y.ContentType['type']

export type Transplant = {
  /** The log and what may be appended as it is, with the stranded edits made again under the new client id. */
  doc: Y.Doc
  /** What makes them again: single updates, in order, that hang only on what `base` holds. */
  updates: Uint8Array[]
  /** Deletions of what the log does not hold; they can be said if its author ever comes back. */
  deferred: Range[]
  /** Which of the own updates hang on what neither the log nor `unlogged` holds, so that nobody can say where they belong. */
  stranded: number[]
}

/**
 * Makes edits again that hang on text whose author never logged it. They are first laid out as they were made, over
 * `base` and `unlogged` (others' updates that the log lacks, whose deletions do not count); then everything own in that
 * picture moves, item by item, into a copy of `base` under a new client id: text, marks, attributes and nodes keep their
 * neighbours, and of the others' nodes only those survive, as own ones, that something own stands in.
 */
export function transplant(input: {
  base: Uint8Array
  unlogged: Uint8Array[]
  own: Uint8Array[]
  clientId: number
  roots: string[]
}): Transplant {
  const picture = new Y.Doc({ gc: false })
  forgoTidying(picture)
  Y.applyUpdate(picture, input.base)
  const held = Y.decodeStateVector(Y.encodeStateVector(picture))
  for (const update of input.unlogged) Y.applyUpdate(picture, withoutDeletes(update))
  const laidOut = setAside(input.own, (client) => held.get(client) ?? 0)
  const { placed, stranded } = lay(picture, laidOut)

  const inspected = placed.map(inspectUpdate)
  const own = new RangeSet(inspected.flatMap(({ structs }) => structs))
  const doc = new Y.Doc()
  forgoTidying(doc)
  Y.applyUpdate(doc, input.base)
  doc.clientID = input.clientId
  const updates: Uint8Array[] = []
  const keep = (update: Uint8Array) => updates.push(update)
  doc.on('update', keep)

  const inBase = ({ client, clock }: Y.ID) => clock < (held.get(client) ?? 0)
  doc.transact((transaction) => {
    const mover = new Mover(transaction, inBase, (id) => own.has(id))
    for (const root of input.roots) mover.move(picture.getXmlFragment(root), doc.getXmlFragment(root), false)
  })
  const deletes = inspected.flatMap(({ deletes }) => deletes)
  const known = deletes.flatMap((range) => upTo(range, held.get(range.client) ?? 0))
  if (known.length > 0) Y.applyUpdate(doc, deletionOf(known))
  doc.off('update', keep)
  const deferred = deletes.flatMap((range) => from(range, held.get(range.client) ?? 0)).filter((range) => !own.has(Y.createID(range.client, range.clock)))
  picture.destroy()
  return { doc, updates, deferred, stranded }
}

/** Applies what has all that it hangs on, in order; the rest is not touched, as Yjs would take in half of it. */
function lay(picture: Y.Doc, updates: Uint8Array[]): { placed: Uint8Array[]; stranded: number[] } {
  const reached = Y.decodeStateVector(Y.encodeStateVector(picture))
  const placed: Uint8Array[] = []
  const stranded: number[] = []
  updates.forEach((update, index) => {
    const { structs } = inspectUpdate(update)
    if (hangsOnMore({ structs, deletes: [] }, (client) => reached.get(client) ?? 0)) {
      stranded.push(index)
      return
    }
    Y.applyUpdate(picture, update)
    placed.push(update)
    for (const { client, clock, length } of structs) reached.set(client, Math.max(reached.get(client) ?? 0, clock + length))
  })
  return { placed, stranded }
}

/** One Yjs update that deletes these ranges. */
export function deletionOf(ranges: Range[]): Uint8Array {
  const clients = new Map<number, { clock: number; length: number }[]>()
  for (const { client, clock, length } of ranges) clients.set(client, [...(clients.get(client) ?? []), { clock, length }])
  return writeUpdate({ blocks: [], deletes: [...clients].map(([client, ranges]) => ({ client, ranges })) })
}

/**
 * Gives edits other client ids when the log holds something else under theirs from their first tick on: otherwise they
 * would be taken for known.
 */
function setAside(own: Uint8Array[], clockOf: (client: number) => number): Uint8Array[] {
  const first = new Map<number, number>()
  for (const { client, clock } of own.flatMap((update) => inspectUpdate(update).structs)) {
    first.set(client, Math.min(first.get(client) ?? Infinity, clock))
  }
  const taken = [...first].filter(([client, clock]) => clock < clockOf(client))
  if (taken.length === 0) return own
  const aside = new Map(taken.map(([client, clock]) => [client, { client: unusedClient(client, first), from: clock }]))
  const move = <T extends { client: number; clock: number }>(id: T): T => {
    const to = aside.get(id.client)
    return to && id.clock >= to.from ? { ...id, client: to.client, clock: id.clock - to.from } : id
  }
  const moveOrNull = (id: Id | null) => id && move(id)
  return own.map((update) => {
    const { blocks, deletes } = readUpdate(update)
    return writeUpdate({
      blocks: blocks.map(({ client, clock, structs }) => {
        const to = move({ client, clock })
        const moved = structs.map((struct) => ({
          ...struct,
          clock: move({ client, clock: struct.clock }).clock,
          origin: moveOrNull(struct.origin),
          rightOrigin: moveOrNull(struct.rightOrigin),
          parent: moveOrNull(struct.parent),
        }))
        return { ...to, structs: moved }
      }),
      deletes: deletes.flatMap(({ client, ranges }) =>
        ranges.map((range) => {
          const to = move({ client, ...range })
          return { client: to.client, ranges: [{ clock: to.clock, length: to.length }] }
        }),
      ),
    })
  })
}

/** Client ids of Yjs are below 2^32, so a higher one is free; it never leaves the picture. */
function unusedClient(client: number, own: Map<number, number>): number {
  let free = client + 2 ** 32
  while (own.has(free)) free += 2 ** 32
  return free
}

class Mover {
  private readonly transaction: Y.Transaction
  private readonly inBase: (id: Y.ID) => boolean
  private readonly isOwn: (id: Y.ID) => boolean

  constructor(transaction: Y.Transaction, inBase: (id: Y.ID) => boolean, isOwn: (id: Y.ID) => boolean) {
    this.transaction = transaction
    this.inBase = inBase
    this.isOwn = isOwn
  }

  /** Brings what is own in `from` into `to`; `made` when `to` was made here and so takes the others' attributes too. */
  move(from: AnyType, to: AnyType, made: boolean): void {
    let left: Y.Item | null = null
    for (let item = from._start; item; item = item.right) {
      // Yjs joins neighbours of one client, so an item may begin in the log and end outside it.
      const known = this.lengthInBase(item)
      if (known > 0) left = this.passBase(item, known)
      if (known < item.length) left = this.takeOver(item, known, to, left)
    }
    for (const [key, item] of from._map) {
      if (item.deleted || this.inBase(item.id)) continue
      if (made || this.isOwn(item.id)) insertItem(this.transaction, { parent: to, left: to._map.get(key) ?? null, key }, item.content.copy())
    }
  }

  private lengthInBase(item: Y.Item): number {
    if (!this.inBase(item.id)) return 0
    let known = item.length
    while (known > 0 && !this.inBase(Y.createID(item.id.client, item.id.clock + known - 1))) known -= 1
    return known
  }

  private passBase(item: Y.Item, known: number): Y.Item {
    const { doc } = this.transaction
    const twin = Y.getItemCleanEnd(this.transaction, doc.store, Y.createID(item.id.client, item.id.clock + known - 1))
    if (item.content instanceof Y.ContentType && twin.content instanceof Y.ContentType && !twin.deleted) {
      this.move(item.content.type, twin.content.type, false)
    }
    return twin
  }

  private takeOver(item: Y.Item, offset: number, to: AnyType, left: Y.Item | null): Y.Item | null {
    if (item.deleted) return left
    const type = item.content instanceof Y.ContentType ? item.content.type : null
    if (!this.isOwn(Y.createID(item.id.client, item.id.clock + offset)) && !(type && this.holdsOwn(type))) return left
    const copy = item.content.copy()
    const content = offset > 0 ? copy.splice(offset) : copy
    const placed = insertItem(this.transaction, { parent: to, left }, content)
    if (type && content instanceof Y.ContentType) this.move(type, content.type, true)
    return placed
  }

  private holdsOwn(type: AnyType): boolean {
    for (let item = type._start; item; item = item.right) {
      if (item.deleted || this.inBase(item.id)) continue
      if (this.isOwn(item.id)) return true
      if (item.content instanceof Y.ContentType && this.holdsOwn(item.content.type)) return true
    }
    return [...type._map.values()].some((item) => !item.deleted && this.isOwn(item.id))
  }
}

/** Which ticks of which clients are covered. */
class RangeSet {
  private readonly clients = new Map<number, Range[]>()

  constructor(ranges: Range[]) {
    for (const range of ranges) this.clients.set(range.client, [...(this.clients.get(range.client) ?? []), range])
  }

  has({ client, clock }: { client: number; clock: number }): boolean {
    return (this.clients.get(client) ?? []).some((range) => clock >= range.clock && clock < range.clock + range.length)
  }
}

function upTo({ client, clock, length }: Range, end: number): Range[] {
  return clock < end ? [{ client, clock, length: Math.min(length, end - clock) }] : []
}

function from({ client, clock, length }: Range, start: number): Range[] {
  const first = Math.max(clock, start)
  return first < clock + length ? [{ client, clock: first, length: clock + length - first }] : []
}
