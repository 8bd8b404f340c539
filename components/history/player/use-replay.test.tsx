import { useSelector } from "@xstate/react";
import { StrictMode } from "react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { silentRoot } from "@/components/ui/silent-root.fixture";
import { useReplay } from "./use-replay";

const readings: AbortSignal[] = [];
vi.mock("@/events/worker/history", () => ({
  readTimeline: ({ signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => {
      readings.push(signal);
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
}));
vi.mock("@/events/worker/page-background", () => ({
  pageBackground: { onLost: () => () => undefined },
}));

const store = { read: () => Promise.resolve([]) };
const opening = { at: null, range: null, play: false, speed: 1, within: null } as const;
const shown: boolean[] = [];

function Probe() {
  const actor = useReplay({ documentId: "atlas", store, opening });
  shown.push(useSelector(actor, (snapshot) => snapshot.matches("failed")));
  return null;
}

// The test files of a worker share modules, and the next file needs the real ones.
afterAll(() => {
  vi.doUnmock("@/events/worker/history");
  vi.doUnmock("@/events/worker/page-background");
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("[HISTORY-33] reports no failure of a read aborted because React remounted the player", async () => {
  const root = await silentRoot();
  await root.render(
    <StrictMode>
      <Probe />
    </StrictMode>,
  );
  expect(readings.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(shown).not.toContain(true);
  await root.end();
});
