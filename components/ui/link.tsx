import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the product, followed without a reload. Pages are not fetched ahead: each is read
 * from the log, for whoever may read it at that moment.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
