import { expect, test } from "vitest";
import { readAuthCall } from "./auth-endpoints";
import { callOf } from "../http/call.fixture";

const read = (email: unknown) =>
  readAuthCall(
    callOf(
      new Request("http://localhost:3000/auth/v1/user", {
        method: "PUT",
        headers: { "content-type": "application/json" },
      }),
    ),
    Buffer.from(JSON.stringify({ email })),
  );

test.each([
  "ana",
  "ana@",
  "@example.com",
  "ana@example",
  "ana@example..com",
  "ana@.example.com",
  "ana@example.c",
  "ana@-example.com",
  "ana b@example.com",
  "ana@example.com, ben@example.com",
  "ana@example.com\u200b",
  "Ana <ana@example.com>",
  "ana..b@example.com",
  ".ana@example.com",
  "ana@exa_mple.com",
  "ana@ex@ample.com",
])("[API-64] a change to the address %j is refused", async (email) => {
  const call = read(email);
  expect(call).toBeInstanceOf(Response);
  if (!(call instanceof Response)) return;
  expect(call.status).toBe(400);
  expect(await call.json()).toMatchObject({ code: "validation_failed" });
});

test.each([
  ["Ana@Example.com", "ana@example.com"],
  [" ana+tag@mail.example.org ", "ana+tag@mail.example.org"],
  ["o'neil_1@example.co", "o'neil_1@example.co"],
  ["jürgen@bücher.example", "jürgen@bücher.example"],
  ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
])("[API-64] a change to the address %j is accepted", (email, taken) => {
  expect(read(email)).toMatchObject({ body: { email: taken } });
});
