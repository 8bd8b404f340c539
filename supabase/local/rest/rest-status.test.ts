import { describe, expect, it } from "vitest";
import { statusOf } from "./rest-status";

const write = { isVisitor: false, isRead: false };
const read = { isVisitor: false, isRead: true };

describe("[API-93] the status of an error of the database", () => {
  it.each([
    ["lock timeout", "55P03"],
    ["deadlock", "40P01"],
    ["serialization failure", "40001"],
    ["full disk", "53100"],
    ["too many connections", "53300"],
    ["shutdown of the server", "57P01"],
    ["start of the server", "57P03"],
    ["lost connection", "08006"],
  ])("is 503 after a %s, whether the call reads or writes", (_name, code) => {
    expect([statusOf(code, write), statusOf(code, read)]).toEqual([503, 503]);
  });

  it("is 503 after a statement timeout of a call that writes, and 500 of a read", () => {
    expect([statusOf("57014", write), statusOf("57014", read)]).toEqual([503, 500]);
  });

  it.each([
    ["unique violation", "23505", 409],
    ["object in use", "55006", 500],
    ["configured limit", "53400", 500],
    ["fault inside a function", "XX000", 500],
    ["error without an entry", "22P02", 400],
  ])("is PostgREST's after a %s", (_name, code, status) => {
    expect([statusOf(code, write), statusOf(code, read)]).toEqual([status, status]);
  });

  it("is 401 for a visitor, and 403 for a person, without permission", () => {
    expect(statusOf("42501", { isVisitor: true, isRead: false })).toBe(401);
    expect(statusOf("42501", write)).toBe(403);
  });
});
