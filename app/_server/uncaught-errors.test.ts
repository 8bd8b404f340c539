import { spawn } from "node:child_process";
import { expect, it } from "vitest";

/** Runs a script that prints reports in its own process. `before` runs before reporting starts. */
function run(before: string, after: string): Promise<{ code: number | null; printed: string[] }> {
  const script = `
    import { sendErrorsTo } from "@/events/core/error-report";
    import { reportUncaught } from "@/app/_server/uncaught-errors";
    sendErrorsTo((error, { during, kind }) =>
      process.stdout.write(kind + " " + during + " " + error.message + "\\n"));
    ${before}
    reportUncaught();
    ${after}`;
  return new Promise((settle, fail) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    child.once("error", fail);
    child.once("close", (code) => settle({ code, printed: output.trim().split("\n") }));
  });
}

const goesOn = `setTimeout(() => process.stdout.write("went on\\n"), 1);`;

it("reports an uncaught exception, which still ends the process", async () => {
  expect(await run("", `setTimeout(() => { throw new Error("thrown"); }, 0); ${goesOn}`)).toEqual({
    code: 1,
    printed: ["uncaught uncaughtException thrown"],
  });
});

it("reports an unhandled rejection, which still ends the process", async () => {
  expect(await run("", `Promise.reject(new Error("rejected")); ${goesOn}`)).toEqual({
    code: 1,
    printed: ["uncaught unhandledRejection rejected"],
  });
});

it("reports a rejection that another listener handles once, and the process goes on", async () => {
  expect(
    await run(
      `process.on("unhandledRejection", () => undefined);`,
      `Promise.reject(new Error("rejected")); ${goesOn}`,
    ),
  ).toEqual({ code: 0, printed: ["uncaught unhandledRejection rejected", "went on"] });
});
