import { expect, it } from "vitest";
import type { Clock } from "@/events/core/clock";
import type { LiveDocument } from "./live-document";
import { logText, logUnder, paragraphsUnder, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

it("[SYNC-48] text typed between folding and showing a long event stays, and both are saved", async () => {
  const { clock, backend, open } = world();
  const typed: string[] = [];
  const pages: LiveDocument[] = [];
  let begun = Infinity;
  // A keystroke follows every turn in which text is folded but not shown.
  const attentive: Clock = {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    after: (delay, run) =>
      clock.after(delay, () => {
        const [ana] = pages;
        if (ana && typed.length < 3 && ana.version > begun && !textOf(ana).includes("far")) {
          typed.push("x");
          type(ana, "x", 0);
        }
        run();
      }),
  };
  const ana = open(backend.tab("ana", "1"), { clock: attentive });
  pages.push(ana);
  await clock.advance(1_000);
  type(ana, "near ");
  await clock.advance(2_000);
  begun = ana.version;
  // A restore appends such an update.
  const update = paragraphsUnder(77, Array<string>(600).fill("far "));
  logUnder({ backend, clientId: 77, update });
  await clock.advance(5_000);
  expect(typed).not.toEqual([]);
  expect(textOf(ana)).toContain(`${typed.join("")}near `);
  expect(textOf(ana)).toContain("far ".repeat(600));
  expect(logText(backend)).toBe(textOf(ana));
  expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  expect(ana.debug().page.rebuiltFor).toEqual([]);
});
