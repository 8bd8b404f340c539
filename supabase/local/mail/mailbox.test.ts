import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addressed, withMailContext } from "./mail-context";
import { openMailbox, plainText } from "./mailbox";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mail-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const link =
  '<p><a href="http://localhost:3000/auth/confirm?token_hash=1&type=email&next=http://localhost:3000">Sign in</a></p>';

describe("the mailbox", () => {
  test("[START-42] does not open as empty when its file cannot be read", async () => {
    await mkdir(join(folder, "mail.json"));
    await expect(openMailbox(folder)).rejects.toMatchObject({ code: "EISDIR" });
  });

  test("[MAIL-1] keeps mails across a restart, newest first, readable by the owner alone", async () => {
    const mailbox = await openMailbox(folder);
    await Promise.all(
      ["first", "second", "third"].map((subject) =>
        mailbox.send({ to: "ana@example.com", subject, html: "" }),
      ),
    );
    await mailbox.send({ to: "ben@example.com", subject: "fourth", html: "" });
    const again = await openMailbox(folder);
    expect(again.messages().map(({ subject }) => subject)).toEqual([
      "fourth",
      "third",
      "second",
      "first",
    ]);
    expect(again.messages("BEN@example.com")).toHaveLength(1);
    expect((await stat(join(folder, "mail.json"))).mode & 0o777).toBe(0o600);
  });

  test("[MAIL-1] keeps the newest 20 of each address, so that no address pushes out another", async () => {
    const mailbox = await openMailbox(folder);
    await mailbox.send({ to: "ana@example.com", subject: "recovery", html: "" });
    for (let index = 0; index < 600; index += 1)
      void mailbox.send({
        to: index % 2 ? "ben@example.com" : "BEN@example.com",
        subject: `mail ${index}`,
        html: "",
      });
    await mailbox.send({ to: "ben@example.com", subject: "last", html: "" });
    expect(mailbox.messages("ana@example.com").map(({ subject }) => subject)).toEqual(["recovery"]);
    const kept = mailbox.messages("ben@example.com").map(({ subject }) => subject);
    expect(kept).toHaveLength(20);
    expect(kept.slice(0, 2)).toEqual(["last", "mail 599"]);
  });

  test("[MAIL-1] opens empty when its file is truncated", async () => {
    await writeFile(join(folder, "mail.json"), "[{");
    expect((await openMailbox(folder)).messages()).toEqual([]);
  });

  test("[MAIL-2] points links to the requested origin and page", async () => {
    const mailbox = await openMailbox(folder);
    const driver = addressed(mailbox, {
      siteUrl: "http://localhost:3000",
      secret: "a secret",
      nobody: "nobody@nobody.invalid",
    });
    const given = { origin: "http://192.168.0.9:3000", redirect: "http://192.168.0.9:3000/d/1" };
    await withMailContext(given, () =>
      driver.send({ to: "ana@example.com", subject: "Your sign-in link", html: link }),
    );
    expect(mailbox.messages()[0]?.html).toContain(
      'href="http://192.168.0.9:3000/auth/confirm?token_hash=1&type=email' +
        '&next=http%3A%2F%2F192.168.0.9%3A3000%2Fd%2F1"',
    );
  });

  test("writes links out in the plain text", () => {
    expect(
      plainText('<h2>Hello &amp; welcome</h2><p>Or <a href="http://a/b?c=1&amp;d=2">here</a>.</p>'),
    ).toBe("Hello & welcome\nOr here (http://a/b?c=1&d=2).");
  });
});
