import { expect, it } from "vitest";
import { personHeader } from "./page-person";
import { personFetch } from "./person-fetch";
import { maySendFor, personOfToken } from "./token-person";

const tokenOf = (sub: string) =>
  `e30.${Buffer.from(JSON.stringify({ sub, exp: 4_000_000_000 })).toString("base64url")}.c2ln`;

/** Creates a page, and records its requests: their tokens, and whether the header was sent. */
function page() {
  const sent: (string | null)[] = [];
  const doubts: string[] = [];
  const person = { id: null as string | null, doubt: () => void doubts.push("doubt") };
  const ask = personFetch(person, async (_input, init) => {
    const headers = new Headers(init?.headers);
    expect(headers.has(personHeader)).toBe(false);
    sent.push(headers.get("authorization"));
    return Response.json([]);
  });
  const call = (token: string, headers: Record<string, string> = {}, path = "/rest/v1/rpc/f") =>
    ask(`http://here${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  return { person, sent, doubts, call };
}

it("[ACC-50] a token is compared with the person of the page, and a key is not", () => {
  expect(personOfToken(tokenOf("ana"))).toBe("ana");
  expect(maySendFor("ana", tokenOf("ana"))).toBe(true);
  expect(maySendFor("ana", tokenOf("ben"))).toBe(false);
  expect(maySendFor(null, tokenOf("ben"))).toBe(true);
  for (const key of ["sb_publishable_key", "a.b.c", "", `e30.${btoa('{"role":"anon"}')}.x`])
    expect(maySendFor("ana", key)).toBe(true);
});

it("[ACC-50] a page sends nothing under another person's token, and answers as the database does", async () => {
  const { person, sent, doubts, call } = page();
  person.id = "ana";
  expect((await call(tokenOf("ana"))).status).toBe(200);
  const refused = await call(tokenOf("ben"));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ message: "not-permitted", hint: "other-account" });
  expect(sent).toEqual([`Bearer ${tokenOf("ana")}`]);
  expect(doubts).toEqual(["doubt"]);
});

it("[ACC-50] a call that names its person is sent under their token alone", async () => {
  const { person, sent, call } = page();
  expect((await call(tokenOf("ben"), { [personHeader]: "ana" })).status).toBe(403);
  expect((await call(tokenOf("ana"), { [personHeader]: "ana" })).status).toBe(200);
  person.id = "ben";
  expect((await call(tokenOf("ben"), { [personHeader]: "ana" })).status).toBe(403);
  expect(sent).toEqual([`Bearer ${tokenOf("ana")}`]);
});

it("[ACC-50] a page changes neither password nor session of another person", async () => {
  const { person, sent, call } = page();
  person.id = "ana";
  await expect(call(tokenOf("ben"), {}, "/auth/v1/user")).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});
