import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { broughtState } from "@/components/document/fetched-state";
import { packApart } from "@/events/crdt/validation/state-parts";
import { packState } from "./packed-state";

/** Returns the result with its bytes as text: Vitest takes seconds to compare megabytes. */
const legible = ({ state, since, ...rest }: Brought) => ({
  ...rest,
  state: Buffer.from(state).toString("base64"),
  since: since?.map((each) => Buffer.from(each).toString("base64")),
});
type Brought = Awaited<ReturnType<typeof broughtState>>;

describe("a page's document state", () => {
  it("survives packing byte for byte, in order [EDIT-14]", async () => {
    const state = new Uint8Array(randomBytes(300_000));
    const since = [new Uint8Array([1, 2, 3]), new Uint8Array([]), new Uint8Array(randomBytes(500))];
    const owners: [number, string][] = [[7, "Ana"]];

    expect(
      legible(await broughtState({ version: 9, owners, state: packState({ state, since }) }, "id")),
    ).toEqual(legible({ version: 9, state, since, owners }));
  });

  it("is fetched from its own address when it is too large for a page [LOG-57]", async () => {
    const state = new Uint8Array(randomBytes(2_000_000));
    const since = [new Uint8Array([1, 2, 3]), new Uint8Array([])];
    const owners: [number, string][] = [[7, "Ana"]];
    expect(await packState({ state, since })).toBeNull();
    const apart = packApart({ version: 9, owners, state: deflateRawSync(state), since });
    const asked: unknown[] = [];
    vi.stubGlobal("fetch", (address: string) => {
      asked.push(address);
      return Promise.resolve(new Response(new Uint8Array(apart)));
    });
    try {
      const brought = { version: 3, owners: [], state: Promise.resolve(null) };
      expect(legible(await broughtState(brought, "id"))).toEqual(
        legible({ version: 9, state, since, owners }),
      );
      expect(asked).toEqual(["/d/id/state"]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
