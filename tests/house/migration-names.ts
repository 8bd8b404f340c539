/**
 * The faults in the names of the migrations. Versions are the keys of the history table. They have
 * equal length, so that sorting by file name sorts by version.
 */
export function misnamed(names: readonly string[]): string[] {
  const named = new Map<string, string[]>();
  const faults: string[] = [];
  for (const name of [...names].sort()) {
    const version = /^(\d{14})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (version === undefined || !isTime(version))
      faults.push(`${name} is not named <YYYYMMDDHHMMSS>_<name>.sql`);
    else named.set(version, [...(named.get(version) ?? []), name]);
  }
  for (const [version, files] of named)
    if (files.length > 1) faults.push(`${version} is the version of ${files.join(" and ")}`);
  return faults;
}

function isTime(version: string): boolean {
  const iso = version.replace(/^(....)(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6.000Z");
  const time = new Date(iso);
  return !Number.isNaN(time.getTime()) && time.toISOString() === iso;
}
