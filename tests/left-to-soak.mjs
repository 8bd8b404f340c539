import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The test files that `npm test` leaves to `npm run test:soak`, by project, so that it takes
 * about fifteen minutes on two cores. A new file is in `npm test` until it is named here. There stays
 * what covers most of the product in the least time: the rules of the database, the matrix of
 * access, kills while somebody writes, cut connections, and in the browser writing together, going
 * offline, and the main part of undo, the tree, comments, sharing and history, with axe on every route.
 * The project `alone` is of the soak as a whole.
 */
export const leftToSoak = {
  unit: [
    "app/_server/workers/fold.test.ts",
    "app/_server/workers/workers.test.ts",
    "supabase/local/backup/archive.test.ts",
    "tests/house/replay-trace.test.ts",
  ],
  database: ["tests/sql/backup.test.ts", "tests/sql/redaction-races.test.ts"],
  alone: ["tests/stack/hostile-document.test.ts"],
  stack: [
    "tests/faults/backup.test.ts",
    "tests/faults/data-folder.test.ts",
    "tests/faults/disk.test.ts",
    "tests/faults/kill-while-uploading.test.ts",
    "tests/faults/pauses.test.ts",
    "tests/faults/process.test.ts",
    "tests/faults/restored-backup.test.ts",
    "tests/stack/account-deletion.test.ts",
    "tests/stack/auth-encodings.test.ts",
    "tests/stack/clownschool.test.ts",
    "tests/stack/long-lists.test.ts",
    "tests/stack/maintenance.test.ts",
    "tests/stack/message-budget.test.ts",
    "tests/stack/pictures.test.ts",
    "tests/stack/private-schema.test.ts",
    "tests/stack/silent-database.test.ts",
    "tests/stack/slow-queries.test.ts",
    "tests/stack/uploads.test.ts",
  ],
  browser: [
    "tests/e2e/account-deletion.e2e.ts",
    "tests/e2e/account-page.e2e.ts",
    "tests/e2e/accounts.e2e.ts",
    "tests/e2e/analysis.e2e.ts",
    "tests/e2e/auth-outage.e2e.ts",
    "tests/e2e/block-menu.e2e.ts",
    "tests/e2e/blocks.e2e.ts",
    "tests/e2e/comments-in-the-margin.e2e.ts",
    "tests/e2e/compare.e2e.ts",
    "tests/e2e/device.e2e.ts",
    "tests/e2e/dialogs.e2e.ts",
    "tests/e2e/favourites.e2e.ts",
    "tests/e2e/files.e2e.ts",
    "tests/e2e/following.e2e.ts",
    "tests/e2e/gallery.e2e.ts",
    "tests/e2e/guard.e2e.ts",
    "tests/e2e/history-visibility.e2e.ts",
    "tests/e2e/home.e2e.ts",
    "tests/e2e/hostile-content.e2e.ts",
    "tests/e2e/icons.e2e.ts",
    "tests/e2e/import.e2e.ts",
    "tests/e2e/interrupted-uploads.e2e.ts",
    "tests/e2e/links.e2e.ts",
    "tests/e2e/long-blocks.e2e.ts",
    "tests/e2e/long-lists.e2e.ts",
    "tests/e2e/new-document.e2e.ts",
    "tests/e2e/offline-copies.e2e.ts",
    "tests/e2e/page-ends.e2e.ts",
    "tests/e2e/palette.e2e.ts",
    "tests/e2e/people.e2e.ts",
    "tests/e2e/pictures.e2e.ts",
    "tests/e2e/player.e2e.ts",
    "tests/e2e/proof.e2e.ts",
    "tests/e2e/quiet.e2e.ts",
    "tests/e2e/reading.e2e.ts",
    "tests/e2e/rebuilding.e2e.ts",
    "tests/e2e/releases.e2e.ts",
    "tests/e2e/search.e2e.ts",
    "tests/e2e/sync-inspector.e2e.ts",
    "tests/e2e/tree-branches.e2e.ts",
    "tests/e2e/undone-conversions.e2e.ts",
    "tests/e2e/unusual-browsers.e2e.ts",
    "tests/e2e/weight.e2e.ts",
  ],
};

/** The test files that do more of the same where SOAK is set: more kills, more callers, longer texts. */
export const longForms = [
  "tests/e2e/guard.e2e.ts",
  "tests/e2e/page-ends.e2e.ts",
  "tests/e2e/quiet.e2e.ts",
  "tests/faults/disk.test.ts",
  "tests/faults/kill-while-writing.test.ts",
  "tests/faults/network.test.ts",
  "tests/faults/pauses.test.ts",
  "tests/faults/process.test.ts",
  "tests/security/access.test.ts",
  "tests/stack/message-budget.test.ts",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const gone = [...Object.values(leftToSoak), longForms]
  .flat()
  .filter((file) => !existsSync(join(root, file)));
if (gone.length > 0) throw new Error(`tests/left-to-soak.mjs names no file: ${gone.join(", ")}`);
