import "@/app/colorScheme";
import "@mantine/core/styles.css";
import "@/app/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { startI18n } from "@/i18n/i18n";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root element: index.html does not fit this script.");

await startI18n();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
