import { EventEmitter } from 'node:events'
import type { WebContents } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { actionOf, watchPage, type PageRules } from '#hosts/electron/authorization/pages.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { confine } from '#hosts/electron/window/window.ts'

// Tests each guard alone: in a real page several guards often apply, and a test of the page does not show which one is missing.

vi.mock('electron', () => ({ BrowserWindow: null, nativeTheme: null }))

type OpenHandler = (details: { url: string }) => unknown

/** The events of a page and its open handler, without a real page. */
function pageOf(guard: (contents: WebContents) => void) {
  const events = new EventEmitter()
  const page = { opensWindow: (_details: { url: string }): unknown => 'no handler' }
  const setWindowOpenHandler = (handler: OpenHandler): void => void (page.opensWindow = handler)
  guard(partialDouble<WebContents>(Object.assign(events, { setWindowOpenHandler })))
  return {
    opensWindow: (url: string): unknown => page.opensWindow({ url }),
    /** Whether the event, with what it carries, was prevented. */
    prevents(name: string, details: object = {}, ...beside: unknown[]): boolean {
      let prevented = false
      events.emit(name, { ...details, preventDefault: () => (prevented = true) }, ...beside)
      return prevented
    },
  }
}

const NAVIGATIONS = ['will-navigate', 'will-frame-navigate', 'will-redirect']
const FOREIGN = [
  'https://example.com/',
  'file:///etc/hosts',
  'tabscope://delivery/1',
  'ms-settings:privacy',
  'devtools://devtools/bundled/inspector.html',
  'app://tabscope.example/',
]

describe('a page of the interface', () => {
  const opened: string[] = []
  const page = pageOf((contents) => confine(contents, (url) => void opened.push(url)))

  it.each(NAVIGATIONS)('stays at its origin by %s, in each of its frames', (name) => {
    for (const isMainFrame of [true, false]) {
      for (const url of [...FOREIGN, 'data:text/html,x', 'about:blank', 'blob:x', ''])
        expect([url, page.prevents(name, { url, isMainFrame })]).toEqual([url, true])
      expect(page.prevents(name, { url: 'app://tabscope/index.html', isMainFrame })).toBe(false)
    }
  })

  it('opens only the interface in another window, attaches no views, and cannot move its window', () => {
    const delivery = 'app://tabscope/index.html#/deliveries/1'
    // Tabscope opens it itself.
    for (const url of [...FOREIGN, 'about:blank', 'blob:x', delivery])
      expect(page.opensWindow(url)).toEqual({ action: 'deny' })
    expect(opened).toEqual([delivery])
    expect(page.prevents('will-attach-webview', {}, {}, {})).toBe(true)
    expect(page.prevents('content-bounds-updated', {}, {})).toBe(true)
  })
})

describe('a page of an authorization', () => {
  const calls: string[] = []
  const failed: string[] = []
  const way: PageRules = {
    navigates: (url) => {
      calls.push(`navigates ${url}`)
      return url.startsWith('https:')
    },
    mayNavigate: (url) => {
      calls.push(`may go ${url}`)
      return url.startsWith('https:')
    },
    opensWindow: (url) => {
      calls.push(`opens ${url}`)
      return { action: 'deny' }
    },
    failed: (message) => failed.push(message),
  }
  const page = pageOf((contents) => watchPage(contents, way))

  it.each(NAVIGATIONS)('navigates where its run allows it, by %s', (name) => {
    for (const url of FOREIGN) {
      const may = url.startsWith('https:')
      calls.length = 0
      expect(page.prevents(name, { url, isMainFrame: true })).toBe(!may)
      // Once for each step, so that it is not recorded twice.
      expect(calls).toEqual([name === 'will-navigate' ? `may go ${url}` : `navigates ${url}`])
    }
  })

  it.each(['will-frame-navigate', 'will-redirect'])(
    'may contain web frames and inline frames, by %s',
    (name) => {
      calls.length = 0
      for (const url of ['http://a.invalid/', 'about:srcdoc', 'data:text/html,x', 'blob:x'])
        expect(page.prevents(name, { url, isMainFrame: false })).toBe(false)
      for (const url of FOREIGN.filter((one) => !one.startsWith('https:')))
        expect([url, page.prevents(name, { url, isMainFrame: false })]).toEqual([url, true])
      expect(page.prevents(name, { url: 'no address', isMainFrame: false })).toBe(true)
      expect(calls).toEqual([])
    },
  )

  it('opens what its run allows, attaches no views, and can neither move its window nor prevent closing', () => {
    calls.length = 0
    expect(page.opensWindow('https://a.invalid/')).toEqual({ action: 'deny' })
    expect(calls).toEqual(['opens https://a.invalid/'])
    for (const name of ['will-attach-webview', 'content-bounds-updated', 'will-prevent-unload'])
      expect([name, page.prevents(name)]).toEqual([name, true])
  })

  it('reports why it could not be loaded, with only the origin of its URL', () => {
    const url = 'https://a.invalid/cb?code=c0de'
    page.prevents('did-fail-load', {}, -105, 'ERR_NAME_NOT_RESOLVED', url, true)
    page.prevents('did-fail-load', {}, -105, 'ERR_NAME_NOT_RESOLVED', url, false)
    page.prevents('did-fail-load', {}, -3, 'ERR_ABORTED', url, true)
    page.prevents('render-process-gone', {}, { reason: 'crashed' })
    expect(failed).toEqual([
      'The page at https://a.invalid could not be loaded (ERR_NAME_NOT_RESOLVED).',
      'The page stopped unexpectedly.',
    ])
  })

  it('reports that a page or proxy requires a password, which only a browser can send', () => {
    failed.length = 0
    const url = 'https://a.invalid/cb?code=c0de'
    const useBrowser =
      'This window does not support that. Close it, then authorize with "Use my browser".'
    page.prevents('login', {}, { url, isRequestForNavigation: false }, { isProxy: false })
    page.prevents('login', {}, { url, isRequestForNavigation: true }, { isProxy: false })
    page.prevents('login', {}, { url, isRequestForNavigation: true }, { isProxy: true, host: 'p' })
    expect(failed).toEqual([
      `The page at https://a.invalid requires a user name and password (HTTP authentication). ${useBrowser}`,
      `The proxy p requires a user name and password (HTTP authentication). ${useBrowser}`,
    ])
  })

  it.each([
    ['linux', 'control', 'r', 'reload'],
    ['win32', null, 'F5', 'reload'],
    ['win32', 'alt', 'ArrowLeft', 'back'],
    ['linux', null, 'r', null],
    ['linux', 'meta', 'r', null],
    ['darwin', 'meta', 'r', 'reload'],
    ['darwin', 'meta', '[', 'back'],
    ['darwin', 'control', 'r', null],
    ['darwin', null, 'F5', null],
  ] as const)('on %s, %s and %s does: %s', (platform, modifier, key, action) => {
    const none = { control: false, meta: false, alt: false, shift: false }
    const rest = { isAutoRepeat: false, isComposing: false, location: 0, modifiers: [], code: '' }
    const input = { ...rest, ...none, type: 'keyDown', key } as const
    const pressed = modifier === null ? input : { ...input, [modifier]: true }
    expect(actionOf(pressed, platform)).toBe(action)
    expect(actionOf({ ...pressed, type: 'keyUp' }, platform)).toBeNull()
  })
})
