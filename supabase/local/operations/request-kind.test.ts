import { describe, expect, test } from "vitest";
import { kindOfPath, shownPath } from "./request-kind";

const document = "0a6b6f0e-6a4b-4c5e-9d3b-0c2b6f1f9a11";

describe("[OPS-6] the path of a request", () => {
  test.each([
    ["/rest/v1/rpc/append_events", "append"],
    ["/rest/v1/documents", "rest"],
    ["/auth/v1/token", "auth"],
    ["/storage/v1/object/states/x", "storage"],
    ["/functions/v1/summary", "functions"],
    ["/realtime/v1/api/broadcast", "realtime"],
    ["/_next/static/chunks/a.js", "asset"],
    ["/d/8f2c", "document"],
    ["/", "page"],
    ["/restless", "page"],
  ])("%s is of kind %s", (path, kind) => {
    expect(kindOfPath(path)).toBe(kind);
  });

  test.each([
    ["/invite/3f9-secret-token", "/invite/…"],
    ["/storage/v1/object/files/My diary.pdf", "/storage/v1/object/…/…"],
    [`/d/${document}/state`, `/d/${document}/state`],
    ["/rest/v1/rpc/append_events", "/rest/v1/rpc/append_events"],
    ["/words/of/ana", "/…/…/…"],
    ["/_next/static/chunks/a.js", "/_next/…/…/…"],
    [`/${"a/".repeat(500)}`, "/…/…/…/…/…/…"],
    ["/", "/"],
  ])("%s is shown as %s", (path, shown) => {
    expect(shownPath(path)).toBe(shown);
  });
});
