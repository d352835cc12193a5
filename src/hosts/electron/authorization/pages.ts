import type { Input, WebContents, WindowOpenHandlerResponse } from 'electron'

export interface PageRules {
  /** Called once for each step of a main frame, which it records. */
  navigates(url: string): boolean
  mayNavigate(url: string): boolean
  opensWindow(url: string): WindowOpenHandlerResponse
  /** `message`: why the page could not be shown, as a sentence. */
  failed(message: string): void
}

/** Chromium's code for a canceled load, which includes every load that we prevent. */
const ABORTED = -3

/** For a subframe, whose content the page may have written itself. */
const FRAME_SCHEMES = new Set(['http:', 'https:', 'about:', 'data:', 'blob:'])

/** From its creation on, whether Tabscope or another page opened it. */
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
  // Not answered: the server's page for such requests is shown.
  contents.on('login', (_event, { url, isRequestForNavigation }, { isProxy, host }) => {
    if (!isRequestForNavigation) return
    const asking = isProxy ? `The proxy ${host}` : `The page at ${originOf(url)}`
    rules.failed(`${asking} requires a user name and password (HTTP authentication). ${useBrowser}`)
  })
  contents.on('before-input-event', (event, input) => {
    const action = actionOf(input, process.platform)
    if (action === null) return
    event.preventDefault()
    if (action === 'reload') contents.reload()
    else if (contents.navigationHistory.canGoBack()) contents.navigationHistory.goBack()
  })
  contents.on('render-process-gone', () => rules.failed('The page stopped unexpectedly.'))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  // A page could move its window out of sight or shrink it to a point, to hide its origin.
  contents.on('content-bounds-updated', (event) => event.preventDefault())
  // A page must not prevent its window from closing or navigating.
  contents.on('will-prevent-unload', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => rules.opensWindow(url))
}

const useBrowser =
  'This window does not support that. Close it, then authorize with "Use my browser".'

/** `address`: host and port. */
export function describeCertificateRequest(address: string): string {
  return `The server at ${address} requests a client certificate. ${useBrowser}`
}

/** As in browsers. Closing, editing and zooming are items of the menu, whose keys apply here too. */
export function actionOf(
  { type, key, control, meta, alt, shift }: Input,
  platform: NodeJS.Platform,
): 'reload' | 'back' | null {
  if (type !== 'keyDown' || shift) return null
  const isMac = platform === 'darwin'
  const isCommand = isMac ? meta && !control && !alt : control && !meta && !alt
  if (isCommand && key.toLowerCase() === 'r') return 'reload'
  if (isMac) return isCommand && key === '[' ? 'back' : null
  if (key === 'F5' && !control && !meta && !alt) return 'reload'
  return key === 'ArrowLeft' && alt && !control && !meta ? 'back' : null
}

function isFrameAllowed(url: string): boolean {
  return FRAME_SCHEMES.has(URL.parse(url)?.protocol ?? '')
}

/** Only the origin: path and query of a page in the flow may contain a code. */
function describeLoadFailure(url: string, description: string): string {
  return `The page at ${originOf(url)} could not be loaded (${description}).`
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'the address'
}

/** A host of this length fits into any title bar. */
const MAX_HOST = 48

/** Whose page it is. A page without an address of its own (`about:blank`) was written by the page of `origin`, so it gets that page's name. */
export function titleOf(url: string, origin: string): string {
  const parsed = URL.parse(url)
  const shown =
    parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed : URL.parse(origin)
  return shown === null ? 'Authorization' : `${shortOrigin(shown)} · Authorization`
}

/** Title bars cut off the end, but the end of a host identifies its owner. So a long host is shortened at its start. */
function shortOrigin({ protocol, host }: URL): string {
  const end = host.length <= MAX_HOST ? host : `…${host.slice(-MAX_HOST)}`
  return `${protocol}//${end}`
}
