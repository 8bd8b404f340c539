// `npm test`: plain Node without dependencies, because on a fresh clone there are none yet.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "../supabase/local/build.mjs";
import { installIfStale } from "../supabase/local/install.mjs";
import { findChromium } from "./chromium.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const reports = join(root, "test-results");
const begun = performance.now();
/** What runs beside the product gets a third of a processor that both want, and the checks next to nothing of it. */
const [lower, lowest] = [5, 19];
/** For programs in Go: all processors are taken, and on several threads they do more in all. */
const oneThread = { GOMAXPROCS: "1" };
/** The checks that go on while tests run, with what those leave over. */
const checks = [
  { name: "Types", program: "typescript-7/bin/tsc", args: ["-p", ".", "--singleThreaded"] },
  { name: "Lint", program: "eslint/bin/eslint.js", args: [".", "--max-warnings", "0"] },
  {
    name: "Lint that knows types",
    program: "oxlint/bin/oxlint",
    args: ["--deny-warnings", "--threads=1"],
  },
  {
    name: "Format",
    program: "prettier/bin/prettier.cjs",
    args: ["--check", "--log-level=warn", "."],
  },
  { name: "Unused code", program: "knip/bin/knip.js", args: ["--no-progress"] },
];
let passed = 0;
/** @type {string[]} */
const skipped = [];
/** @type {string[]} */
const failures = [];
process.chdir(root);
// Properties try a third of their cases, always the same ones: events/core/cases.fixture.ts.
process.env.WITHOUT_SOAK = "1";
try {
  await installIfStale(root);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
} catch (error) {
  failures.push(explain(error));
}
// These need no build, and all the processor that they can get; a build and a running product wait a lot.
const beside = test("unit", lower).then(() => test("database", lower));
try {
  await buildIfStale(root);
  process.env.CHROMIUM_PATH = await findChromium(root);
} catch (error) {
  failures.push(explain(error));
}
// After the build, which makes what they read of the routes.
const checksBeside = doChecks();
await test("alone");
await test("stack");
await beside;
await test("browser");
// A processor is free now: what is left is done two at a time.
await Promise.all([checksBeside, doChecks()]);
for (const name of skipped) console.log(`\n– skipped, ${name}`);
// Last, so that the end of a long output says what went wrong.
for (const failure of failures) console.log(`\n✗ ${failure}`);
console.log(`\nTook ${Math.round((performance.now() - begun) / 1000)} s`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Does the checks that nobody has begun, one after the other. */
async function doChecks() {
  for (let next = checks.shift(); next !== undefined; next = checks.shift())
    await check(next.name, next.program, next.args);
}

/**
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 */
async function check(name, program, args) {
  if ((await run(name, program, args, lowest)) !== 0)
    failures.push(`${name}: see "${name}, ended" above.`);
}

/**
 * Runs the tests of a project, and takes down what came of them.
 * @param {string} project
 * @param {number} [niceness]
 */
async function test(project, niceness) {
  const report = join(reports, `${project}.json`);
  const reporters = ["default", "./tests/json-report.ts"].map((name) => `--reporter=${name}`);
  const code = await run(
    `${project} tests`,
    "vitest/vitest.mjs",
    ["run", "--project", project, ...reporters, `--outputFile.json=${report}`],
    niceness,
  );
  const told = read(report);
  passed += told.passed;
  skipped.push(...told.skipped.map((name) => `${project}: ${name}`));
  // A file that does not load or a crash has no failed test to count.
  if (code !== 0 && told.failures.length === 0)
    told.failures.push("The run itself failed: see its errors above.");
  failures.push(...told.failures.map((failure) => `${project}: ${failure}`));
}

/**
 * Runs a program under a title. With a niceness it runs beside others, and what it says is shown
 * when it ends, in one piece.
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 * @param {number} [niceness]
 * @returns {Promise<number>}
 */
async function run(name, program, args, niceness) {
  if (niceness === undefined) {
    title(name);
    return node(program, args);
  }
  title(`${name}, beside`);
  let said = "";
  const code = await node(program, args, (child) => {
    child.stdout?.on("data", (/** @type {Buffer} */ chunk) => (said += chunk.toString()));
    child.stderr?.on("data", (/** @type {Buffer} */ chunk) => (said += chunk.toString()));
    if (child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + niceness));
  });
  title(`${name}, ended`);
  if (said !== "") console.log(said.trimEnd());
  return code;
}

/** @param {unknown} error */
function explain(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {string} text */
function title(text) {
  console.log(`\n── ${text} (${Math.round((performance.now() - begun) / 1000)} s)`);
}

/**
 * Runs a program of node_modules and answers its exit code; `listen` takes what it prints.
 * @param {string} program
 * @param {string[]} args
 * @param {(child: import("node:child_process").ChildProcess) => void} [listen]
 * @returns {Promise<number>}
 */
function node(program, args, listen) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [join(root, "node_modules", program), ...args], {
      cwd: root,
      stdio: listen ? ["ignore", "pipe", "pipe"] : "inherit",
      env: listen ? { ...process.env, ...oneThread } : process.env,
    });
    listen?.(child);
    child.once("error", () => settle(1));
    child.once("close", (code) => settle(code ?? 1));
  });
}

/**
 * Reads the report of a run: how many tests passed, which were skipped, and of each that failed its
 * file, name and messages; a file whose tests were never begun, since what they all need failed,
 * counts as one, and so does what was thrown outside of any test.
 * @param {string} file
 * @returns {{ passed: number, skipped: string[], failures: string[] }}
 */
function read(file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    const failures = report.unhandledErrors.map(
      (/** @type {string} */ error) => `thrown outside of any test\n${error.slice(0, 4000)}`,
    );
    const skipped = [];
    for (const { name, status, message, assertionResults } of report.testResults) {
      const file = relative(root, name);
      for (const { fullName, status: outcome } of assertionResults)
        if (outcome === "skipped" || outcome === "pending") skipped.push(`${file}: ${fullName}`);
      const failed = assertionResults.filter(
        (/** @type {{ status: string }} */ test) => test.status === "failed",
      );
      for (const { fullName, failureMessages } of failed)
        failures.push(`${file}: ${fullName}\n${failureMessages.join("\n").slice(0, 4000)}`);
      if (status === "failed" && failed.length === 0)
        failures.push(`${file}: not begun\n${message || "See its errors above."}`);
    }
    return { passed: report.numPassedTests, skipped, failures };
  } catch {
    // No report: the run itself failed, and its exit code says so.
    return { passed: 0, skipped: [], failures: [] };
  }
}
