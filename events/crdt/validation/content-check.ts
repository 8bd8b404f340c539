import { appendAll } from "@/events/core/append-all";
import { readContent, tokenKind } from "@/events/crdt/updates/token-content";
import { ByteWriter } from "@/events/core/bytes/bytes";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { kindOf } from "@/events/crdt/updates/yjs-update";
import type { Id, Struct, UpdateParts } from "@/events/crdt/updates/yjs-update";
import { rootContainer } from "./containers";
import type { Container, Containers, Place } from "./containers";
import { deepestText } from "@/events/content/text-schema";
import type { NodeRule, TextSchema } from "@/events/content/text-schema";

/**
 * The result for a struct. `accepted`: kept as it is. `emptied`: a gap in its list. `dropped`:
 * removed, so that nothing can depend on its place.
 */
type Verdict = "accepted" | "emptied" | "dropped";
type Entry = {
  client: number;
  clock: number;
  end: number;
  struct: Struct;
  /** 0: not visited. 1: waiting for its dependencies. 2: judged. */
  state: 0 | 1 | 2;
  place: Place | null;
  made: Container | null;
  verdict: Verdict;
};

const utf8 = new TextDecoder();
const bigNumber = 122;

function isSame(one: Place | null, other: Place | null): boolean {
  if (!one || !other) return one === other;
  return (
    one.key === other.key &&
    one.container.client === other.container.client &&
    one.container.clock === other.container.clock
  );
}

/**
 * Validates the structs of updates against a text schema, one update after another. Each update
 * sees the earlier ones and everything that `before` knows. Every reader gets the same result,
 * because the content and place of a struct never change. Inside deleted content, only the checks
 * that need no place are made.
 */
export class ContentCheck {
  private readonly schema: TextSchema;
  private readonly before: Containers;
  private readonly reached: (client: number) => number;
  private readonly entries = new Map<number, Entry[]>();

  /** `reached` returns the first clock of a client that `before` does not know. */
  constructor(schema: TextSchema, before: Containers, reached: (client: number) => number) {
    this.schema = schema;
    this.before = before;
    this.reached = reached;
  }

  /**
   * Returns the same parts if the schema allows all of their content. Otherwise returns them with
   * gaps in place of the content that it does not allow. All dependencies must be known.
   */
  check(parts: UpdateParts): UpdateParts {
    const added = parts.blocks.flatMap(({ client, structs }) =>
      structs.flatMap((struct) => this.add(client, struct) ?? []),
    );
    for (const entry of added) this.settle(entry);
    const refused = new Map(
      added.flatMap(({ struct, verdict }) => (verdict === "accepted" ? [] : [[struct, verdict]])),
    );
    if (refused.size === 0) return parts;
    const blocks = parts.blocks.map((block) => {
      const structs = block.structs.map((struct) => withoutContent(struct, refused.get(struct)));
      return { ...block, structs };
    });
    return { blocks, deletes: parts.deletes };
  }

  private add(client: number, struct: Struct): Entry | null {
    const known = this.entries.get(client) ?? [];
    this.entries.set(client, known);
    const clock = Math.max(struct.clock, known.at(-1)?.end ?? this.reached(client));
    const end = struct.clock + struct.length;
    // Structs that are already known do not change.
    if (end <= clock || kindOf(struct) === structKind.skip) return null;
    const entry: Entry = {
      client,
      clock,
      end,
      struct,
      state: 0,
      place: null,
      made: null,
      verdict: "accepted",
    };
    known.push(entry);
    return entry;
  }

  private find({ client, clock }: Id): Entry | undefined {
    const known = this.entries.get(client) ?? [];
    let low = 0;
    let high = known.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((known[middle]?.clock ?? 0) <= clock) low = middle + 1;
      else high = middle;
    }
    const found = known[low - 1];
    return found && clock < found.end ? found : undefined;
  }

  /**
   * Determines a struct's place after the places of its dependencies. Works iteratively, because a
   * chain of dependencies may be as long as an update.
   */
  private settle(entry: Entry): void {
    const stack = [entry];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const waiting =
        top.state === 0
          ? neighbours(top)
              .flatMap((id) => this.find(id) ?? [])
              .filter(({ state }) => state === 0)
          : [];
      if (top.state === 0) top.state = 1;
      if (waiting.length > 0) {
        appendAll(stack, waiting);
        continue;
      }
      if (top.state === 1) this.judge(top);
      top.state = 2;
      stack.pop();
    }
  }

  private judge(entry: Entry): void {
    const { struct } = entry;
    if (kindOf(struct) === structKind.gc) return;
    const place = this.placeFor(entry);
    if (place === "impossible") entry.verdict = "dropped";
    else {
      const content = contentOf(struct);
      const fits =
        !content || (this.isKnown(struct, content) && (!place || this.mayStand(content, place)));
      entry.place = place;
      entry.verdict = fits ? "accepted" : "emptied";
      if (
        fits &&
        place &&
        content &&
        (content.kind === tokenKind.element || content.kind === tokenKind.textblock)
      ) {
        const isElement = content.kind === tokenKind.element;
        const name = isElement ? content.name : place.container.name;
        const depth = place.container.depth + 1;
        entry.made = {
          kind: isElement ? "element" : "text",
          name,
          client: entry.client,
          clock: entry.clock,
          depth,
        };
      }
    }
  }

  private placeFor({ client, clock, struct }: Entry): Place | "impossible" | null {
    const origin = clock > struct.clock ? { client, clock: clock - 1 } : struct.origin;
    const place = origin ? this.placeAt(origin) : null;
    if (struct.rightOrigin && origin)
      return isSame(place, this.placeAt(struct.rightOrigin)) ? place : "impossible";
    if (origin) return place;
    if (struct.rightOrigin) return this.placeAt(struct.rightOrigin);
    const key = struct.parentSub && utf8.decode(struct.parentSub);
    if (struct.rootName)
      return utf8.decode(struct.rootName) === "default"
        ? { container: rootContainer, key }
        : "impossible";
    const container = struct.parent && this.containerAt(struct.parent);
    return container && { container, key };
  }

  private placeAt(id: Id): Place | null {
    const own = this.find(id);
    return own ? own.place : this.before.placeOf(id);
  }

  private containerAt(id: Id): Container | null {
    const own = this.find(id);
    return own ? own.made : this.before.containerAt(id);
  }

  /** Whether the schema has this content at all, in any place. */
  private isKnown(struct: Struct, { kind, name, value }: StructContent): boolean {
    const { nodes, marks } = this.schema;
    if (kind === tokenKind.char || kind === tokenKind.textblock) return true;
    if (kind === tokenKind.element) return nodes.has(name);
    if (kind === tokenKind.markBoundary)
      return (
        (value === null && marks.has(markName(name))) || marks.get(markName(name))?.(value) === true
      );
    if (kind !== tokenKind.value || kindOf(struct) !== structKind.any) return false;
    const [count, tag] = struct.content;
    const isAllowed = ({ attributes }: NodeRule) =>
      [...attributes.values()].some((allows) => allows(value));
    return count === 1 && tag !== bigNumber && [...nodes.values()].some(isAllowed);
  }

  private mayStand({ kind, name, value }: StructContent, { container, key }: Place): boolean {
    const { nodes, root } = this.schema;
    if (container.kind === "root")
      return key === null && kind === tokenKind.element && root.has(name);
    const rule = nodes.get(container.name);
    if (!rule || container.kind === "other") return false;
    if (container.kind === "text")
      return (
        key === null &&
        (kind === tokenKind.char || (kind === tokenKind.markBoundary && rule.text === "marked"))
      );
    if (key !== null) return kind === tokenKind.value && rule.attributes.get(key)?.(value) === true;
    if (container.depth >= deepestText) return false;
    return kind === tokenKind.textblock
      ? rule.text !== "none"
      : kind === tokenKind.element && rule.children.has(name);
  }
}

type StructContent = { kind: number; name: string; value: unknown };
const someText: StructContent = { kind: tokenKind.char, name: "", value: null };

/**
 * Returns a mark's name without the suffix that Yjs bindings add for marks that may overlap others
 * of their kind.
 */
function markName(name: string): string {
  return name.replace(/--[a-zA-Z0-9+/=]{8}$/, "");
}

function neighbours({ client, clock, struct }: Entry): Id[] {
  const before = clock > struct.clock ? { client, clock: clock - 1 } : struct.origin;
  return [before, struct.rightOrigin, struct.parent].filter((id) => id !== null);
}

function contentOf(struct: Struct): StructContent | null {
  const kind = kindOf(struct);
  if (kind === structKind.deleted) return null;
  return kind === structKind.string ? someText : readContent(kind, struct.content);
}

function withoutContent(struct: Struct, verdict: Verdict | undefined): Struct {
  if (verdict === undefined) return struct;
  const writer = new ByteWriter();
  writer.varUint(struct.length);
  const content = writer.result();
  if (verdict === "emptied")
    return { ...struct, info: (struct.info & ~0x1f) | structKind.deleted, content };
  return {
    ...struct,
    info: structKind.gc,
    origin: null,
    rightOrigin: null,
    parent: null,
    rootName: null,
    parentSub: null,
    content,
  };
}
