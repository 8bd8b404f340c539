import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { silentRoot } from "@/components/ui/silent-root.fixture";
import { usePastAddress } from "./use-past-address";

let root: Awaited<ReturnType<typeof silentRoot>>;
let renders: ReturnType<typeof usePastAddress>[];
const written = vi.fn();

beforeEach(async () => {
  root = await silentRoot();
  renders = [];
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("location", { pathname: "/d/tides" });
  vi.stubGlobal("history", {
    replaceState: (_state: unknown, _title: string, address: string) => written(address),
    pushState: (_state: unknown, _title: string, address: string) => written(address),
  });
});
afterEach(async () => {
  await root.end();
  written.mockReset();
});

function Past({ query }: { query: URLSearchParams }) {
  renders.push(usePastAddress(query));
  return null;
}
const past = () => {
  const latest = renders.at(-1);
  if (latest === undefined) throw new Error("nothing has been rendered");
  return latest;
};
/** Renders the URL that the router has rendered. */
const rendered = (query: string) => root.render(<Past query={new URLSearchParams(query)} />);

it("[HISTORY-29] does not return to a revision whose address the router renders late", async () => {
  await rendered("?at=8");
  const { opening } = past();
  past().show("?at=7");
  past().show("?at=6&from=2.1&to=6");
  await rendered("?at=7");
  past().show("?at=5");
  await rendered("?at=6&from=2.1&to=6");
  await rendered("?at=5");
  expect(past().opening).toBe(opening);
  expect(written.mock.calls.flat()).toEqual(["?at=7", "?at=6&from=2.1&to=6", "?at=5"]);
});

it("[HISTORY-29] goes to the address of a link or Back, even one shown before", async () => {
  await rendered("?at=8");
  past().show("?at=7");
  await rendered("?at=7");
  await rendered("?at=8");
  expect(past().opening.at).toEqual({ version: 8, edit: null });
  past().show("?at=6");
  await rendered("?at=2&edit=1");
  expect(past().opening.at).toEqual({ version: 2, edit: 1 });
  await rendered("?at=6");
  expect(past().opening.at).toEqual({ version: 6, edit: null });
});

it("writes no revision into the address once its reader leaves the past", async () => {
  await rendered("?at=8");
  const { opening } = past();
  past().leave();
  past().show("?at=7");
  await rendered("");
  expect(past().opening).toBe(opening);
  expect(written.mock.calls.flat()).toEqual(["/d/tides"]);
});
