import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ruled } from "@/events/core/envelope";
import { BundleError } from "./bundle-format";
import { hashed, streamOf } from "./chain.fixture";
import { checkHistory } from "./verification";
import type { Report } from "./verification";
import { ana, atOnce, history, people, template } from "./bundle.fixture";
import { checkBundle } from "./bundle-check";
import { makeBundle } from "./bundle-making";
import { redactionOf } from "./redaction-event";
import { reportWords } from "./report-words";

const root = fileURLToPath(new URL("../..", import.meta.url));
let rows: Ruled[];
let folder: string;
beforeAll(async () => {
  rows = await history();
  folder = await mkdtemp(join(tmpdir(), "palimpsest-tampering-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const renumbered = (some: readonly Ruled[]) =>
  some.map((row, index) => ({ ...row, version: index + 1 }));
const flipped = (bytes: Uint8Array | null) =>
  bytes && bytes.map((byte, at) => (at === bytes.length - 3 ? byte ^ 1 : byte));
const at = (version: number, change: (row: Ruled) => Ruled[]) =>
  rows.flatMap((row) => (row.version === version ? change(row) : [row]));
const other = async () =>
  (
    await hashed(
      rows.map((row) => ({
        ...row,
        streamId: streamOf(2),
        subject: { kind: "document", id: streamOf(2) },
      })),
    )
  )[3];

type Found = { verdict: Exclude<Report["verdict"], "intact">; version: number };

/**
 * A tampering of a history, the report of its page in a browser that has seen the whole history,
 * and the report of a verifier for its bundle.
 */
const tamperings: [
  name: string,
  make: () => Promise<Ruled[]> | Ruled[],
  page: Found,
  file: RegExp,
][] = [
  [
    "a bit was flipped",
    () => at(4, (row) => [{ ...row, update: flipped(row.update) }]),
    { verdict: "damaged", version: 4 },
    /content of event 4 is not what was recorded/,
  ],
  [
    "its end was cut off",
    () => rows.slice(0, 5),
    { verdict: "shortened", version: 6 },
    /A head that was seen at event 7 is not in this history/,
  ],
  [
    "its middle was cut out",
    () => at(4, () => []),
    { verdict: "damaged", version: 4 },
    /[Ee]vent 4/,
  ],
  [
    "its middle was cut out and the rest was renumbered",
    () => renumbered(at(4, () => [])),
    { verdict: "damaged", version: 4 },
    /[Ee]vent 4/,
  ],
  [
    "two events were swapped",
    () => renumbered([...rows.slice(0, 3), ...rows.slice(3, 5).toReversed(), ...rows.slice(5)]),
    { verdict: "damaged", version: 4 },
    /[Ee]vent 4/,
  ],
  [
    "an event occurs twice",
    () => renumbered(at(4, (row) => [row, row])),
    { verdict: "damaged", version: 5 },
    /[Ee]vent 5/,
  ],
  [
    "an event was replaced by another document’s",
    async () => {
      const foreign = await other();
      return at(4, (row) => [foreign ?? row]);
    },
    { verdict: "damaged", version: 4 },
    /Event 4 belongs to another document/,
  ],
  [
    "it was changed and all its hashes were recomputed",
    () => hashed(at(4, (row) => [{ ...row, schema: 2 }])),
    { verdict: "rewritten", version: 4 },
    /A head that was seen at event 7 is not in this history/,
  ],
];

/**
 * Returns a forged history's bundle, correct in every respect except the head that the browser had
 * seen.
 */
async function fileOf(tampered: Ruled[]): Promise<Uint8Array<ArrayBuffer>> {
  const seen = { version: 7, hash: rows[6]?.hash ?? "", at: Date.UTC(2026, 10, 14) };
  const { bytes } = await makeBundle({
    rows: tampered,
    people,
    seen,
    title: "Plans",
    by: { userId: ana, name: "Ana", color: 8 },
    at: "2026-11-21T16:00:00.000Z",
    template,
    files: new Map(),
    breathe: atOnce,
  });
  return bytes;
}

/** Returns the output of `npm run verify` for a file, and its exit code. */
function verified(file: string): Promise<{ code: number; output: string }> {
  return new Promise((settle) => {
    const args = [
      join(root, "node_modules/tsx/dist/cli.mjs"),
      join(root, "events/proof/verify-file.ts"),
      file,
    ];
    const child = execFile(process.execPath, args, { cwd: root }, (_error, stdout, stderr) =>
      settle({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

describe("a history that was tampered with", () => {
  it.each(tamperings)(
    "[VERIFY-2] [VERIFY-3] [VERIFY-4] [VERIFY-5] is reported in the page: %s",
    async (_name, make, page) => {
      const tampered = await make();
      const hashes = new Map(rows.map(({ version, hash }) => [version, hash]));
      const report = await checkHistory({
        stream: streamOf(1),
        source: {
          read: async (_stream, after, max = Infinity) => tampered.slice(after, after + max),
        },
        remembered: {
          head: { version: 7, hash: rows[6]?.hash ?? "", at: 1 },
          since: 1,
          agrees: (version, hash) => (hashes.has(version) ? hashes.get(version) === hash : null),
        },
        redactionOf,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      expect(report).toMatchObject(page);
      const { sound, found } = reportWords(report, "yesterday", () => "yesterday");
      expect([sound, found]).toEqual([
        false,
        expect.stringMatching(new RegExp(`event ${page.version}`, "i")),
      ]);
    },
  );

  it.each(tamperings)("[BUNDLE-9] is refused as a file: %s", async (_name, make, _page, file) => {
    const checking = checkBundle(await fileOf(await make()), () => undefined);
    await expect(checking).rejects.toThrow(BundleError);
    await expect(checking).rejects.toThrow(file);
  });

  it("[BUNDLE-13] is refused by the command with its reason, and an intact one is not", async () => {
    // A single tampering suffices: each reason is tested above, and each process takes seconds.
    const cases = [
      ["nothing", () => rows, {}, /^Verified\./] as const,
      ...tamperings.slice(0, 1),
      ...tamperings.slice(-1),
    ];
    const verdicts = await Promise.all(
      cases.map(async ([, make], index) => {
        const path = join(folder, `${index}.zip`);
        await writeFile(path, await fileOf(await make()));
        return verified(path);
      }),
    );
    for (const [index, [, , , file]] of cases.entries())
      expect(verdicts[index]).toEqual({
        code: index === 0 ? 0 : 1,
        output: expect.stringMatching(file),
      });
  });
});
