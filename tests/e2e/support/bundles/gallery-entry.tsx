import { createRoot } from "react-dom/client";
import { Gallery } from "@/components/gallery/gallery";
import { ToastRegion } from "@/components/ui/toast";
import "@/app/tokens.css";
import "@/app/fonts.css";
import "@/app/globals.css";

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(
  <ToastRegion>
    <Gallery />
  </ToastRegion>,
);
