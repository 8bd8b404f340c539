// `npm run test:container`: builds the image of the Dockerfile without Docker and runs it. It needs root, and Debian's
// `debootstrap` and `buildah`. The base image is a Debian made here, with this machine's Node.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";

const root = fileURLToPath(new URL("../..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "palimpsest-container-"));
const store = [
  "--root",
  join(work, "storage"),
  "--runroot",
  join(work, "run"),
  "--storage-driver",
  "vfs",
];
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const user = 10001;
/** How long a start may take, in ms, on a machine that does other work. */
const patience = 300_000;
let passed = 0;
/** @type {string[]} */
const failures = [];

try {
  if (process.getuid?.() !== 0)
    throw new Error("Run it as root: debootstrap makes a root file system.");
  makeBase();
  buildah(
    "bud",
    "--isolation",
    "chroot",
    "--network",
    "host",
    "--pull-never",
    "--format",
    "docker",
    "--build-arg",
    "NODE_IMAGE=localhost/node",
    "--tag",
    "palimpsest",
    root,
  );
  const container = buildah("from", "--pull-never", "localhost/palimpsest");
  const image = JSON.parse(buildah("inspect", "--type", "image", "localhost/palimpsest")).Docker
    .config;
  const mounted = buildah("mount", container);
  check("The image runs as a user of its own", image.User === "palimpsest");
  check("The data is on volumes", "/data" in image.Volumes && "/state" in image.Volumes);
  const first = await started(container, image);
  check("The first start creates the database", /Making the database/.test(first.output()));
  check("The health check passes", first.isHealthy());
  check("The sign-in page is served", (await fetch(`${first.url}/sign-in`)).ok);
  check(
    "No process of it is root",
    first.users().every((each) => each === user),
  );
  check("It ends with 0 on SIGTERM", (await first.stop()) === 0);
  const second = await started(container, image);
  check("The second start finds the data", !/Making the database/.test(second.output()));
  check("It ends with 0 again", (await second.stop()) === 0);
  const megabytes = Number(
    execFileSync("du", ["-sm", mounted], { encoding: "utf8" }).split("\t")[0],
  );
  console.log(`The image has ${megabytes} MB with its base.`);
} catch (error) {
  failures.push(error instanceof Error ? error.message : String(error));
} finally {
  if (existsSync(join(work, "storage"))) buildah("rm", "--all");
  rmSync(work, { recursive: true, force: true });
}
for (const failure of failures) console.log(`✗ ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/**
 * @param {string} name
 * @param {boolean} holds
 */
function check(name, holds) {
  console.log(`${holds ? "✓" : "✗"} ${name}`);
  if (holds) passed += 1;
  else failures.push(name);
}

/** Makes `localhost/node`: a minimal Debian with Node, npm and the certificates of this machine. */
function makeBase() {
  const base = join(work, "base");
  execFileSync(
    "debootstrap",
    ["--variant=minbase", "--include=libstdc++6,libatomic1", "bookworm", base],
    { stdio: "ignore" },
  );
  const modules = join(base, "usr/lib/node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(process.execPath, join(base, "usr/bin/node"));
  const npm = dirname(
    dirname(realpathSync(execFileSync("which", ["npm"], { encoding: "utf8" }).trim())),
  );
  cpSync(npm, join(modules, "npm"), { recursive: true });
  execFileSync("ln", ["-sf", "../lib/node_modules/npm/bin/npm-cli.js", join(base, "usr/bin/npm")]);
  if (existsSync(certificates)) {
    mkdirSync(join(base, "etc/ssl/certs"), { recursive: true });
    cpSync(certificates, join(base, certificates));
  }
  const container = buildah("from", "scratch");
  buildah("copy", "--quiet", container, base, "/");
  buildah(
    "config",
    "--env",
    `NODE_EXTRA_CA_CERTS=${certificates}`,
    "--env",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    container,
  );
  buildah("commit", "--quiet", container, "localhost/node");
  rmSync(base, { recursive: true });
}

/**
 * Runs the command of the image on a free port; resolves when its health check passes.
 * @param {string} container
 * @param {{ User: string, Cmd: string[], Healthcheck: { Test: string[] } }} image
 */
async function started(container, image) {
  const port = await freePort();
  const run = (/** @type {string[]} */ command) => [
    ...store,
    "run",
    "--isolation",
    "chroot",
    "--network",
    "host",
    "--user",
    image.User,
    "--env",
    `PORT=${port}`,
    container,
    "--",
    ...command,
  ];
  const child = spawn("buildah", run(image.Cmd), { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  child.stdout.on("data", (/** @type {Buffer} */ chunk) => (printed += chunk.toString()));
  child.stderr.on("data", (/** @type {Buffer} */ chunk) => (printed += chunk.toString()));
  const ended = new Promise((settle) => child.once("close", settle));
  const isHealthy = () => {
    try {
      execFileSync("buildah", run(image.Healthcheck.Test.slice(1)), { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  };
  for (const begun = Date.now(); !isHealthy(); await delay(1_000))
    if (child.exitCode !== null || Date.now() - begun > patience)
      throw new Error(`The image did not become healthy:\n${printed}`);
  /** The processes of the product: those that listen on the port, and their descendants. */
  const processes = () =>
    execFileSync("ps", ["-eo", "pid,uid,args"], { encoding: "utf8" })
      .split("\n")
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .flatMap((found) =>
        found ? [{ pid: Number(found[1]), uid: Number(found[2]), args: found[3] ?? "" }] : [],
      )
      .filter(
        ({ uid, args }) =>
          uid === user ||
          /^(node|\/usr\/bin\/node) .*supabase\/local\/start\.mjs --prebuilt/.test(args),
      );
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => printed,
    isHealthy,
    users: () => processes().map(({ uid }) => uid),
    stop: async () => {
      const server = processes().find(({ args }) => args.includes("start.mjs"));
      if (server) process.kill(server.pid, "SIGTERM");
      return ended;
    },
  };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((settle, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => settle(port));
    });
  });
}

/**
 * @param {string} command
 * @param {...string} args
 */
function buildah(command, ...args) {
  return execFileSync("buildah", [command, ...store, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", command === "bud" ? "inherit" : "pipe"],
  }).trim();
}
