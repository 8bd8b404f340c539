/** The widths of an image's previews, in pixels. */
export const previewWidths = [640, 1280] as const;
