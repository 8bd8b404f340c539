import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { invite, join, newWorkspace } from "@/tests/support/writers/workspaces";
import type { Invited } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());
beforeEach(async () => {
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});

let count = 0;
const address = () => `guest.${(count += 1)}@example.com`;
const claim = async (user: User | null, { id, token }: Invited) => {
  const [row] = await db.as(
    user,
    (t) => t`select claim_invitation_mail(${id}, ${token}) as claimed`,
  );
  return row?.claimed as { refused: string | null; email?: string; inviterName?: string };
};
const refusedTo = async (user: User | null, invited: Invited) =>
  claim(user, invited).then(
    () => "granted",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const minutesLater = (minutes: number) =>
  db.sql`update private.invitation_mails set sent_at = sent_at - make_interval(mins => ${minutes})`;

it("[MAIL-21] one mail per invitation goes out in ten minutes", async () => {
  const email = address();
  const invited = await invite(db, ana, workspace, { email });
  expect(await claim(ana, invited)).toMatchObject({ refused: null, email });
  expect(await claim(ana, invited)).toEqual({ refused: "sent-lately" });
  await minutesLater(9);
  expect(await claim(ana, invited)).toEqual({ refused: "sent-lately" });
  await minutesLater(2);
  expect(await claim(ana, invited)).toMatchObject({ refused: null });
});

it("[MAIL-21] an account mails 20 invitations a day, even at the same moment", async () => {
  const invitations: Invited[] = [];
  for (let index = 0; index < 23; index += 1)
    invitations.push(await invite(db, ana, workspace, { email: address() }));
  const answers = await Promise.all(invitations.map((invited) => claim(ana, invited)));
  const refused = answers.map(({ refused }) => refused);
  expect(refused.filter((reason) => reason === null)).toHaveLength(20);
  expect(refused.filter((reason) => reason === "account-sent-enough")).toHaveLength(3);
  await minutesLater(24 * 60 + 1);
  const again = await invite(db, ana, workspace, { email: address() });
  expect(await claim(ana, again)).toMatchObject({ refused: null });
});

it("[MAIL-21] an address gets three a day, from all senders and in every spelling", async () => {
  const email = address();
  const answers: (string | null)[] = [];
  for (let index = 0; index < 5; index += 1) {
    const owner = db.newUser("Ben");
    const own = await newWorkspace(db, owner);
    const invited = await invite(db, owner, own, {
      email: index % 2 ? email.toUpperCase() : email,
    });
    answers.push((await claim(owner, invited)).refused);
  }
  expect(answers).toEqual([null, null, null, "address-has-enough", "address-has-enough"]);
});

it("[MAIL-21] only an owner with the token mails, and only an open invitation by email", async () => {
  const invited = await invite(db, ana, workspace, { email: address() });
  const ben = db.newUser("Ben");
  await join(db, ana, workspace, ben, "editor");
  for (const user of [null, ben, db.newUser("Mallory")])
    expect(await refusedTo(user, invited)).not.toBe("granted");
  expect(await refusedTo(ana, { ...invited, token: "x".repeat(32) })).toBe("not-permitted");
  const link = await invite(db, ana, workspace, {});
  expect(await claim(ana, link)).toEqual({ refused: "not-open" });
  expect(
    (
      await db.sql`select count(*)::int as n from private.invitation_mails
    where invitation_id = ${invited.id}`
    )[0]?.n,
  ).toBe(0);
});

it("[MAIL-21] stores no address, and nothing for longer than a day", async () => {
  const email = address();
  await claim(ana, await invite(db, ana, workspace, { email }));
  expect(JSON.stringify(await db.sql`select * from private.invitation_mails`)).not.toContain(email);
  await minutesLater(24 * 60 + 1);
  await claim(ana, await invite(db, ana, workspace, { email: address() }));
  const [row] = await db.sql`select count(*)::int as n from private.invitation_mails`;
  expect(row?.n).toBe(1);
});
