/** A title with its document's icon before it, where nothing but text can stand. */
export function titleWithIcon(icon: string | null, title: string): string {
  return icon === null ? title : `${icon} ${title}`;
}
