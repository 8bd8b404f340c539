/** A number as the interface writes it: "4 310". */
export function numberWords(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, " ");
}
