import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../../..')

/** What a page may choose of its own window without hiding whose page it is, or holding on to the screen. */
const HARMLESS = new Set([
  'accentColor',
  'acceptFirstMouse',
  'backgroundColor',
  'backgroundMaterial',
  // The window is centred after it was made: where it stands cannot be named before.
  'center',
  'x',
  'y',
  'darkTheme',
  'hasShadow',
  'paintWhenInitiallyHidden',
  'roundedCorners',
  'tabbingIdentifier',
  // Of another title bar than ours only.
  'trafficLightPosition',
  'vibrancy',
  'visualEffectState',
  'zoomToPageWidth',
  // Objects, or names without the persistence that would use them: a page has only words.
  'appShim',
  'icon',
  'name',
  'parent',
])

/** The options of a window as Electron's own types list them: a new one is looked at before it passes. */
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
