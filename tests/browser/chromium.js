// Debian's chromium, without a window and with nothing of its own to do in the network; its user data are in a new folder.
import { chromium } from "playwright-core";

export const BOUND_MS = 30_000; // of every wait

const args = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const launch = () => chromium.launch({ executablePath: "/usr/bin/chromium", args, chromiumSandbox: false, timeout: BOUND_MS });
