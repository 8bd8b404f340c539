/** Hands a file to the browser, which saves it where people have it save files. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // Browsers read what is behind an address after the click that asked for it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
