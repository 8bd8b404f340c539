import { answerMessages } from "./worker-scope";

// The types of the page's `self` stand for the worker's here: what it is told comes from `joinBeside` alone.
answerMessages(self, async () => {
  const { CopyJobs } = await import("./copy-jobs");
  return new CopyJobs();
});
