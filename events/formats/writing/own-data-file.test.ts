import { expect, it } from "vitest";
import { ownDataIndex, ownWordsPage } from "./own-data-file";

const at = "2026-11-24T10:00:00.000Z";
const document = { id: "d", workspace: "w", title: "<b>Plan</b>", trashed: true };

it("[ACC-30] pages of own data escape all words that people wrote", () => {
  const hostile = `<img src=x onerror=alert(1)>"&`;
  const words = ownWordsPage(document, {
    passages: [
      { text: hostile, paragraph: 0, follows: false, writtenAt: at, until: at, stands: true },
      {
        text: "gone",
        paragraph: 0,
        follows: false,
        writtenAt: at,
        until: at,
        stands: false,
        deletedAt: at,
      },
    ],
    comments: [{ id: "c", text: hostile, added_at: at, edited_at: null }],
  });
  const index = ownDataIndex(
    {
      profile: {
        id: "p",
        name: hostile,
        email: hostile,
        color: null,
        picture: "/avatars/p/q",
        createdAt: at,
      },
      sessions: [{ device: hostile, since: at, lastUsed: at }],
      signIns: [],
      workspaces: [{ id: "w", name: hostile, role: "owner", since: at, favourites: [] }],
      documents: [document],
    },
    [
      { document, file: 'documents/1 "Plan" in C#', why: null },
      { document, file: null, why: hostile },
    ],
  );
  for (const page of [words, index]) expect(page).not.toMatch(/<img|<b>|href="[^"]*"[^>]/);
  expect(words).toContain('" … <del title="Deleted 2026-11-24 10:00 UTC">gone</del>'.slice(1));
  expect(index).toContain('<a href="picture.webp">');
  expect(index).toContain('href="documents/1%20%22Plan%22%20in%20C%23.html"');
});
