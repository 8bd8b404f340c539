/** Saves a file by means of the browser's download. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // Browsers read the object URL after the click event.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
