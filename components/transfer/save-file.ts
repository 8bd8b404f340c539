/** Saves a file through the browser's download. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // Browsers read an object URL after the click that requested it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
