import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let workspace: string;
let document: string;
let people: Record<
  "owner" | "editor" | "commenter" | "viewer" | "removed member" | "stranger",
  User
>;

beforeAll(async () => {
  db = await testDatabase();
  const [ana, ben, carol, dora, erin, mallory] = [
    "Ana",
    "Ben",
    "Carol",
    "Dora",
    "Erin",
    "Mallory",
  ].map((name) => db.newUser(name)) as [User, User, User, User, User, User];
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  for (const [user, role] of [
    [ben, "editor"],
    [carol, "commenter"],
    [dora, "viewer"],
    [erin, "commenter"],
  ] as const)
    await join(db, ana, workspace, user, role);
  people = {
    owner: ana,
    editor: ben,
    commenter: carol,
    viewer: dora,
    "removed member": erin,
    stranger: mallory,
  };
  const erinThread = opened("Erin was here");
  granted(await db.append(erin, document, null, erinThread.events));
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: erin.id }, body: {} },
    ]),
  );
});
afterAll(() => db.stop());

const everybody = () =>
  [...Object.entries(people), ["nobody signed in", null] as const] as [string, User | null][];
const about = (
  kind: "thread" | "comment",
  id: string,
  type: string,
  body: NewProposal["body"] = {},
): NewProposal => ({ type, subject: { kind, id }, body });

/** Returns a thread with its first comment, as one batch. */
function opened(text: string) {
  const thread = randomUUID();
  const comment = randomUUID();
  const events = [
    about("thread", thread, "thread.opened", { start: "AAAB", end: "AAAC", quote: "these words" }),
    about("comment", comment, "comment.added", { thread, text }),
  ];
  return { thread, comment, events };
}

async function verdicts(
  ask: (user: User | null) => Promise<string>,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [role, user] of everybody()) answers[role] = await ask(user);
  return answers;
}
const outside = {
  "removed member": "not-permitted",
  stranger: "not-permitted",
  "nobody signed in": "denied",
};
const asked = (user: User | null, events: NewProposal[]) =>
  db
    .append(user, document, null, events)
    .then(verdict, (fault: { code?: string }) => (fault.code === "42501" ? "denied" : "fault"));

describe("a thread", () => {
  it("[COMMENT-1] is opened with its first comment by commenters, editors and owners alone", async () => {
    expect(await verdicts((user) => asked(user, opened("Why?").events))).toEqual({
      owner: "ok",
      editor: "ok",
      commenter: "ok",
      viewer: "not-permitted",
      ...outside,
    });
  });

  it("[COMMENT-1] is resolved and reopened by commenters, and accepts replies while resolved", async () => {
    const { thread, events } = opened("Why?");
    granted(await db.append(people.commenter, document, null, events));
    const round = (user: User | null) =>
      asked(user, [
        about("thread", thread, "thread.resolved"),
        about("comment", randomUUID(), "comment.added", { thread, text: "Late, but" }),
        about("thread", thread, "thread.reopened"),
      ]);
    expect(await verdicts(round)).toEqual({
      owner: "ok",
      editor: "ok",
      commenter: "ok",
      viewer: "not-permitted",
      ...outside,
    });
    expect(await asked(people.owner, [about("thread", thread, "thread.reopened")])).toBe(
      "illegal-transition",
    );
  });

  it("[COMMENT-2] refuses a comment for a missing or foreign thread", async () => {
    const { thread, events } = opened("Why?");
    granted(await db.append(people.editor, document, null, events));
    const other = await newDocument(db, people.owner, workspace);
    const stray = about("comment", randomUUID(), "comment.added", { thread, text: "Here?" });
    expect(verdict(await db.append(people.editor, other, null, [stray]))).toBe(
      "illegal-transition",
    );
    expect(
      await asked(people.editor, [
        about("comment", randomUUID(), "comment.added", { thread: randomUUID(), text: "Where?" }),
      ]),
    ).toBe("illegal-transition");
  });

  it("[COMMENT-2] may share its id with a thread of another document", async () => {
    const { events } = opened("Mine");
    granted(await db.append(people.editor, document, null, events));
    const other = await newDocument(db, people.owner, workspace);
    expect(
      verdict(
        await db.append(
          people.editor,
          other,
          null,
          events.map(({ type, subject, body }) => ({ type, body, ...(subject && { subject }) })),
        ),
      ),
    ).toBe("ok");
  });

  it("[COMMENT-2] cannot change while its document is in the trash", async () => {
    const doc = await newDocument(db, people.owner, workspace);
    const { thread, events } = opened("Why?");
    granted(
      await db.append(people.editor, doc, null, [
        ...events,
        { type: "document.trashed", body: {} },
      ]),
    );
    for (const event of [
      about("thread", thread, "thread.resolved"),
      ...opened("Now?").events.slice(0, 1),
    ])
      expect(verdict(await db.append(people.owner, doc, null, [event]))).toBe("illegal-transition");
    expect(
      verdict(
        await db.append(people.owner, doc, null, [
          { type: "document.restored", body: {} },
          about("thread", thread, "thread.resolved"),
        ]),
      ),
    ).toBe("ok");
  });

  it("[COMMENT-3] leaves the text's last author and time alone", async () => {
    const text = async () =>
      (await db.sql`select updated_by, updated_at from documents where id = ${document}`)[0];
    const before = await text();
    granted(await db.append(people.commenter, document, null, opened("A word").events));
    expect(await text()).toEqual(before);
  });
});

describe("a comment", () => {
  it("[COMMENT-1] is changed and deleted by its author alone, while they are a member", async () => {
    for (const type of ["comment.edited", "comment.deleted"]) {
      const { comment, events } = opened("Mine");
      granted(await db.append(people.commenter, document, null, events));
      const change = about(
        "comment",
        comment,
        type,
        type === "comment.edited" ? { text: "Still mine" } : {},
      );
      const others = await verdicts((user) =>
        user === people.commenter ? Promise.resolve("skipped") : asked(user, [change]),
      );
      expect(others).toEqual({
        owner: "not-permitted",
        editor: "not-permitted",
        commenter: "skipped",
        viewer: "not-permitted",
        ...outside,
      });
      expect(await asked(people.commenter, [change])).toBe("ok");
    }
  });

  it("[COMMENT-4] loses its text in the read model when deleted, and keeps it in the log", async () => {
    const { comment, events } = opened("I take this back");
    granted(
      await db.append(people.commenter, document, null, [
        ...events,
        about("comment", comment, "comment.deleted"),
      ]),
    );
    const [row] = await db.as(
      people.viewer,
      (t) => t`select phase, text from comments where id = ${comment}`,
    );
    expect(row).toEqual({ phase: "deleted", text: "" });
    const added = (await db.read(people.viewer, document)).find(
      ({ subject, type }) => subject.id === comment && type === "comment.added",
    );
    expect(added?.body).toMatchObject({ text: "I take this back" });
    expect(
      await asked(people.commenter, [
        about("comment", comment, "comment.edited", { text: "Or not" }),
      ]),
    ).toBe("illegal-transition");
  });

  it("[COMMENT-1] is read by members of every role alone", async () => {
    const count = async (user: User | null) => {
      const rows = await db
        .as(
          user,
          (t) =>
            t`select (select count(*) from threads) > 0 as threads, (select count(*) from comments) > 0 as comments`,
        )
        .catch((fault: { code?: string }) => [
          { threads: fault.code !== "42501", comments: false },
        ]);
      return `${rows[0]?.threads} ${rows[0]?.comments}`;
    };
    expect(await verdicts(count)).toEqual({
      owner: "true true",
      editor: "true true",
      commenter: "true true",
      viewer: "true true",
      "removed member": "false false",
      stranger: "false false",
      "nobody signed in": "false false",
    });
  });
});
