import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../../..')

/** Options that a page may set for its window: they neither hide its origin nor block the screen. */
const HARMLESS = new Set([
  'accentColor',
  'acceptFirstMouse',
  'backgroundColor',
  'backgroundMaterial',
  // The window is centered after it was created, so its position cannot be set.
  'center',
  'x',
  'y',
  'darkTheme',
  'hasShadow',
  'paintWhenInitiallyHidden',
  'roundedCorners',
  'tabbingIdentifier',
  // Applies only to a different title bar.
  'trafficLightPosition',
  'vibrancy',
  'visualEffectState',
  'zoomToPageWidth',
  // Objects, or names that need persistence: a page can pass only text.
  'appShim',
  'icon',
  'name',
  'parent',
])

/** The window options in Electron's own types, so that a new one must be reviewed. */
function optionsOfElectron(): string[] {
  const types = readFileSync(path.join(root, 'node_modules/electron/electron.d.ts'), 'utf8')
  return ['BaseWindowConstructorOptions', 'BrowserWindowConstructorOptions'].flatMap((name) => {
    const [, body = ''] =
      new RegExp(`interface ${name}(?: extends \\w+)? \\{([\\s\\S]*?)\\n  \\}`).exec(types) ?? []
    return Array.from(body.matchAll(/^ {4}(\w+)\??: /gm), ([, option]) => option ?? '')
  })
}

it('a page that opens a window cannot set any option that would hide it', () => {
  const source = readFileSync(
    path.join(root, 'src/hosts/electron/authorization/session.ts'),
    'utf8',
  )
  const [, windowOptions = ''] = /const WINDOW_OPTIONS = \{([\s\S]*?)\n\}/.exec(source) ?? []
  const named = Array.from(windowOptions.matchAll(/^ {2}(\w+): /gm), ([, option]) => option ?? '')
  const options = optionsOfElectron()
  expect(options.length).toBeGreaterThan(40)
  expect(
    options.filter((one) => !named.includes(one) && !HARMLESS.has(one) && one !== 'webPreferences'),
  ).toEqual([])
  expect(named.filter((one) => HARMLESS.has(one))).toEqual([])
})
