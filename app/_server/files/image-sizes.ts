/** How wide the smaller pictures of an image are. */
export const previewWidths = [640, 1280] as const;
