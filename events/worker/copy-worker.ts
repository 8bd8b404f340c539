import { answerMessages } from "./worker-scope";

// The page's type of `self` stands for the worker's here: messages come from `joinBeside` alone.
answerMessages(self, async () => {
  const { CopyJobs } = await import("./copy-jobs");
  return new CopyJobs();
});
