import { answerMessages } from "./worker-scope";

// The page's type of `self` stands for the worker's here: messages come from `Background` alone.
answerMessages(self, async () => {
  const { Jobs } = await import("./jobs");
  return new Jobs();
});
