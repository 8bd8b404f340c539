import { strToU8 } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { BundleError, bundleLimits, eventLine, parseEventLine } from "./bundle-format";
import { packZip } from "./bundle-packing";
import { unpackZip } from "./bundle-unpacking";
import { chain } from "./chain.fixture";
import type { Ruled } from "@/events/core/envelope";

let row: Ruled;
beforeAll(async () => {
  const [first] = await chain(1);
  if (first === undefined) throw new Error("a chain of one has one");
  row = first;
});

const refusalOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
};

describe("a bundle at its limits", () => {
  it.each([
    [
      "body",
      bundleLimits.body,
      (bytes: number) => ({ bodyText: JSON.stringify("x".repeat(bytes - 2)) }),
      /larger body/,
    ],
    [
      "update",
      bundleLimits.update,
      (bytes: number) => ({ update: new Uint8Array(bytes) }),
      /larger update/,
    ],
    [
      "list of client ids",
      bundleLimits.clientIds,
      (count: number) => ({ clientIds: Array.from({ length: count }, (_, index) => index) }),
      /client_ids is wrong/,
    ],
  ] as const)("[LIMIT-6] may have a %s of %i, and none larger", (_name, most, fields, words) => {
    const judged = (size: number) =>
      refusalOf(() => parseEventLine(eventLine({ ...row, ...fields(size) }), 1));
    expect([judged(most - 1), judged(most)]).toEqual([null, null]);
    expect(judged(most + 1)).toMatch(words);
  });

  /** Returns the refusal of a zip whose directory declares these sizes for its one file. */
  async function said(packed: number, unpacked: number): Promise<string | null> {
    const zip = await packZip(
      [["README.txt", strToU8("Read me. ".repeat(20))]],
      async () => undefined,
    );
    const view = new DataView(zip.buffer);
    const record = view.getUint32(zip.length - 6, true);
    view.setUint32(record + 20, packed, true);
    view.setUint32(record + 24, unpacked, true);
    return refusalOf(() => unpackZip(zip));
  }

  it("[LIMIT-6] is refused as a bomb beyond a hundredfold, and not up to it", async () => {
    const most = 50 * bundleLimits.ratio;
    expect(await said(50, most - 1)).not.toMatch(/zip bomb/);
    expect(await said(50, most)).not.toMatch(/zip bomb/);
    expect(await said(50, most + 1)).toMatch(/zip bomb/);
  });

  it("[LIMIT-6] is limited by the unpacked size that its directory states, and by its own size", async () => {
    const packed = Math.ceil(bundleLimits.unpacked / 50);
    expect(await said(packed, bundleLimits.unpacked - 1)).not.toMatch(/at most 512 MB/);
    expect(await said(packed, bundleLimits.unpacked)).not.toMatch(/at most 512 MB/);
    expect(await said(packed, bundleLimits.unpacked + 1)).toMatch(/at most 512 MB/);
    const sized = (bytes: number) => refusalOf(() => unpackZip(new Uint8Array(bytes)));
    expect(sized(bundleLimits.packed - 1)).not.toMatch(/at most 512 MB/);
    expect(sized(bundleLimits.packed)).not.toMatch(/at most 512 MB/);
    expect(sized(bundleLimits.packed + 1)).toMatch(/at most 512 MB/);
  });
});
