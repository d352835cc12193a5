import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { chromium, type Browser } from 'playwright-core'

/** Usual paths of an installed Chromium or Chrome, for systems where the package has no browser. */
const INSTALLED = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
} as const

/** Chromium reads only the last list of these: Playwright's, shortened. */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
]

/**
 * Starts a headless Chromium: `CHROME_PATH`, the one in the lock file (Linux x64), or an installed one elsewhere, so that an update of Chrome
 * changes no result. Throws an error that says what to do if there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  // With it, Chromium 153 sometimes never closes a page that is navigating.
  const { args, ...options } = await browserOptions(['RenderDocument'])
  // Pages of tests end before optimized code pays for its compilation.
  return chromium.launch({ ...options, args: [...args, '--js-flags=--no-maglev --no-turbofan'] })
}

/** Options for starting this browser with Playwright. `disabled`: more features of Chromium to disable. */
export async function browserOptions(
  disabled: readonly string[] = [],
): Promise<{ executablePath: string; env: Record<string, string>; args: string[] }> {
  const { executablePath, env } = await findChromium()
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    executablePath,
    env: { ...Object.fromEntries(inherited), ...env },
    args: [
      // The Chromium sandbox is not available in containers and for root. Only our own pages are loaded.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      `--disable-features=${[...DISABLED_FEATURES, ...disabled].join()}`,
    ],
  }
}

interface Found {
  readonly executablePath: string
  readonly env: Record<string, string>
}

async function findChromium(): Promise<Found> {
  const named = process.env['CHROME_PATH']
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist.`)
    return { executablePath: named, env: {} }
  }
  if (process.platform === 'linux' && process.arch === 'x64') return unpackChromium()
  const installed = installedBrowser()
  if (installed !== undefined) return { executablePath: installed, env: {} }
  throw new Error('No browser to test with: install Chrome or Chromium, or set CHROME_PATH.')
}

export function installedBrowser(): string | undefined {
  const candidates: readonly string[] =
    process.platform === 'linux' || process.platform === 'darwin' || process.platform === 'win32'
      ? INSTALLED[process.platform]
      : []
  return candidates.find((candidate) => existsSync(candidate))
}

/**
 * The package unpacks in place into the temp folder, and uses existing files, even of another version or
 * from an incomplete unpacking by another process. Therefore each version and user gets its own folder, which
 * is renamed to its final name when it is complete.
 */
async function unpackChromium(): Promise<Found> {
  const folder = path.join(tmpdir(), `tabscope-chromium-${packedVersion()}-${userInfo().uid}`)
  const found: Found = {
    executablePath: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [path.join(folder, 'al2023/lib'), process.env['LD_LIBRARY_PATH'] ?? '']
        .filter((part) => part !== '')
        .join(':'),
      FONTCONFIG_PATH: path.join(folder, 'fonts'),
    },
  }
  if (existsSync(found.executablePath)) return found
  const fresh = mkdtempSync(`${folder}-`)
  await unpackInto(fresh, folder)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another process was faster. Its folder is complete as well.
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(found.executablePath)) throw error
  }
  return found
}

/** `home` is where the folder will be once it is whole. The package takes its folder from TMPDIR, and brings its own libraries only where it believes to be in a Lambda. */
async function unpackInto(folder: string, home: string): Promise<void> {
  const names = ['TMPDIR', 'AWS_EXECUTION_ENV', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']
  const before = names.map((name) => [name, process.env[name]] as const)
  process.env['TMPDIR'] = folder
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
    // Its font list names /tmp/fonts, where nothing lies: without a font every text is 0 pixels wide.
    writeFileSync(
      path.join(folder, 'fonts/fonts.conf'),
      '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>' +
        `<dir prefix="relative">.</dir><cachedir>${home}/fonts/cache</cachedir></fontconfig>`,
    )
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** Read as a file: the package does not export its manifest. */
function packedVersion(): string {
  const file = path.resolve(
    import.meta.dirname,
    '../../node_modules/@sparticuz/chromium/package.json',
  )
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
