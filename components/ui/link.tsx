import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * Renders a link within the product, followed without a reload. Pages are not prefetched, because
 * each is read from the log with the reader's rights at that moment.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
