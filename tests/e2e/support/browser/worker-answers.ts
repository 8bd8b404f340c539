import type { BrowserContext, Page } from "playwright";
import type { TimelineData } from "@/events/history/timeline/timeline";

type WorkerAnswer = "timelines" | "states" | "errors";

/** Fields by which a page recognises a whole timeline among its workers' answers. */
const partsOfTimeline = [
  "historyText",
  "revisions",
] as const satisfies readonly (keyof TimelineData)[];

/**
 * Makes all pages that a context opens later count their workers' answers: whole timelines, states,
 * and errors.
 */
export function countWorkerAnswers(context: BrowserContext): Promise<unknown> {
  return context.addInitScript((parts) => {
    const answers = { timelines: 0, states: 0, errors: 0 };
    Reflect.set(window, "workerAnswers", answers);
    window.Worker = class extends window.Worker {
      constructor(...how: ConstructorParameters<typeof Worker>) {
        super(...how);
        this.addEventListener("error", () => (answers.errors += 1));
        this.addEventListener("message", ({ data }: MessageEvent<Record<string, unknown>>) => {
          if ("fault" in data) answers.errors += 1;
          const { value } = data;
          if (typeof value !== "object" || value === null) return;
          if (value instanceof Uint8Array) answers.states += 1;
          if (parts.every((part) => part in value)) answers.timelines += 1;
        });
      }
    };
  }, partsOfTimeline);
}

/** Returns how often a page's workers have given this answer. */
export const workerAnswers = (page: Page, answer: WorkerAnswer): Promise<number> =>
  page.evaluate((name) => Number(Reflect.get(Reflect.get(window, "workerAnswers"), name)), answer);
