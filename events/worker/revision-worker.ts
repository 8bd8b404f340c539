import { answerMessages } from "./worker-scope";

// The page's type of `self` stands for the worker's here: messages come from `Revising` alone.
answerMessages(self, async () => {
  const { RevisionJobs } = await import("./revision-jobs");
  return new RevisionJobs();
});
