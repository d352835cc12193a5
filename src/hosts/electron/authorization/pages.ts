import type { WebContents, WindowOpenHandlerResponse } from 'electron'

/** What the pages of one run may do. */
export interface PageRules {
  /** Whether a main frame may navigate to `url`. Called once for each navigation step, which it records. */
  navigates(url: string): boolean
  /** Whether a main frame may navigate to `url`, without recording a step. */
  mayNavigate(url: string): boolean
  /** Whether a page may open another window, and with which options. */
  opensWindow(url: string): WindowOpenHandlerResponse
  /** The page could not be shown. `message` is a sentence with the reason. */
  failed(message: string): void
}

/** Chromium's error code for a canceled load, which includes every load that we prevent. */
const ABORTED = -3

/** Schemes that a subframe may load. The page may have written the content of such a frame itself. */
const FRAME_SCHEMES = new Set(['http:', 'https:', 'about:', 'data:', 'blob:'])

/** Restricts one page from its creation on, whether Tabscope or another page opened it. */
export function watchPage(contents: WebContents, rules: PageRules): void {
  contents.on('will-frame-navigate', (event) => {
    const isAllowed = event.isMainFrame ? rules.navigates(event.url) : isFrameAllowed(event.url)
    if (!isAllowed) event.preventDefault()
  })
  // For a main frame, this event follows the one above.
  contents.on('will-navigate', (event) => {
    if (!rules.mayNavigate(event.url)) event.preventDefault()
  })
  // This event precedes the request to the new address; preventing it prevents the request.
  contents.on('will-redirect', (event) => {
    const isAllowed = event.isMainFrame ? rules.navigates(event.url) : isFrameAllowed(event.url)
    if (!isAllowed) event.preventDefault()
  })
  contents.on('did-fail-load', (_event, code, description, url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED) rules.failed(describeLoadFailure(url, description))
  })
  contents.on('render-process-gone', () => rules.failed('The page stopped unexpectedly.'))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  // A page could move its window out of sight or shrink it to a point, to hide its origin.
  contents.on('content-bounds-updated', (event) => event.preventDefault())
  // A page must not prevent its window from closing or navigating.
  contents.on('will-prevent-unload', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => rules.opensWindow(url))
}

function isFrameAllowed(url: string): boolean {
  return FRAME_SCHEMES.has(URL.parse(url)?.protocol ?? '')
}

/** Only the origin: path and query of a page in the flow may contain a code. */
function describeLoadFailure(url: string, description: string): string {
  const origin = URL.parse(url)?.origin ?? 'the address'
  return `The page at ${origin} could not be loaded (${description}).`
}

/** Length up to which a host fits into any title bar, in characters. */
const MAX_HOST = 48

/**
 * The title of a window at `url`, which shows the user whose page it is. `origin` is the origin of the document: a page without an address of its own
 * (`about:blank`) was written by another page, so it gets that page's name.
 */
export function titleOf(url: string, origin: string): string {
  const parsed = URL.parse(url)
  const shown =
    parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed : URL.parse(origin)
  return shown === null ? 'Authorization' : `${shortOrigin(shown)} · Authorization`
}

/** Title bars cut off the end of a title, but the end of a host identifies its owner. So a long host is shortened at its start. */
function shortOrigin({ protocol, host }: URL): string {
  const end = host.length <= MAX_HOST ? host : `…${host.slice(-MAX_HOST)}`
  return `${protocol}//${end}`
}
