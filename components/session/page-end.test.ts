import { afterEach, expect, it, vi } from "vitest";
import { beforePageEnds, onPageEnd } from "./page-end";

/** Creates a window with its pagehide event. */
function page() {
  const target = new EventTarget();
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("removeEventListener", target.removeEventListener.bind(target));
  return () => target.dispatchEvent(new Event("pagehide"));
}

afterEach(() => vi.unstubAllGlobals());

it("[STREAM-12] saves before sending as the page ends, even if the sender registered first", () => {
  const end = page();
  const told: string[] = [];
  let stopSending = () => {};
  const stops = [
    onPageEnd(() => told.push("sent what waited")),
    beforePageEnds(() => {
      told.push("saved");
      stopSending = onPageEnd(() => told.push("sent what was saved"));
    }),
  ];
  end();
  expect(told).toEqual(["saved", "sent what waited", "sent what was saved"]);
  for (const stop of [...stops, stopSending]) stop();
  end();
  expect(told).toHaveLength(3);
});
