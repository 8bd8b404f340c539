import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { pageRows } from "@/events/core/pages";
import { allRows, readByIds } from "./paged-rows";
import { StoreFault } from "./store";

type Row = { stream: number; version: number; changed: number };

const row = z.object({ stream: z.int(), version: z.int(), changed: z.int() });
const behind = /^stream\.gt\.(\d+)(?:,and\(stream\.eq\.\1,or\(version\.gt\.(\d+)\)\))?$/;

/** Creates a PostgREST table: at most 1000 rows a request, and `between` runs after each. */
function tableOf(rows: Row[], between: () => void = () => undefined) {
  const requests: number[] = [];
  const queryOf = (matching: (row: Row) => boolean, columns: (keyof Row)[]) => ({
    or(filters: string) {
      const [, stream, version] = behind.exec(filters) ?? [];
      if (stream === undefined) throw new Error(`this is not understood: ${filters}`);
      const beyond = (each: Row) =>
        each.stream > Number(stream) ||
        (version !== undefined && each.stream === Number(stream) && each.version > Number(version));
      return queryOf(beyond, columns);
    },
    order: (column: string) => queryOf(matching, [...columns, z.keyof(row).parse(column)]),
    async limit(count: number) {
      const found = rows
        .filter(matching)
        .sort((a, b) =>
          columns.reduce((order, column) => (order === 0 ? a[column] - b[column] : order), 0),
        )
        .slice(0, Math.min(count, 1000));
      requests.push(found.length);
      const answer = { data: structuredClone(found), error: null, status: 200 };
      between();
      return answer;
    },
  });
  return { requests, query: () => queryOf(() => true, []) };
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ stream: at, version: 1, changed: count - at }));

describe("[DOCS-15] rows of a long list", () => {
  it("come in pages of as many rows as the database returns", () => {
    const config = parse(readFileSync("supabase/config.toml", "utf8"));
    expect(config.api).toMatchObject({ max_rows: pageRows });
  });

  it.each([
    [0, [0]],
    [999, [999]],
    [1000, [1000, 0]],
    [1001, [1000, 1]],
    [2500, [1000, 1000, 500]],
  ])("%i of them are read to the end", async (count, requests) => {
    const table = tableOf(rowsOf(count));
    expect(await allRows(table.query, ["stream"], row)).toEqual(rowsOf(count));
    expect(table.requests).toEqual(requests);
  });

  it("are each read once while rows change and are added", async () => {
    const rows = rowsOf(2500);
    let now = 10_000;
    const table = tableOf(rows, () => {
      // The last row becomes the most recently changed one, and a row is inserted before those
      // already read.
      const oldest = rows.at(-1);
      if (oldest) oldest.changed = now += 1;
      rows.unshift({ stream: -now, version: 1, changed: now });
    });
    const read = (await allRows(table.query, ["stream"], row)).map(({ stream }) => stream);
    expect(read).toEqual(rowsOf(2500).map(({ stream }) => stream));
  });

  it("are paged by as many columns as make them unique", async () => {
    const rows = [1, 2].flatMap((stream) =>
      Array.from({ length: 1200 }, (_, at) => ({ stream, version: at, changed: 0 })),
    );
    expect(await allRows(tableOf(rows).query, ["stream", "version"], row)).toEqual(rows);
  });

  it("are requested by as many ids as fit into an address", async () => {
    const ids = Array.from({ length: 201 }, (_, at) => String(at));
    const asked: number[] = [];
    const found = await readByIds(ids, async (some) => {
      asked.push(some.length);
      return some;
    });
    expect(found).toEqual(ids);
    expect(asked).toEqual([80, 80, 41]);
    expect(await readByIds([], () => Promise.reject(new Error("nothing was named")))).toEqual([]);
  });

  it("throw if a page is refused", async () => {
    const failing = {
      or: () => failing,
      order: () => failing,
      limit: async () => ({ data: null, error: { message: "gone" }, status: 503 }),
    };
    await expect(allRows(() => failing, ["stream"], row)).rejects.toThrow(StoreFault);
  });
});
