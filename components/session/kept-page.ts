/** Whether this page came from the device, because the server could not be reached. */
export function isKept(): boolean {
  return typeof document !== 'undefined' && document.documentElement.dataset.kept !== undefined
}
