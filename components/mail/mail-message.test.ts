import { expect, test } from "vitest";
import { mailParts } from "./mail-message";

const origin = "http://127.0.0.1:3000";

test("links of the workspace become local paths, others stay unchanged", () => {
  expect(
    mailParts(
      "Set it (http://localhost:3000/auth/confirm?token_hash=a&type=recovery)\nor see https://example.com/x.",
      origin,
    ),
  ).toEqual([
    { kind: "text", text: "Set it (" },
    {
      kind: "link",
      text: "http://localhost:3000/auth/confirm?token_hash=a&type=recovery",
      href: "/auth/confirm?token_hash=a&type=recovery",
    },
    { kind: "text", text: ")\nor see " },
    { kind: "link", text: "https://example.com/x.", href: "https://example.com/x." },
  ]);
});

test("only http and https become links", () => {
  for (const text of ["javascript:alert(1)", "data:text/html,x", '<a href="x">y</a>']) {
    expect(mailParts(text, origin)).toEqual([{ kind: "text", text }]);
  }
});
