import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * How to run PostgreSQL's programs: as the current user, or as another user if the current one is
 * root, which PostgreSQL refuses.
 */
export type PostgresUser = {
  ids: { uid: number; gid: number } | null;
  /** Returns the command that root spawns to run a program under `ids`. */
  command(
    program: string,
    args: string[],
  ): { file: string; args: string[]; ids: { uid?: number; gid?: number } };
};

/**
 * Picks the user that PostgreSQL runs as. For root, creates a `postgres` user if there is none, and
 * checks that this user can access `paths`.
 */
export async function postgresUser(paths: string[]): Promise<PostgresUser> {
  if (process.getuid?.() !== 0)
    return { ids: null, command: (file, args) => ({ file, args, ids: {} }) };
  const ids = (await idsOf("postgres")) ?? (await createPostgresUser()) ?? (await idsOf("nobody"));
  if (!ids)
    throw new Error(
      "PostgreSQL refuses to run as root, and no other user could be created. Start as another user.",
    );
  if (await canReach(ids, paths)) return { ids, command: (file, args) => ({ file, args, ids }) };
  // For a checkout under /root or in a private temporary folder: keep the permissions, and grant
  // the server the one capability that it needs to traverse the folder. With `no_setuid_fixup`,
  // because access(2), which the server calls first, would otherwise ignore the capability.
  const lend = [
    "--inh-caps=-all,+dac_override",
    "--ambient-caps=-all,+dac_override",
    "--securebits=+no_setuid_fixup",
  ];
  const prefix = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, "--clear-groups", ...lend, "--"];
  const works = await run("setpriv", [...prefix, "test", "-r", paths[0] ?? "/"]).then(
    () => true,
    () => false,
  );
  if (!works) {
    throw new Error(
      `PostgreSQL refuses to run as root, and the user "postgres" may not ` +
        `enter ${paths.join(" or ")}. Move the folder, or start as another ` +
        "user.",
    );
  }
  return {
    ids,
    command: (program, args) => ({ file: "setpriv", args: [...prefix, program, ...args], ids: {} }),
  };
}

async function idsOf(name: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

async function createPostgresUser(): Promise<{ uid: number; gid: number } | null> {
  try {
    await run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
    return await idsOf("postgres");
  } catch {
    return null;
  }
}

async function canReach(ids: { uid: number; gid: number }, paths: string[]): Promise<boolean> {
  const attempts = paths.map((path) => run("test", ["-r", path], ids));
  return Promise.all(attempts).then(
    () => true,
    () => false,
  );
}
