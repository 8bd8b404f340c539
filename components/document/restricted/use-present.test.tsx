import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { silentRoot } from "@/components/ui/silent-root.fixture";
import { usePresent } from "./use-present";

const minute = 60_000;
const refresh = vi.fn();
let root: Awaited<ReturnType<typeof silentRoot>>;

beforeEach(async () => {
  root = await silentRoot();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await root.end();
  refresh.mockReset();
});

function Page(at: { version: number; heard: number; failed?: boolean; isShown?: boolean }) {
  usePresent({ failed: false, isShown: true, refresh, ...at });
  return null;
}
/** Returns the number of requests for the page within a time in ms. */
function within(ms: number): number {
  refresh.mockClear();
  vi.advanceTimersByTime(ms);
  return refresh.mock.calls.length;
}

it("[GRADE-8] requests an announced version with back-off until the page has it", async () => {
  await root.render(<Page version={4} heard={4} />);
  expect(refresh).not.toHaveBeenCalled();
  await root.render(<Page version={4} heard={5} />);
  expect(refresh).toHaveBeenCalledOnce();
  expect(within(minute)).toBe(3);
  expect(within(10 * minute)).toBe(10);
  await root.render(<Page version={5} heard={5} />);
  // The request that picks up unreported edits.
  expect(within(10 * minute)).toBe(1);
});

it("[GRADE-8] retries a failed text, but requests nothing while the past is shown", async () => {
  await root.render(<Page version={5} heard={5} failed />);
  expect(within(minute)).toBe(3);
  await root.render(<Page version={5} heard={6} failed isShown={false} />);
  expect(within(minute)).toBe(0);
});
