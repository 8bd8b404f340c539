import { expect, test } from "vitest";
import { environment } from "./environment";

const embedded = {
  SUPABASE_URL: "http://127.0.0.1:3000",
  SUPABASE_PUBLISHABLE_KEY: "sb_publishable_a",
  SUPABASE_SECRET_KEY: "sb_secret_a",
  SUPABASE_JWT_SECRET: "x".repeat(32),
  PALIMPSEST_EMBEDDED: "1",
};

const hosted = {
  NEXT_PUBLIC_SUPABASE_URL: "https://p.example",
  NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_h",
};

test("the browser reaches the embedded backend on its own origin", () => {
  expect(environment(embedded)).toEqual({
    url: "http://127.0.0.1:3000",
    publicUrl: null,
    publishableKey: "sb_publishable_a",
    secretKey: "sb_secret_a",
    jwtSecret: "x".repeat(32),
    embedded: true,
    demo: true,
    mailPage: true,
    messageLimit: null,
  });
});

test("[HOSTED-7] a hosted project uses the signing secret that its operator sets", () => {
  expect(environment(hosted).jwtSecret).toBeNull();
  expect(environment({ ...hosted, SUPABASE_JWT_SECRET: "s" }).jwtSecret).toBe("s");
});

test("a hosted project wins over the embedded backend, and does not take its signing secret", () => {
  expect(environment({ ...embedded, ...hosted })).toMatchObject({
    url: "https://p.example",
    publicUrl: "https://p.example",
    publishableKey: "sb_publishable_h",
    jwtSecret: null,
    embedded: false,
  });
});

test("offers no demo with DEMO=0 or a hosted project", () => {
  expect(environment({ ...embedded, DEMO: "0" }).demo).toBe(false);
  expect(environment(hosted).demo).toBe(false);
});

test("an address without a key throws with a hint", () => {
  expect(() => environment({ SUPABASE_URL: "http://127.0.0.1:3000" })).toThrow(/npm start/);
});

test.each([
  [undefined, null],
  ["free", 100],
  ["pro", 500],
  ["team", 2_500],
])("gives the message limit of the plan %s, hosted and embedded", (plan, limit) => {
  for (const variables of [embedded, hosted])
    expect(environment({ ...variables, REALTIME_PLAN: plan }).messageLimit).toBe(limit);
});
