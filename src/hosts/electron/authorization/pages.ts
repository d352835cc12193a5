import type { WebContents, WindowOpenHandlerResponse } from 'electron'

/** What the pages of one run may do. */
export interface PageRules {
  /** A main frame is about to go to `url`: whether it may. Asked once for each step. */
  goes(url: string): boolean
  /** The same without noting the step. */
  mayGo(url: string): boolean
  /** A page opens one more window. */
  opens(url: string): WindowOpenHandlerResponse
  /** The page could not be shown; why, as a sentence. */
  failed(message: string): void
}

/** Chromium's code for a load that was cancelled, as each one is that we prevent. */
const ABORTED = -3

/** What stands in a frame of a page may also have been written by the page itself. */
const FRAME_SCHEMES = new Set(['http:', 'https:', 'about:', 'data:', 'blob:'])

/** Watches one page from its first moment on, whether we opened it or another page did. */
export function watchPage(contents: WebContents, way: PageRules): void {
  contents.on('will-frame-navigate', (event) => {
    const may = event.isMainFrame ? way.goes(event.url) : mayFrame(event.url)
    if (!may) event.preventDefault()
  })
  // Follows on the event above for a main frame.
  contents.on('will-navigate', (event) => {
    if (!way.mayGo(event.url)) event.preventDefault()
  })
  // Comes before the request for the new address, and keeps it from being made.
  contents.on('will-redirect', (event) => {
    const may = event.isMainFrame ? way.goes(event.url) : mayFrame(event.url)
    if (!may) event.preventDefault()
  })
  contents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED) way.failed(whyOf(url, description))
  })
  contents.on('render-process-gone', () => way.failed('The page stopped unexpectedly.'))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  // A window out of sight, or as small as a point, hides whose page it is.
  contents.on('content-bounds-updated', (event) => event.preventDefault())
  // A page has no say in whether its window closes, nor in whether it goes on.
  contents.on('will-prevent-unload', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => way.opens(url))
}

function mayFrame(url: string): boolean {
  return FRAME_SCHEMES.has(URL.parse(url)?.protocol ?? '')
}

/** The origin alone: path and query of a page on the way may hold a code. */
function whyOf(url: string, description: string): string {
  const origin = URL.parse(url)?.origin ?? 'the address'
  return `The page at ${origin} could not be loaded (${description}).`
}

/** Characters of a host that every title bar has room for. */
const MAX_HOST = 48

/**
 * The title of a window at `url`, by which the user knows whose page it is. `origin` is that of its document: what stands at an address of
 * nobody (`about:blank`) was written by another page, and is named after that one.
 */
export function titleOf(url: string, origin: string): string {
  const own = URL.parse(url)
  const shown = own?.protocol === 'http:' || own?.protocol === 'https:' ? own : URL.parse(origin)
  return shown === null ? 'Authorization' : `${nameOf(shown)} · Authorization`
}

/** A title is cut at its end, and the end of a long host says whose it is: so it is cut at its beginning. */
function nameOf({ protocol, host }: URL): string {
  const end = host.length <= MAX_HOST ? host : `…${host.slice(-MAX_HOST)}`
  return `${protocol}//${end}`
}
