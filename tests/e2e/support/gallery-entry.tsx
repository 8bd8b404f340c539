import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { createRoot } from "react-dom/client";
import { Gallery } from "@/components/gallery/gallery";
import { ToastRegion } from "@/components/ui/toast";
import "@/app/tokens.css";
import "@/app/fonts.css";
import "@/app/globals.css";

const stay = () => undefined;
const router = {
  back: stay,
  forward: stay,
  refresh: stay,
  push: stay,
  replace: stay,
  prefetch: stay,
  bfcacheId: "",
};

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(
  <AppRouterContext value={router}>
    <ToastRegion>
      <Gallery />
    </ToastRegion>
  </AppRouterContext>,
);
