/** With the suffixes added to it, below the 255 bytes that file systems allow. */
const longestName = 200;
/** Windows reserves these for devices, whatever follows after a dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;
/** Separators, controls, and characters that reorder or hide parts of a name. */
const unfit =
  /[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** A file name from a title that every file system accepts and that is not misleading. */
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
