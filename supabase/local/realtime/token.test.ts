import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keys, secret, sign } from "./fake-client";
import { tokenCode, tokenSentence, tokenVerifier } from "./token";

const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;
const verify = tokenVerifier(secret, keys);
const claims = { role: "authenticated", sub: "ana", exp: seconds + 60 };

function refusal(token: string): string {
  const verdict = verify(token, now);
  return verdict.ok ? "accepted" : `${tokenCode(verdict.error)}: ${tokenSentence(verdict.error)}`;
}

describe("a token", () => {
  it("[RT-10] is accepted when the secret signed it and it has not expired", () => {
    expect(verify(sign(claims), now)).toEqual({ ok: true, claims });
    expect(verify(sign(claims, { alg: "HS256", kid: "unknown", typ: "JWT" }), now)).toMatchObject({
      ok: true,
    });
  });

  it("[RT-10] may be signed with the longer digests", () => {
    const signed = sign(claims, { alg: "HS512" }).split(".").slice(0, 2).join(".");
    const token = `${signed}.${createHmac("sha512", secret).update(signed).digest("base64url")}`;
    expect(verify(token, now)).toMatchObject({ ok: true });
  });

  it("[RT-10] survives URL encoding and line breaks", () => {
    expect(verify(`${sign(claims)}%0A`, now)).toMatchObject({ ok: true });
    expect(verify(sign(claims).replace(".", ".\n "), now)).toMatchObject({ ok: true });
  });

  it("[RT-10] has its decimal expiry rounded", () => {
    expect(verify(sign({ ...claims, exp: seconds + 60.4 }), now)).toMatchObject({
      ok: true,
      claims: { exp: seconds + 60 },
    });
  });

  it.each([
    [
      "another secret",
      sign(claims, { alg: "HS256" }, "x".repeat(40)),
      "JwtSignatureError: Failed to validate JWT signature",
    ],
    [
      "a database role outside the API",
      sign({ ...claims, role: "postgres" }),
      "InvalidJWTToken: The role of the token is none of the API: anon, authenticated, service_role",
    ],
    [
      "a future nbf",
      sign({ ...claims, nbf: seconds + 31 }),
      "MalformedJWT: The token provided is not a valid JWT",
    ],
    [
      "no signature",
      sign(claims).split(".").slice(0, 2).join(".") + ".",
      "JwtSignatureError: Failed to validate JWT signature",
    ],
    [
      "the algorithm none",
      sign(claims, { alg: "none" }),
      "JwtSignerError: Failed to generate JWT signer, check your JWT secret or JWKS configuration",
    ],
    [
      "an asymmetric algorithm",
      sign(claims, { alg: "RS256", kid: "k" }),
      "JwtSignerError: Failed to generate JWT signer, check your JWT secret or JWKS configuration",
    ],
    [
      "a digest that does not match the signature",
      sign(claims, { alg: "HS384" }),
      "JwtSignatureError: Failed to validate JWT signature",
    ],
    [
      "no algorithm",
      sign(claims, {}),
      "JwtSignerError: Failed to generate JWT signer, check your JWT secret or JWKS configuration",
    ],
    [
      "expiry now",
      sign({ ...claims, exp: seconds }),
      "InvalidJWTToken: Token has expired 0 seconds ago",
    ],
    [
      "expiry in the past",
      sign({ ...claims, exp: seconds - 7 }),
      "InvalidJWTToken: Token has expired 7 seconds ago",
    ],
    [
      "an expiry that is not a number",
      sign({ ...claims, exp: "soon" }),
      "InvalidJWTToken: Token expiration time is invalid",
    ],
    [
      "no expiry",
      sign({ role: "authenticated" }),
      "InvalidJWTToken: Fields `role` and `exp` are required in JWT",
    ],
    [
      "no role",
      sign({ exp: seconds + 60 }),
      "InvalidJWTToken: Fields `role` and `exp` are required in JWT",
    ],
    [
      "an issue time that is not a number",
      sign({ ...claims, iat: "now" }),
      "MalformedJWT: The token provided is not a valid JWT",
    ],
    ["one part", "potato", "MalformedJWT: The token provided is not a valid JWT"],
    ["four parts", `${sign(claims)}.x`, "MalformedJWT: The token provided is not a valid JWT"],
    [
      "claims that are not an object",
      `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.${Buffer.from("[]").toString("base64url")}.x`,
      "MalformedJWT: The token provided is not a valid JWT",
    ],
    ["nothing", "", "MalformedJWT: The token provided is not a valid JWT"],
  ])("[RT-11] with %s is refused", (_, token, reason) => {
    expect(refusal(token)).toBe(reason);
  });

  it("[RT-12] may be one of the opaque keys, which stand for a role and do not expire", () => {
    const century = now + 100 * 365 * 86_400_000;
    expect(verify(keys.publishableKey, century)).toMatchObject({
      ok: true,
      claims: { role: "anon" },
    });
    expect(verify(keys.secretKey, century)).toMatchObject({
      ok: true,
      claims: { role: "service_role" },
    });
    expect(refusal("sb_secret_other")).toBe("MalformedJWT: The token provided is not a valid JWT");
  });
});
