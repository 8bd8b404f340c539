import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyClaims } from "./claims";

const secret = "a-secret-of-more-than-thirty-two-bytes";
const now = 1_800_000_000;
const ana = "11111111-1111-4111-8111-111111111111";

type TokenOptions = {
  header?: object;
  claims?: object;
  secret?: string;
  alg?: "sha256" | "sha512";
};

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function token({
  header = {},
  claims = {},
  secret: with_ = secret,
  alg = "sha256",
}: TokenOptions = {}): string {
  const head = encode({ alg: "HS256", typ: "JWT", ...header });
  const body = encode({
    sub: ana,
    aud: "authenticated",
    session_id: "s",
    email: "ana@example.com",
    iat: now - 10,
    exp: now + 600,
    ...claims,
  });
  return `${head}.${body}.${createHmac(alg, with_).update(`${head}.${body}`).digest("base64url")}`;
}

describe("[ACC-7] identity on the server", () => {
  test("accepts a token signed with our secret", () => {
    expect(verifyClaims(token(), secret, now)).toEqual({
      userId: ana,
      sessionId: "s",
      email: "ana@example.com",
      issuedAt: now - 10,
      expiresAt: now + 600,
    });
  });

  test("accepts one right audience among several", () => {
    expect(
      verifyClaims(token({ claims: { aud: ["other", "authenticated"] } }), secret, now),
    ).not.toBeNull();
  });

  const whole = token();
  const [head = "", body = "", signature = ""] = whole.split(".");
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const rsHead = encode({ alg: "RS256", typ: "JWT" });
  const rsSigned = sign("sha256", Buffer.from(`${rsHead}.${body}`), rsa.privateKey);
  const rsToken = `${rsHead}.${body}.${rsSigned.toString("base64url")}`;
  const otherBody = encode({ sub: "mallory", aud: "authenticated", iat: now, exp: now + 600 });

  test.each([
    ["another secret", token({ secret: `${secret}!` })],
    ["alg none, unsigned", `${encode({ alg: "none" })}.${body}.`],
    ["alg none, with a signature", token({ header: { alg: "none" } })],
    ["alg in another case", token({ header: { alg: "hs256" } })],
    ["HS512, rightly signed", token({ header: { alg: "HS512" }, alg: "sha512" })],
    ["RS256, rightly signed by a stranger", rsToken],
    ["a critical extension", token({ header: { crit: ["exp"] } })],
    ["a replaced body", `${head}.${otherBody}.${signature}`],
    ["a truncated signature", `${head}.${body}.${signature.slice(0, -4)}`],
    ["an empty signature", `${head}.${body}.`],
    ["five parts", `${whole}.a.b`],
    ["expired", token({ claims: { exp: now - 6 } })],
    ["never expiring", token({ claims: { exp: undefined } })],
    ["expiring as text", token({ claims: { exp: String(now + 600) } })],
    ["not yet valid", token({ claims: { nbf: now + 60 } })],
    ["another audience", token({ claims: { aud: "anon" } })],
    ["no audience", token({ claims: { aud: undefined } })],
    ["nobody", token({ claims: { sub: undefined } })],
    ["no token", ""],
    ["no JSON", "a.b.c"],
  ])("%s is refused", (_, bad) => {
    expect(verifyClaims(bad, secret, now)).toBeNull();
  });
});
