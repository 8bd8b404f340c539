import { answerMessages } from "./worker-scope";

// The types of the page's `self` stand for the worker's here: what it is told comes from `Revising` alone.
answerMessages(self, async () => {
  const { RevisionJobs } = await import("./revision-jobs");
  return new RevisionJobs();
});
