import { createHash, randomBytes } from "node:crypto";
import { chmod, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { storedText } from "./operations/stored-text";

const keysSchema = z.object({
  publishableKey: z.string().startsWith("sb_publishable_"),
  secretKey: z.string().startsWith("sb_secret_"),
  jwtSecret: z.string(),
});
export type Keys = z.infer<typeof keysSchema>;

/** Secrets published in documentation and examples. */
const published = new Set([
  "super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-jwt-token-with-at-least-32-characters-long",
  "dev-secret-change-me",
]);

/**
 * Reads `keys.json` of the data folder, or creates the file on first use (mode 0600). Refuses a
 * signing secret that is public or easy to guess.
 */
export async function loadKeys(folder: string): Promise<Keys> {
  const file = join(folder, "keys.json");
  const text = await storedText(file);
  if (text === null) {
    const keys = newKeys();
    await writeFile(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
    return keys;
  }
  const keys = parseKeys(text, file);
  if (published.has(keys.jwtSecret) || Buffer.byteLength(keys.jwtSecret) < 32) {
    throw new Error(
      `The signing secret in ${file} is a published default or shorter than 32 ` +
        "bytes: anyone who knows it can sign in as anyone. Replace it with a random secret, or " +
        "delete the file to generate new keys; people then have to sign in again.",
    );
  }
  await chmod(file, 0o600);
  return keys;
}

function parseKeys(text: string, file: string): Keys {
  try {
    return keysSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} does not hold a publishable key, a secret key and a signing secret.`, {
      cause,
    });
  }
}

function newKeys(): Keys {
  return {
    publishableKey: apiKey("publishable"),
    secretKey: apiKey("secret"),
    jwtSecret: randomBytes(48).toString("base64url"),
  };
}

/** Creates a key in Supabase's format. The checksum lets secret scanners recognise real keys. */
function apiKey(type: "publishable" | "secret"): string {
  const body = `sb_${type}_${randomBytes(17).toString("base64url").slice(0, 22)}`;
  const checksum = createHash("sha256")
    .update(`supabase-self-hosted|${body}`)
    .digest("base64url")
    .slice(0, 8);
  return `${body}_${checksum}`;
}
