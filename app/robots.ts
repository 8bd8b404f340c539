import type { MetadataRoute } from "next";

/** A workspace is for its people: no search engine reads along. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: "*", disallow: "/" } };
}
