import { z } from "zod";

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});

type LicensedPackage = { name: string; version: string; licence: string | null };

/**
 * The packages that a running product may load, from the text of `package-lock.json`, by name. npm
 * records no licence for packages that it has not installed: binaries for other platforms.
 */
export function licensedPackages(lock: string): LicensedPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(lock));
  const found = new Map<string, LicensedPackage>();
  for (const [path, { version = "", license, dev, optional }] of Object.entries(packages)) {
    if (path === "" || dev || (optional && license === undefined)) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    found.set(`${name}@${version}`, { name, version, licence: license ?? null });
  }
  return [...found.values()].sort((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  );
}

/** `docs/licences.md`: the packages by licence. */
export function licenceList(packages: readonly LicensedPackage[]): string {
  const stated = ({ licence }: LicensedPackage) => licence ?? "not stated";
  const licences = [...new Set(packages.map(stated))].sort();
  const sections = licences.map((licence) => {
    const listed = packages
      .filter((one) => stated(one) === licence)
      .map(({ name, version }) => `- ${name} ${version}`);
    return `## ${licence}\n\n${listed.join("\n")}\n`;
  });
  return [
    "# Licences\n",
    "The packages that a running product may load, with the licences that they state. Palimpsest itself has the",
    "[MIT licence](../LICENSE). `npm run licences` writes this list from `package-lock.json`.\n",
    ...sections,
  ].join("\n");
}
