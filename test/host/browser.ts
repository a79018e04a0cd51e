import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright';
import { canInstallPackages, inPath, installPackages } from './debian';

/** Chromium without its user interface: a fifth less work for the same page. */
const headlessShells = ['chromium-headless-shell', 'chrome-headless-shell'];

const browsers = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  ...['microsoft-edge', 'microsoft-edge-stable', 'msedge'],
];

const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const base = process.env[name];
    return base
      ? ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map(
          (file) => path.join(base, file),
        )
      : [];
  }),
];

const howToGet =
  'No Chromium, Chrome or Edge was found. Install one (Debian, as root: apt-get install ' +
  'chromium) or set DCP_BROWSER to its executable.';

/**
 * The executable of a Chromium, Chrome or Edge: `DCP_BROWSER`, one in `PATH`, or one in a usual
 * place. Installs Chromium if there is none on a Debian with root access.
 *
 * @param headless whether no window is to be seen.
 * @throws with what to install.
 */
export async function ensureBrowser(headless = true): Promise<string> {
  const wanted = process.env['DCP_BROWSER'];
  if (wanted) {
    if (!existsSync(wanted)) throw new Error(`DCP_BROWSER names ${wanted}, which does not exist.`);
    return wanted;
  }
  const found = findBrowser(headless);
  if (found) return found;
  // Chromium only recommends the fonts, but without them a page has no text.
  const chromium = headless ? 'chromium-headless-shell' : 'chromium';
  if (canInstallPackages()) await installPackages([chromium, 'fonts-dejavu-core']);
  const installed = findBrowser(headless);
  if (!installed) throw new Error(howToGet);
  return installed;
}

function findBrowser(headless: boolean): string | undefined {
  const names = headless ? [...headlessShells, ...browsers] : browsers;
  return inPath(...names) ?? usualPlaces.find((file) => existsSync(file));
}

/** Starts the browser, without questions, updates or background requests. */
export async function launchBrowser({ headless = true } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureBrowser(headless),
    headless,
    // We handle signals, in order; the browser ends with its pipe in any case.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      // As root in a container there is no sandbox; the page is our own, on loopback.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
  });
}
