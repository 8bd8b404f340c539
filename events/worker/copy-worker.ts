import { answerMessages } from "./worker-scope";

// The page's type of `self` is used for the worker's: only `joinBeside` sends messages here.
answerMessages(self, async () => {
  const { CopyJobs } = await import("./copy-jobs");
  return new CopyJobs();
});
