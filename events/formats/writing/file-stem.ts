/** With what is put behind it less than the 255 bytes that file systems take. */
const longestName = 200;
/** Windows takes these for devices, whatever follows behind a dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;
/** Separators, controls, and the signs that turn or hide what is read of a name. */
const unfit =
  /[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** A name that every file system takes, and that reads as what it is, from a title. */
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
