import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/**
 * Slow files on two cores, in seconds. Each stage starts with its longest: a long one that started
 * last would leave the other workers idle. Only the order matters, so the numbers need not be
 * exact.
 *
 * Vitest can order by the durations of earlier runs instead. A fresh clone, such as CI's, has none,
 * and then Vitest orders by file size: with these numbers the stack tests would take 324 s instead
 * of 309 s. And the order would depend on the machine, so a failure that depends on it could not be
 * repeated elsewhere.
 */
const seconds: Record<string, number> = {
  "tests/house/replay-trace.test.ts": 11,
  "app/_server/workers/fold.test.ts": 8,
  "tests/house/layers.test.ts": 9,
  "supabase/local/http/reverse-proxy.test.ts": 12,
  "supabase/identity.test.ts": 8,
  "app/_server/workers/workers.test.ts": 7,
  "events/crdt/payload/payload.test.ts": 5,
  "machines/import/bundle-import.test.ts": 5,

  "tests/sql/redaction-races.test.ts": 13,
  "tests/fuzz/sync.test.ts": 7,
  "tests/contract/race.test.ts": 6,
  "tests/fuzz/log-merge.test.ts": 5,
  "tests/fuzz/projections.test.ts": 4,

  "tests/faults/network.test.ts": 72,
  "tests/faults/process.test.ts": 50,
  "tests/stack/silent-database.test.ts": 52,
  "tests/faults/kill-while-writing.test.ts": 60,
  "tests/stack/message-budget.test.ts": 24,
  "tests/stack/maintenance.test.ts": 28,
  "tests/faults/data-folder.test.ts": 60,
  "tests/faults/disk.test.ts": 35,
  "tests/security/access.test.ts": 70,
  "tests/faults/restored-backup.test.ts": 60,
  "tests/stack/clownschool.test.ts": 36,
  "tests/stack/clownschool-apart.test.ts": 27,
  "tests/faults/pauses.test.ts": 35,
  "tests/stack/auth.test.ts": 14,
  "tests/stack/slow-queries.test.ts": 10,

  "tests/e2e/device/device.e2e.ts": 90,
  "tests/e2e/history/history-visibility.e2e.ts": 85,
  "tests/e2e/history/player.e2e.ts": 75,
  "tests/e2e/account/accounts.e2e.ts": 44,
  "tests/e2e/history/compare.e2e.ts": 70,
  "tests/e2e/device/guard.e2e.ts": 95,
  "tests/e2e/editor/rebuilding.e2e.ts": 70,
  "tests/e2e/account/account-page.e2e.ts": 28,
  "tests/e2e/pages/quiet.e2e.ts": 28,
  "tests/e2e/history/proof.e2e.ts": 26,
  "tests/e2e/account/auth-outage.e2e.ts": 26,
  "tests/e2e/history/analysis.e2e.ts": 62,
  "tests/e2e/pages/dialogs.e2e.ts": 60,
  "tests/e2e/pages/accessibility.e2e.ts": 23,
  "tests/e2e/workspace/people.e2e.ts": 20,
  "tests/e2e/device/offline.e2e.ts": 20,
  "tests/e2e/comments/comments.e2e.ts": 20,
  "tests/e2e/device/releases.e2e.ts": 19,
  "tests/e2e/editor/writing.e2e.ts": 17,
  "tests/e2e/editor/icons.e2e.ts": 16,
  "tests/e2e/editor/undo.e2e.ts": 15,
  "tests/e2e/editor/hostile-content.e2e.ts": 13,
  "tests/e2e/editor/blocks.e2e.ts": 12,
  "tests/e2e/editor/new-document.e2e.ts": 11,
  "tests/e2e/history/history.e2e.ts": 10,
  "tests/e2e/pages/reading.e2e.ts": 9,
  "tests/e2e/device/sync-inspector.e2e.ts": 8,
  "tests/e2e/workspace/sharing.e2e.ts": 8,
  "tests/e2e/editor/long-blocks.e2e.ts": 20,
  "tests/e2e/workspace/search.e2e.ts": 40,
  "tests/e2e/workspace/palette.e2e.ts": 25,
  "tests/e2e/editor/block-menu.e2e.ts": 30,
  "tests/e2e/workspace/home.e2e.ts": 25,
  "tests/e2e/workspace/tree.e2e.ts": 20,
  "tests/e2e/comments/comments-in-the-margin.e2e.ts": 55,
  "tests/e2e/workspace/tree-branches.e2e.ts": 40,
  "tests/e2e/device/offline-copies.e2e.ts": 37,
  "tests/e2e/workspace/favourites.e2e.ts": 13,
};

const root = fileURLToPath(new URL("../", import.meta.url));
const gone = Object.keys(seconds).filter((file) => !existsSync(root + file));
if (gone.length > 0) throw new Error(`tests/longest-first.ts names no file: ${gone.join(", ")}`);

const secondsOf = ({ moduleId }: TestSpecification) => seconds[moduleId.slice(root.length)] ?? 0;

/**
 * Each project's files: those listed above first, longest first, then the others in Vitest's order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) =>
      sorted
        .filter((file) => file.project === project)
        .toSorted((one, other) => secondsOf(other) - secondsOf(one)),
    );
  }
}
