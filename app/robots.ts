import type { MetadataRoute } from "next";

/** Workspaces are private: search engines must not index them. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: "*", disallow: "/" } };
}
