import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyToken } from "./tokens";

const secret = "a secret of at least thirty-two bytes";
const now = 1_800_000_000;
const ana = { sub: "7b1e8f3a-54f0-4b0b-8f7e-3f1f5a1e0001", role: "authenticated", exp: now + 600 };

function token(
  claims: object,
  { header = { alg: "HS256", typ: "JWT" } as object, key = secret, hash = "sha256" } = {},
): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest("base64url")}`;
}

describe("a token", () => {
  test("[API-2] that we signed and that is valid yields its claims", () => {
    expect(verifyToken(token(ana), secret, now)).toMatchObject(ana);
  });

  test.each<[string, string]>([
    ["is empty", ""],
    ["is garbage", "a.b.c"],
    ["has two parts", token(ana).split(".").slice(0, 2).join(".")],
    ["has four parts", `${token(ana)}.x`],
    ["says alg none", token(ana, { header: { alg: "none" } })],
    [
      "says alg none and has no signature",
      `${token(ana, { header: { alg: "none" } })
        .split(".")
        .slice(0, 2)
        .join(".")}.`,
    ],
    ["says alg HS512", token(ana, { header: { alg: "HS512" }, hash: "sha512" })],
    ["says alg RS256 over our secret", token(ana, { header: { alg: "RS256" } })],
    ["was signed with another key", token(ana, { key: "another secret of at least thirty-two" })],
    ["has expired", token({ ...ana, exp: now })],
    ["has no expiry", token({ sub: ana.sub, role: ana.role })],
    ["is not valid yet", token({ ...ana, nbf: now + 31 })],
    ["names the role postgres", token({ ...ana, role: "postgres" })],
    ["names the role supabase_admin", token({ ...ana, role: "supabase_admin" })],
    ["names no role", token({ sub: ana.sub, exp: ana.exp })],
    ["has a subject that is no id", token({ ...ana, sub: "'; set role postgres" })],
    [
      "was changed after signing",
      [token(ana), token({ ...ana, role: "service_role" }), token(ana)]
        .map((each, part) => each.split(".")[part])
        .join("."),
    ],
  ])("[API-2] that %s is refused", (_how, text) => {
    expect(verifyToken(text, secret, now)).toBeNull();
  });

  test("[API-2] that was accepted is refused once it has expired or differs", () => {
    const text = token(ana);
    expect(verifyToken(text, secret, now)).not.toBeNull();
    expect(verifyToken(text, secret, now)).toMatchObject(ana);
    expect(verifyToken(text, secret, ana.exp)).toBeNull();
    expect(verifyToken(`${text.slice(0, -4)}AAAA`, secret, now)).toBeNull();
    expect(verifyToken(text, "another secret of at least thirty-two", now)).toBeNull();
  });
});
