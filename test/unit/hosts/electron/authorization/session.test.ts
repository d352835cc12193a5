import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Session } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { APP_URL } from '#hosts/electron/app-url.ts'
import { openAuthorizationSession } from '#hosts/electron/authorization/session.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { permitCopying } from '#hosts/electron/permissions.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')

type Request = (
  contents: unknown,
  name: string,
  answer: (may: unknown) => void,
  details: object,
) => void

class Held extends EventEmitter {
  request: Request | null = null
  check: ((...asked: unknown[]) => unknown) | null = null
  device: ((...asked: unknown[]) => unknown) | null = null
  before: ((details: { url: string }, answer: (decisions: unknown) => void) => void) | null = null
  setPermissionRequestHandler = (handler: Request): void => void (this.request = handler)
  setPermissionCheckHandler = (handler: () => unknown): void => void (this.check = handler)
  setDevicePermissionHandler = (handler: () => unknown): void => void (this.device = handler)
  webRequest = {
    onBeforeRequest: (filter: object, listener: NonNullable<Held['before']>): void => {
      expect(filter).toEqual({ urls: ['<all_urls>'], types: ['mainFrame'] })
      this.before = listener
    },
  }
}

const electron = vi.hoisted(() => ({ partitions: new Map<string, unknown>() }))
vi.mock('electron', () => ({
  session: {
    fromPartition(name: string) {
      const held = new Held()
      electron.partitions.set(name, held)
      return held
    },
  },
}))

/** Every permission in Electron's own types, so that a new one is tested as well. */
function permissionsOf(handler: string): string[] {
  const types = readFileSync(path.join(root, 'node_modules/electron/electron.d.ts'), 'utf8')
  const [, names = ''] = new RegExp(`${handler}\\(.*?permission: ([^,]*)`).exec(types) ?? []
  return Array.from(names.matchAll(/'([^']+)'/g), ([, name]) => name ?? '')
}

/** The names that `held` gives the page at `requestingUrl`, by whichever of the three ways. */
function givenBy(held: Held, requestingUrl = APP_URL, isMainFrame = true): string[] {
  const details = { requestingUrl, isMainFrame }
  const given: string[] = []
  const asked = permissionsOf('setPermissionRequestHandler')
  const checked = permissionsOf('setPermissionCheckHandler')
  expect(Math.min(asked.length, checked.length)).toBeGreaterThan(30)
  for (const name of asked) {
    let answers = 0
    held.request?.(
      {},
      name,
      (may) => {
        answers += 1
        if (may !== false) given.push(`${name} when asked`)
      },
      details,
    )
    if (answers !== 1) given.push(`${name} was answered ${answers} times`)
  }
  for (const name of checked) {
    // Electron passes the origin with a trailing slash.
    const origin = requestingUrl.replace(/index.html$/, '')
    if (held.check?.(null, name, origin, details) !== false) given.push(`${name}, looked up`)
  }
  for (const deviceType of ['hid', 'serial', 'usb']) {
    if (held.device?.({ deviceType, origin: 'https://a.invalid' }) !== false) given.push(deviceType)
  }
  return given
}

function isDownloadPrevented(held: Held): boolean {
  let prevented = false
  held.emit('will-download', { preventDefault: () => (prevented = true) }, {}, {})
  return prevented
}

const heldOf = (session: unknown): Held =>
  session instanceof Held ? session : expect.fail('none of ours')

describe('the page of the interface', () => {
  const held = new Held()
  permitCopying(partialDouble<Session>(held))

  it('may only write text to the clipboard', () => {
    const name = 'clipboard-sanitized-write'
    expect(givenBy(held)).toEqual([`${name} when asked`, `${name}, looked up`])
  })

  it.each([
    ['a frame in it', APP_URL, false],
    ['a web page', 'https://a.invalid/', true],
    ['a similar host', 'app://tabscope.example/', true],
    ['a page without an origin', '', true],
  ])('alone: %s may not', (_name, url, isMainFrame) => {
    expect(givenBy(held, url, isMainFrame)).toEqual([])
  })
})

describe('the session of an authorization', () => {
  const { session, windowOptions } = openAuthorizationSession((url) => url.endsWith('/may'))
  const held = heldOf(session)

  it('is denied every permission that Electron knows, and every device, in memory, and new each time', () => {
    expect(givenBy(held)).toEqual([])
    expect(isDownloadPrevented(held)).toBe(true)
    // Without a listener that prevents it, the first device would be selected.
    expect(held.eventNames()).toEqual(['will-download'])
    const again = openAuthorizationSession(() => true)
    const names = [...electron.partitions.keys()]
    expect(names).toEqual([
      windowOptions.webPreferences?.partition,
      again.windowOptions.webPreferences?.partition,
    ])
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^authorization-[0-9a-f-]{36}$/)
  })

  it('checks each main-frame request', () => {
    const decisions: unknown[] = []
    for (const url of ['https://a.invalid/may', 'https://a.invalid/not'])
      held.before?.({ url }, (answer) => decisions.push(answer))
    expect(decisions).toEqual([{ cancel: false }, { cancel: true }])
  })

  it('has regular windows, whatever a page requests, and pages without access to Tabscope', () => {
    const { webPreferences, ...shape } = windowOptions
    expect(shape).toMatchObject({
      show: true,
      frame: true,
      titleBarStyle: 'default',
      titleBarOverlay: false,
      opacity: 1,
      transparent: false,
      modal: false,
      closable: true,
      movable: true,
      minimizable: true,
      kiosk: false,
      fullscreen: false,
      simpleFullscreen: false,
      fullscreenable: false,
      alwaysOnTop: false,
      skipTaskbar: false,
      hiddenInMissionControl: false,
      focusable: true,
      enableLargerThanScreen: false,
      type: 'normal',
    })
    expect(webPreferences).toEqual({
      partition: expect.any(String),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      webviewTag: false,
      javascript: true,
      zoomFactor: 1,
      devTools: false,
      spellcheck: false,
      disableDialogs: true,
    })
  })
})
