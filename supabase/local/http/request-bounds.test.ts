import { expect, test } from "vitest";
import { callOf } from "./call.fixture";
import { addressRefusal, bodyRefusal } from "./request-bounds";

const origin = "http://localhost";
const ask = (path: string, body = "", init: RequestInit = { method: "POST" }) => {
  const call = callOf(new Request(origin + path, init));
  return (
    addressRefusal(call.url, call.head.headers) ?? bodyRefusal(call, new TextEncoder().encode(body))
  );
};
const typed = (type: string) => ({ method: "POST", headers: { "content-type": type } });
const rows = (count: number, columns: number) =>
  JSON.stringify(
    Array.from({ length: count }, () =>
      Object.fromEntries(Array.from({ length: columns }, (_, column) => [`c${column}`, 1])),
    ),
  );
const times = (count: number, piece: string) => Array<string>(count).fill(piece).join(",");
/** Builds a batch of copied-in states, each with as many client ids as it may bind (FORK-5). */
const copies = (count: number) =>
  `{"events":[${times(count, `{"clientIds":[${times(16_384, "4294967295")}]}`)}]}`;

const names = (count: number) => `{"events":[{${times(count - 1, '"a":1')}}]}`;

test.each<[string, Response | null, number | null]>([
  ["1 000 rows", ask("/rest/v1/notes", rows(1_000, 1)), null],
  ["1 001 rows", ask("/rest/v1/notes", rows(1_001, 1)), 413],
  ["1 600 columns", ask("/rest/v1/notes", rows(1, 1_600)), null],
  ["1 601 columns", ask("/rest/v1/notes", rows(1, 1_601).slice(1, -1)), 413],
  ["100 arguments", ask("/rest/v1/rpc/note", rows(1, 100).slice(1, -1)), null],
  ["101 arguments", ask("/rest/v1/rpc/note", rows(1, 101).slice(1, -1)), 413],
  ["10 001 values", ask("/rest/v1/rpc/note", `{"a":[${times(10_000, "1")}]}`), 413],
  ["an append of five copies", ask("/rest/v1/rpc/append_events", copies(5)), null],
  ["an append of 20 000 names", ask("/rest/v1/rpc/append_events", names(20_000)), null],
  ["an append of 20 001 names", ask("/rest/v1/rpc/append_events", names(20_001)), 413],
  ["an append of seven copies", ask("/rest/v1/rpc/append_events", copies(7)), 413],
  ["64 levels", ask("/rest/v1/rpc/note", "[".repeat(64) + "]".repeat(64)), null],
  ["65 levels", ask("/rest/v1/rpc/note", "[".repeat(65) + "]".repeat(65)), 400],
  ["levels in a string", ask("/rest/v1/notes", JSON.stringify([{ a: "[".repeat(9_000) }])), null],
  ["CSV, 1 000 rows", ask("/rest/v1/notes", "a\n" + "1\n".repeat(999), typed("text/csv")), null],
  ["CSV, 1 001 rows", ask("/rest/v1/notes", "a\n" + "1\n".repeat(1_000), typed("text/csv")), 413],
  [
    "CSV rows without most of their columns",
    ask("/rest/v1/notes", `${times(1_000, "a")}\n${"1\n".repeat(9)}`, typed("text/csv")),
    413,
  ],
  [
    "JSON that calls itself CSV as well",
    ask("/rest/v1/notes", rows(1_001, 1), typed("text/csv; x=application/json")),
    413,
  ],
  [
    "101 fields",
    ask("/rest/v1/rpc/note", "a&".repeat(100), typed("application/x-www-form-urlencoded")),
    413,
  ],
  ["bytes", ask("/rest/v1/rpc/note", "[".repeat(9_000), typed("application/octet-stream")), null],
  ["500 paths", ask("/storage/v1/object/sign/files", `{"paths":[${times(500, '"a"')}]}`), null],
  ["2 001 paths", ask("/storage/v1/object/sign/files", `{"paths":[${times(2_000, '"a"')}]}`), 413],
  ["a key of 1 024 characters", ask(`/storage/v1/object/files/${"%C3%A9".repeat(1_024)}`), null],
  ["a key of 1 025 characters", ask(`/storage/v1/object/files/${"%C3%A9".repeat(1_025)}`), 400],
  [
    "a list of 400 ids",
    ask(`/rest/v1/notes?id=in.(${times(400, "00000000-0000-4000-8000-000000000000")})`),
    null,
  ],
  ["501 columns", ask(`/rest/v1/notes?select=${times(501, "id")}`), 400],
  [
    "501 columns, encoded",
    ask(`/rest/v1/notes?select=${times(501, "id").replaceAll(",", "%2C")}`),
    400,
  ],
  ["501 parameters", ask(`/rest/v1/notes?${"a&".repeat(501)}`), 400],
  ["21 embeds", ask(`/rest/v1/notes?select=${times(21, "a(b)")}`), 400],
  [
    "filters 101 deep",
    ask(`/rest/v1/notes?or=${"(and".repeat(100)}(a.eq.1${")".repeat(101)}`),
    400,
  ],
  [
    "filters of an embed, 101 deep",
    ask(`/rest/v1/notes?a.or=${"(and".repeat(100)}(a.eq.1${")".repeat(101)}`),
    400,
  ],
  ["a name of a table", ask(`/rest/v1/${"a".repeat(300)}`), 404],
])("[API-70] bounds a request: %s", (_name, refused, status) => {
  expect(refused?.status ?? null).toBe(status);
});
