/** The most bytes of a stem. With suffixes it stays below the file systems' limit of 255. */
const longestName = 200;
/** Names that Windows reserves for devices, with any extension after a dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;
/** Separators, control characters, and characters that reorder or hide parts of a name. */
const unfit =
  /[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** Returns a file name for a title that every file system accepts and that does not mislead. */
export function fileStem(title: string): string {
  const plain = title
    .normalize("NFC")
    .replace(unfit, " ")
    .replace(/\s+/g, " ")
    .replace(/^[ .]+/, "");
  const bytes = new TextEncoder().encode(plain).subarray(0, longestName);
  const short = new TextDecoder().decode(bytes).replace(/[ .\ufffd]+$/, "");
  return short === "" || device.test(short) ? "Document" : short;
}
