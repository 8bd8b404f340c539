import { answerMessages } from "./worker-scope";

// The page's type of `self` is used for the worker's: only `Revising` sends messages here.
answerMessages(self, async () => {
  const { RevisionJobs } = await import("./revision-jobs");
  return new RevisionJobs();
});
