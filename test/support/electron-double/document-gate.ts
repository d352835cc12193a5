import { PreventableEvent } from './app.ts'
import type { Cdp } from './cdp.ts'
import type { WebContents } from './contents.ts'

/** Chromium's network error numbers (net_error_list.h) that occur in tests. */
const NET_ERRORS: Readonly<Record<string, number>> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_CERT_AUTHORITY_INVALID: -202,
  ERR_UNSAFE_REDIRECT: -311,
  ERR_EMPTY_RESPONSE: -324,
}

/** Schemes whose document requests the double can hold. */
const HELD = new Set(['http:', 'https:', 'about:', 'javascript:'])

/** URLs whose content a page provides itself. */
const OF_THE_PAGE = new Set(['data:', 'blob:'])

export interface DocumentGate {
  /** Resolves when the page has responded, which may be after its first document. */
  readonly ready: Promise<void>
  /** Marks the next document of the main frame as requested by main, so that no events are emitted. */
  expectOwn(): void
  /** For a request that is about to leave the browser: asks the app unless it was already asked. */
  verdictAtGate(paused: Paused): Promise<Refusal | null>
}

/** Holds all document requests of a page and its frames until the app has decided. */
export function gateDocuments(
  cdp: Cdp,
  targetId: string,
  contents: WebContents,
  { ownFirst }: { ownFirst: boolean },
): DocumentGate {
  let own = ownFirst
  const failures = new Map<string, string>()

  /** Allowed requests that reach the browser-level gate next. */
  const passed: string[] = []

  async function verdict(paused: Paused): Promise<Refusal | null> {
    const { frameId, request, redirectedRequestId } = paused
    const isMainFrame = frameId === targetId
    const url = request.url + (request.urlFragment ?? '')
    let prevented = false
    if (redirectedRequestId !== undefined)
      prevented = contents.isRedirectPrevented(url, isMainFrame)
    else if (isMainFrame && own) own = false
    else prevented = contents.isNavigationPrevented(url, isMainFrame)
    if (prevented) return 'Aborted'
    const { webRequest } = contents.session
    const type = isMainFrame ? 'mainFrame' : 'subFrame'
    return (await webRequest.isCancelled(url, request.method, type)) ? 'BlockedByClient' : null
  }

  async function answer(session: Cdp, paused: Paused): Promise<void> {
    const refusal = await verdict(paused)
    if (refusal === null) passed.push(keyOf(paused))
    await settle(session, paused.requestId, refusal)
  }

  async function hold(session: Cdp): Promise<void> {
    session.on('Fetch.requestPaused', (paused) => {
      // The page may be closed before the reply.
      answer(session, paused).catch(() => undefined)
    })
    session.on('Page.frameRequestedNavigation', ({ frameId, url }) => {
      // A window without a URL that navigates to itself.
      const protocol = URL.parse(url === '' ? 'about:blank' : url)?.protocol ?? ''
      if (HELD.has(protocol)) return
      // External protocols and files cannot be held by the double, so they are reported afterwards.
      const isMainFrame = frameId === targetId
      const prevented = contents.isNavigationPrevented(url, isMainFrame)
      if (!prevented && (isMainFrame || !OF_THE_PAGE.has(protocol)))
        process.stderr.write(`[double] left the web for ${protocol}\n`)
    })
    session.on('Target.attachedToTarget', ({ sessionId }) => {
      // A frame of another site has its own process.
      void hold(cdp.session(sessionId))
    })
    const started = [
      session.send('Page.enable'),
      session.send('Network.enable'),
      session.send('Fetch.enable', {
        patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
      }),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'iframe' }],
      }),
    ]
    if (session !== cdp) started.push(session.send('Runtime.runIfWaitingForDebugger'))
    await Promise.all(started).catch(() => undefined)
  }

  /** An opaque URL does not identify the document, so the page is queried. */
  async function arrive(url: string): Promise<void> {
    const origin = url.startsWith('about:') ? await originOf(cdp) : (URL.parse(url)?.origin ?? '')
    if (origin === null) return
    contents.mainFrame.origin = origin
    contents.emit('did-navigate', {}, url)
  }

  cdp.on('Inspector.targetCrashed', () => {
    contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
  })
  cdp.on('Network.loadingFailed', ({ requestId, errorText }) => {
    failures.set(requestId, errorText.replace(/^net::/, ''))
  })
  cdp.on('Network.responseReceived', ({ type, response, frameId }) => {
    const names = Object.keys(response.headers).map((name) => name.toLowerCase())
    if (type !== 'Document' || response.status !== 401 || !names.includes('www-authenticate'))
      return
    const { url } = response
    const isMainFrame = frameId === targetId
    const details = { url, isRequestForNavigation: true, firstAuthAttempt: true, isMainFrame }
    const info = { isProxy: false, host: new URL(url).hostname }
    contents.emit('login', new PreventableEvent(), details, info, () => undefined)
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return
    const { unreachableUrl, loaderId, url, urlFragment = '' } = frame
    if (unreachableUrl === undefined) {
      contents.url = url + urlFragment
      void arrive(contents.url)
      return
    }
    contents.url = unreachableUrl
    const why = failures.get(loaderId) ?? 'ERR_FAILED'
    const code = NET_ERRORS[why]
    if (code === undefined) throw new Error(`The double does not know the number of ${why}`)
    process.emitWarning(`Failed to load URL: ${unreachableUrl} with error: ${why}`, 'electron')
    contents.emit('did-fail-load', {}, code, why, unreachableUrl, true)
  })

  return {
    ready: hold(cdp),
    expectOwn() {
      own = true
    },
    async verdictAtGate(paused) {
      const known = passed.indexOf(keyOf(paused))
      if (known === -1) return verdict(paused)
      passed.splice(known, 1)
      return null
    },
  }
}

/** Null: the page is closed. */
async function originOf(cdp: Cdp): Promise<string | null> {
  return cdp.send('Runtime.evaluate', { expression: 'origin' }).then(
    ({ result }) => String(result.value),
    () => null,
  )
}

export interface Paused {
  readonly requestId: string
  readonly networkId?: string
  readonly frameId: string
  readonly request: { readonly url: string; readonly urlFragment?: string; readonly method: string }
  readonly redirectedRequestId?: string
}

/** Why a request is not sent: prevented navigation, or cancelled request. */
export type Refusal = 'Aborted' | 'BlockedByClient'

function keyOf({ networkId = '', request: { method, url } }: Paused): string {
  return `${networkId} ${method} ${url}`
}

export async function settle(cdp: Cdp, requestId: string, refusal: Refusal | null): Promise<void> {
  if (refusal === null) await cdp.send('Fetch.continueRequest', { requestId })
  else await cdp.send('Fetch.failRequest', { requestId, errorReason: refusal })
}
