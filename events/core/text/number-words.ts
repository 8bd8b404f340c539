/** Formats a number with thousands separated by spaces: "4 310". */
export function numberWords(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, " ");
}
