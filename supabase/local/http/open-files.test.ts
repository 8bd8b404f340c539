import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { mostSockets, openFilesLimit } from "./open-files";

it("[DOOR-29] reserves open files for other uses than sockets", () => {
  expect([Infinity, 65_536, 1_024, 256].map(mostSockets)).toEqual([Infinity, 65_280, 768, 102]);
});

it.runIf(process.platform === "linux")("[DOOR-29] reads the limit of open files", () => {
  expect(openFilesLimit()).toBeGreaterThan(100);
  const file = fileURLToPath(new URL("open-files.ts", import.meta.url));
  const print = `import(${JSON.stringify(file)}).then((m) => console.log(m.openFilesLimit()))`;
  const command = `ulimit -n 300; exec ${process.execPath} --import tsx -e '${print}'`;
  expect(execFileSync("bash", ["-c", command]).toString().trim()).toBe("300");
});
