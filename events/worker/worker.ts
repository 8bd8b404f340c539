import { answerMessages } from "./worker-scope";

// The page's type of `self` is used for the worker's: only `Background` sends messages here.
answerMessages(self, async () => {
  const { Jobs } = await import("./jobs");
  return new Jobs();
});
