import { rootContainer } from "@/events/crdt/validation/containers";
import type { Container, Containers } from "@/events/crdt/validation/containers";
import { never } from "@/events/crdt/updates/lifespans";
import type { Id } from "@/events/crdt/updates/yjs-update";
import type { Sequence } from "./sequence";
import { none } from "./token-ids";
import { tokenKind } from "@/events/crdt/updates/token-content";

/** The containers of a sequence's content, equal to those of a Yjs document with the same edits. */
export class SequenceContainers implements Containers {
  private readonly sequence: Sequence;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
  }

  placeOf(id: Id) {
    const { sequence } = this;
    const token = this.tokenOf(id);
    if (token === none || sequence.kind[token] === tokenKind.unplaced) return null;
    const list = sequence.parent[token] ?? none;
    const isValue = sequence.kind[list] === tokenKind.chain;
    const container = this.containerOf(isValue ? (sequence.parent[list] ?? none) : list);
    return container && { container, key: isValue ? sequence.keyOf(list) : null };
  }

  containerAt(id: Id): Container | null {
    const token = this.tokenOf(id);
    return token === none || !this.sequence.holds(token) ? null : this.containerOf(token);
  }

  private tokenOf({ client, clock }: Id): number {
    const { ids } = this.sequence;
    const number = ids.knownNumber(client);
    return number === none ? none : ids.tokenAt(number, clock);
  }

  private containerOf(token: number): Container | null {
    const { sequence } = this;
    if (token === none) return null;
    if (sequence.kind[token] === tokenKind.root) {
      return token === sequence.root("default")
        ? rootContainer
        : { ...rootContainer, kind: "other", client: -2 };
    }
    let depth = 0;
    for (let at = token; sequence.kind[at] !== tokenKind.root; at = this.above(at)) {
      if (at === none || sequence.died[at] !== never) return null;
      depth += 1;
    }
    const { number, clock } = sequence.ids.idOf(token);
    const place = { client: sequence.ids.clients[number]?.client ?? 0, clock, depth };
    if (sequence.kind[token] === tokenKind.element)
      return { kind: "element", name: this.nameOf(token), ...place };
    if (sequence.kind[token] === tokenKind.textblock)
      return { kind: "text", name: this.nameOf(this.above(token)), ...place };
    return { kind: "other", name: "", ...place };
  }

  private above(token: number): number {
    const { parent, kind } = this.sequence;
    const list = parent[token] ?? none;
    return kind[list] === tokenKind.chain ? (parent[list] ?? none) : list;
  }

  private nameOf(token: number): string {
    return this.sequence.contentOf(token)?.name ?? "";
  }
}
