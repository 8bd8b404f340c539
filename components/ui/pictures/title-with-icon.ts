/** Returns a title with its document's icon in front, for plain text. */
export function titleWithIcon(icon: string | null, title: string): string {
  return icon === null ? title : `${icon} ${title}`;
}
