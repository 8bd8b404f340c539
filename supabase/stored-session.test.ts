import { createChunks } from "@supabase/ssr";
import { describe, expect, test } from "vitest";
import { authCookie } from "./cookie";
import { holdsSession, storedSession } from "./stored-session";

const session = {
  access_token: "a.b.c",
  expires_at: 1_800_000_000,
  user: { id: "ana", email: "ana@example.com", user_metadata: { name: "Ana" } },
};
const cookiesOf = (value: object) =>
  createChunks(authCookie, `base64-${Buffer.from(JSON.stringify(value)).toString("base64url")}`)
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");

describe("[ACC-19] the session that a browser holds", () => {
  test("is read from its cookies, in one piece or several", async () => {
    expect(await storedSession(`theme=dark; ${cookiesOf(session)}`)).toEqual(session);
    const name = "A".repeat(8_000);
    const long = { ...session, user: { ...session.user, user_metadata: { name } } };
    expect(cookiesOf(long)).toContain(`${authCookie}.1=`);
    expect(await storedSession(cookiesOf(long))).toEqual(long);
    expect(holdsSession(cookiesOf(long))).toBe(true);
  });

  test("is null without a cookie, or with a code verifier alone", async () => {
    for (const cookies of ["", "theme=dark", `${authCookie}-code-verifier=base64-e30`]) {
      expect(await storedSession(cookies)).toBeNull();
      expect(holdsSession(cookies)).toBe(false);
    }
  });
});
