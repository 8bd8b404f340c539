/**
 * Resolves an address to a path in the archive, relative to the folder of the text. Returns null if
 * the address leads outside.
 */
export function pathInArchive(address: string, folder: readonly string[]): string[] | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address)) return null;
  const [plain = ""] = address.split(/[?#]/, 1);
  if (plain === "") return null;
  let decoded: string;
  try {
    decoded = decodeURIComponent(plain);
  } catch {
    // The percent sign is literal.
    decoded = plain;
  }
  const path = decoded.startsWith("/") ? [] : [...folder];
  for (const part of decoded.split(/[/\\]+/)) {
    if (part === "..") {
      if (path.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") path.push(part);
  }
  return path;
}
