import { expect, it } from "vitest";
import { toBase64 } from "lib0/buffer";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

/** Returns letters that do not compress. */
function letters(length: number, seed: number): string {
  const random = seededRandom(seed);
  const source = Uint8Array.from({ length }, () => random.below(256));
  return toBase64(source).slice(0, length);
}

it.each([
  ["the embedded backend", 1024 * 1024],
  ["a proxy that takes less", 400_000],
])("[SYNC-45] more than 2 MB of unsent text reaches the log through %s", async (_proxy, limit) => {
  const { clock, backend, open } = world();
  const tab = backend.tab("ana", "1");
  const plain = tab.store();
  const sizes: number[] = [];
  let refused = 0;
  const store: Store = {
    ...plain,
    append: async (...call) => {
      const size = JSON.stringify(
        call[2].map((proposal) => ({
          ...proposal,
          update: toBase64(proposal.update ?? new Uint8Array()),
        })),
      ).length;
      if (size > limit) {
        refused += 1;
        throw new StoreFault("A request may hold less.", 413);
      }
      sizes.push(size);
      return plain.append(...call);
    },
  };
  tab.setOffline(true);
  const ana = open(tab, { store });
  const pieces = Array.from({ length: 12 }, (_, at) => letters(180_000, at + 1));
  for (const piece of pieces) {
    type(ana, piece);
    await clock.advance(20);
  }
  tab.setOffline(false);
  await clock.advance(60_000);
  expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  expect(logText(backend) === pieces.join("")).toBe(true);
  expect(textOf(ana) === pieces.join("")).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2 * 1024 * 1024);
  // A known limit is applied without an attempt.
  expect(refused === 0).toBe(limit === 1024 * 1024);
  expect(backend.log(stream).length).toBeGreaterThan(4);
});
