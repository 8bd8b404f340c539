import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchOf, childrenOf, moveRefusal, treeAfter, treeOf } from "./document-tree";
import { byRank, isLiving, pathOf } from "./tree-path";
import type { DocumentTree, Placed } from "./tree-path";
import { longestRank, rankBetween } from "./document-rank";

const created = (id: string) => ({ id, type: "document.created", body: { title: id } });
const moved = (id: string, parent: string | null, after: string | null = null) => ({
  id,
  type: "document.moved",
  body: { parent, after },
});
const trashed = (id: string) => ({ id, type: "document.trashed", body: {} });
const restored = (id: string) => ({ id, type: "document.restored", body: {} });
const four = ["a", "b", "c", "d"].map(created);

/** Draws the tree in one line, such as `a(b c) d`. Trashed documents have their own brackets. */
function drawn(tree: DocumentTree): string {
  const children = childrenOf(tree);
  const draw = (parent: string | null): string =>
    (children.get(parent) ?? [])
      .map((id) => {
        const inside = children.has(id) ? `(${draw(id)})` : "";
        return tree.get(id)?.phase === "live" ? `${id}${inside}` : `[${id}${inside}]`;
      })
      .join(" ");
  return draw(null);
}

/** Whether every document leads to the top level, and no two siblings share a rank. */
function isForest(tree: DocumentTree): boolean {
  const ranks = [...tree.values()].map(({ parent, rank }) => `${parent} ${rank}`);
  const leads = [...tree.keys()].every((id) => pathOf(tree, id).at(-1)?.parent === null);
  return leads && new Set(ranks).size === ranks.length;
}

describe("the document tree", () => {
  it("[TREE-1] puts a new document last at the top level, a moved one behind its named sibling", () => {
    expect(drawn(treeOf(four))).toBe("a b c d");
    expect(drawn(treeOf([...four, moved("d", null)]))).toBe("d a b c");
    expect(drawn(treeOf([...four, moved("a", null, "c")]))).toBe("b c a d");
    expect(drawn(treeOf([...four, moved("b", "a"), moved("c", "a"), moved("d", "a", "c")]))).toBe(
      "a(c d b)",
    );
    expect(drawn(treeOf([...four, moved("b", "a"), created("e")]))).toBe("a(b) c d e");
  });

  it("[TREE-3] puts a document last when the sibling that it should follow has moved away", () => {
    expect(
      drawn(treeOf([...four, moved("b", "a"), moved("c", "a", "b"), moved("d", "a", "a")])),
    ).toBe("a(b c d)");
    expect(drawn(treeOf([...four, moved("b", "a"), moved("c", null, "b")]))).toBe("a(b) d c");
  });

  it("[TREE-2] refuses a parent that is in its own branch, missing, trashed, too deep or full", () => {
    const deep = Array.from({ length: 64 }, (_, index) => `n${index}`);
    const chain = treeOf([
      ...four,
      ...deep.map(created),
      ...deep.slice(1).map((id, index) => moved(id, deep[index] ?? null)),
      moved("b", "a"),
      trashed("d"),
      moved("c", "d"),
    ]);
    const reason = (id: string, parent: string | null, after: string | null = null) =>
      moveRefusal(chain, id, { parent, after })?.reason ?? null;
    expect(reason("a", "a")).toBe("own-branch");
    expect(reason("a", "b")).toBe("own-branch");
    expect(reason("a", "elsewhere")).toBe("parent-missing");
    expect(reason("a", null, "elsewhere")).toBe("sibling-missing");
    expect(reason("a", null, "a")).toBe("sibling-missing");
    expect(reason("a", "d")).toBe("parent-trashed");
    expect(reason("a", "c")).toBe("parent-trashed");
    expect(reason("a", "n62")).toBe("document_levels");
    expect([reason("b", "n62"), reason("b", "n63"), reason("a", "n61")]).toEqual([
      null,
      "document_levels",
      null,
    ]);
    expect(reason("c", "a")).toBeNull();
    const many = new Map<string, Placed>([
      ["p", { parent: null, rank: "80000000", phase: "live" }],
      ["q", { parent: null, rank: "80000001", phase: "live" }],
      ...Array.from({ length: 10_000 }, (_, index): [string, Placed] => [
        `c${index}`,
        {
          parent: "p",
          rank: (0x80000000 + index).toString(16),
          phase: index === 0 ? "trashed" : "live",
        },
      ]),
    ]);
    expect(moveRefusal(many, "q", { parent: "p", after: null })?.reason).toBe("document_children");
    expect(moveRefusal(many, "c5", { parent: "p", after: null })).toBeNull();
    many.set("c0", { parent: "p", rank: "80000000", phase: "purged" });
    expect(moveRefusal(many, "q", { parent: "p", after: null })).toBeNull();
  });

  it("[TREE-5] trashes and restores a document with its whole branch", () => {
    const events = [...four, moved("b", "a"), moved("c", "b"), trashed("a")];
    const away = treeOf(events);
    expect(["a", "b", "c", "d"].map((id) => isLiving(away, id))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(branchOf(away, "a").map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(drawn(treeAfter(away, restored("a")))).toBe("a(b(c)) d");
  });

  it("[TREE-6] restores a document into the nearest ancestor that is not in the trash", () => {
    const events = [...four, moved("b", "a"), moved("c", "b"), created("e"), moved("e", "c")];
    const inside = treeOf([...events, trashed("e"), trashed("b")]);
    expect(drawn(inside)).toBe("a([b(c([e]))]) d");
    expect(drawn(treeAfter(inside, restored("e")))).toBe("a([b(c)] e) d");
    const whole = treeOf([...events, trashed("e"), trashed("a")]);
    expect(drawn(treeAfter(whole, restored("e")))).toBe("[a(b(c))] d e");
    expect(drawn(treeAfter(treeAfter(whole, restored("a")), restored("e")))).toBe("a(b(c(e))) d");
  });

  it("[TREE-4] stays a forest when people move documents from outdated views", () => {
    const ids = ["a", "b", "c", "d", "e", "f", "g"];
    const place = fc.constantFrom(null, ...ids);
    const move = fc.record({
      id: fc.constantFrom(...ids),
      parent: place,
      after: place,
      behind: fc.nat(3),
      type: fc.constantFrom("moved", "moved", "moved", "trashed", "restored"),
    });
    let [allowed, refused, overtaken] = [0, 0, 0];
    fc.assert(
      fc.property(fc.array(move, { minLength: 20, maxLength: 60 }), (moves) => {
        const seen = [treeOf(ids.map(created))];
        for (const { id, parent, after, behind, type } of moves) {
          const tree = seen.at(-1) ?? new Map<string, Placed>();
          const stale = seen.at(-1 - behind) ?? tree;
          const own = tree.get(id);
          if (type !== "moved") {
            if ((type === "trashed") === (own?.phase === "live"))
              seen.push(treeAfter(tree, { id, type: `document.${type}`, body: {} }));
            continue;
          }
          if (own?.phase !== "live" || moveRefusal(stale, id, { parent, after })) continue;
          const verdict = moveRefusal(tree, id, { parent, after });
          if (verdict) {
            refused += 1;
            if (verdict.reason === "own-branch") overtaken += 1;
            continue;
          }
          allowed += 1;
          const next = treeAfter(tree, moved(id, parent, after));
          expect(isForest(next)).toBe(true);
          expect(next.size).toBe(ids.length);
          expect(next.get(id)?.parent).toBe(parent);
          seen.push(next);
        }
      }),
      { seed: 10, numRuns: 300 },
    );
    expect(allowed).toBeGreaterThan(1000);
    expect(refused).toBeGreaterThan(100);
    expect(overtaken).toBeGreaterThan(20);
  });
});

describe("a rank", () => {
  it("[TREE-4] lies between any two others, and stays below the limit after 2 000 in one gap", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 120 }), (places) => {
        const ranks: string[] = [];
        for (const place of places) {
          const at = place % (ranks.length + 1);
          const rank = rankBetween(ranks[at - 1] ?? null, ranks[at] ?? null);
          ranks.splice(at, 0, rank);
        }
        const inOrder = ranks.map((rank) => ({ rank })).sort(byRank);
        expect(inOrder.map(({ rank }) => rank)).toEqual(ranks);
        expect(new Set(ranks).size).toBe(ranks.length);
      }),
      { seed: 11 },
    );
    let [low, high] = ["80000000", "80000001"];
    for (let index = 0; index < 2000; index += 1)
      if (index % 2 === 0) low = rankBetween(low, high);
      else high = rankBetween(low, high);
    expect(Math.max(low.length, high.length)).toBeLessThan(longestRank);
  });

  it("[TREE-4] stays short at both ends of a list", () => {
    let [first, last] = ["80000000", "80000000"];
    for (let index = 0; index < 20_000; index += 1) {
      first = rankBetween(null, first);
      last = rankBetween(last, null);
    }
    expect([first.length, last.length]).toEqual([8, 8]);
  });
});
