// Dark or light: as chosen before, else as in the system.
import { byId } from "./dom.js";

const systemDark = matchMedia("(prefers-color-scheme: dark)");

function storedTheme() {
  try { return localStorage.getItem("pagemeter-theme"); } catch { return null; } // a browser may forbid storage
}

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
}

function followTheme() {
  setTheme(storedTheme() ?? (systemDark.matches ? "dark" : "light"));
}

export function startTheme() {
  followTheme();
  systemDark.addEventListener("change", followTheme);
}

export function switchTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  setTheme(theme);
  try { localStorage.setItem("pagemeter-theme", theme); } catch { /* the choice is lost */ }
}
