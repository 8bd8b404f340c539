import { expect, it } from "vitest";
import { logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

/** Opens a document whose first `many` events are recorded in a form that every reader rejects. */
function damaging(many: number) {
  const { clock, backend, open } = world();
  const tab = backend.tab("ana", "1");
  const plain = tab.store();
  let damaged = 0;
  const live = open(tab, {
    store: {
      ...plain,
      append: (...call) => {
        for (const proposal of call[2])
          if (damaged < many && (damaged += 1) > 0) proposal.update = Uint8Array.of(0, 0, 9, 9, 9);
        return plain.append(...call);
      },
    },
  });
  return { clock, backend, live };
}

it("[SYNC-46] an edit that log readers reject is sent again until they accept it", async () => {
  const { clock, backend, live } = damaging(2);
  await clock.advance(1_000);
  type(live, "typed once");
  await clock.advance(60_000);
  expect(textOf(live)).toBe("typed once");
  expect(logText(backend)).toBe("typed once");
  expect(backend.log(stream)).toHaveLength(3);
  expect(status(live.sync.getSnapshot()).label).toBe("Saved");
});

it("[SYNC-46] an edit that is rejected each time is kept, shown as not saved and sent no more", async () => {
  const { clock, backend, live } = damaging(Infinity);
  await clock.advance(1_000);
  type(live, "typed in vain");
  await clock.advance(120_000);
  const sent = backend.log(stream).length;
  expect(sent).toBeLessThan(12);
  expect(status(live.sync.getSnapshot())).toMatchObject({ label: "Not saved", action: "retry" });
  expect(live.unsavedText()).toBe("typed in vain");
  await clock.advance(120_000);
  expect(backend.log(stream)).toHaveLength(sent);
});
