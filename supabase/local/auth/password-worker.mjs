// Hashes and compares passwords off the main thread. One response per message.
import { parentPort } from "node:worker_threads";
import bcrypt from "bcryptjs";

parentPort?.on("message", (/** @type {import("./password-pool").PasswordTask} */ task) => {
  try {
    const value =
      task.kind === "hash"
        ? bcrypt.hashSync(task.text, task.cost)
        : bcrypt.compareSync(task.text, task.hash);
    parentPort?.postMessage({ value });
  } catch (error) {
    parentPort?.postMessage({ fault: String(error) });
  }
});
