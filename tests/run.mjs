// `npm test`: plain Node without dependencies, because a fresh clone has none yet.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "../supabase/local/process/build.mjs";
import { installIfStale } from "../supabase/local/process/install.mjs";
import { findChromium } from "./chromium.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const reports = join(root, "test-results");
const begun = performance.now();
/**
 * Background tests run at nice 5, so that the product keeps most of the CPU, and checks at nice 19.
 */
const [lower, lowest] = [5, 19];
/** For Go programs: all CPUs are busy, and several threads would do more work in total. */
const oneThread = { GOMAXPROCS: "1" };
/** The checks that run beside the tests, in their spare time. */
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
// Properties run a third of their cases, always the same ones: events/core/cases.fixture.ts.
process.env.WITHOUT_SOAK = "1";
try {
  await installIfStale(root);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
} catch (error) {
  failures.push(explain(error));
}
// These need no build and can use all spare CPU, because a build and a running product often wait.
const beside = test("unit", lower).then(() => test("database", lower));
try {
  await buildIfStale(root);
  process.env.CHROMIUM_PATH = await findChromium(root);
} catch (error) {
  failures.push(explain(error));
}
// After the build, which generates the route types that they read.
const checksBeside = doChecks();
await test("alone");
await test("stack");
await beside;
await test("component");
await test("browser");
// A CPU is free now, so the remaining checks run two at a time.
await Promise.all([checksBeside, doChecks()]);
for (const name of skipped) console.log(`\n– skipped, ${name}`);
// Last, so that the end of a long output shows the failures.
for (const failure of failures) console.log(`\n✗ ${failure}`);
console.log(`\nTook ${Math.round((performance.now() - begun) / 1000)} s`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Runs the checks that have not started, one after the other. */
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
 * Runs the tests of a project, and records the results.
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
 * Runs a program under a title. With a niceness it runs beside others, and its output is printed
 * as a whole when it ends.
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
 * Runs a program of node_modules; resolves with its exit code. `listen` receives its output.
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
 * Reads the report of a run: the number of passed tests, the names of the skipped ones, and the
 * file, name and messages of each failed one. A file whose tests did not start because its setup
 * failed counts as one failure, and so does an error thrown outside of any test.
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
