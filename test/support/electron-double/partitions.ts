import { setTimeout as pause } from 'node:timers/promises'
import { connectCdp, type Cdp } from './cdp.ts'
import { browserEndpoint } from './interface-page.ts'
import { applyPermissions } from './permissions.ts'
import { settle, type Paused, type Refusal } from './document-gate.ts'
import type { Session } from './sessions.ts'

/** A page of a partition, paused before it runs and before it sends any request. */
export interface StoppedPage {
  readonly targetId: string
  readonly cdp: Cdp
  /** False: opened with `noopener`, so that main loads its URL in Electron. */
  readonly hasOpener: boolean
  /** Lets `ask` decide on each document request of the main frame. Until then they wait. */
  gate(ask: Gate): void
}

type Gate = (paused: Paused) => Promise<Refusal | null>

/** Events of the browser for one page, by target id. */
export interface PageWatcher {
  popup(page: StoppedPage): void
  closed(): void
}

export interface Partitions {
  /** Opens a page in the browser context of `session`, which is created if necessary. */
  newPage(session: Session): Promise<StoppedPage>
  watch(targetId: string, watcher: PageWatcher): void
  closePage(targetId: string): Promise<void>
}

let opened: Promise<Partitions> | undefined

/** One browser context for each partition, with separate cookies. */
export function partitions(): Promise<Partitions> {
  opened ??= openPartitions()
  return opened
}

async function openPartitions(): Promise<Partitions> {
  const browser = await connectCdp(browserEndpoint())
  const contexts = new Map<Session, Promise<string>>()
  const ours = new Map<string, Session>()
  const watchers = new Map<string, PageWatcher>()
  const stopped = new Map<string, PromiseWithResolvers<StoppedPage>>()
  const targets = new Map<string, string>()
  const homes = new Map<string, Session>()
  const gates = new Map<string, PromiseWithResolvers<Gate>>()

  const expect = (targetId: string): PromiseWithResolvers<StoppedPage> => {
    const found = stopped.get(targetId) ?? Promise.withResolvers<StoppedPage>()
    stopped.set(targetId, found)
    return found
  }

  const gateOf = (targetId: string): PromiseWithResolvers<Gate> => {
    const found = gates.get(targetId) ?? Promise.withResolvers<Gate>()
    gates.set(targetId, found)
    return found
  }

  /** The first request of a page may be reported before the page itself. Frames are not targets. */
  async function isOurPage(targetId: string): Promise<boolean> {
    const { targetInfos } = await browser.send('Target.getTargets')
    const found = targetInfos.find((info) => info.targetId === targetId)
    return found !== undefined && ours.has(found.browserContextId ?? '')
  }

  browser.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const { targetId, browserContextId = '', canAccessOpener, openerFrameId } = targetInfo
    const openerId = targetInfo.openerId ?? openerFrameId
    const cdp = browser.session(sessionId)
    const home = ours.get(browserContextId)
    if (home === undefined) {
      // Pages of the interface, and those of other apps in the same browser.
      void shutDown(cdp, sessionId)
      return
    }
    targets.set(sessionId, targetId)
    homes.set(targetId, home)
    const gate = gateOf(targetId)
    const page = { targetId, cdp, hasOpener: canAccessOpener, gate: gate.resolve }
    const opener = openerId === undefined ? undefined : watchers.get(openerId)
    if (opener === undefined) expect(targetId).resolve(page)
    else opener.popup(page)
  })
  browser.on('Target.detachedFromTarget', ({ sessionId }) => {
    watchers.get(targets.get(sessionId) ?? '')?.closed()
  })
  browser.on('Browser.downloadWillBegin', ({ url, frameId }) => {
    const held = homes.get(frameId)
    const kept = held?.preventsDownload(url) === true
    process.stderr.write(kept ? '[download] prevented\n' : '[download] made\n')
  })
  // Another client of the browser may resume a new page before it is ready here, so a gate for all requests is close to the network.
  browser.on('Fetch.requestPaused', (paused) => {
    const ask = async (): Promise<Refusal | null> => {
      const { frameId } = paused
      const gate = gates.get(frameId) ?? ((await isOurPage(frameId)) ? gateOf(frameId) : undefined)
      return gate === undefined ? null : (await gate.promise)(paused)
    }
    ask()
      .then(async (refusal) => settle(browser, paused.requestId, refusal))
      .catch(() => undefined)
  })
  await browser.send('Fetch.enable', {
    patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
  })
  await browser.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'page' }],
  })

  async function shutDown(cdp: Cdp, sessionId: string): Promise<void> {
    await cdp.send('Runtime.runIfWaitingForDebugger').catch(() => undefined)
    await browser.send('Target.detachFromTarget', { sessionId }).catch(() => undefined)
  }

  async function newContext(session: Session): Promise<string> {
    const { browserContextId } = await browser.send('Target.createBrowserContext', {
      disposeOnDetach: true,
    })
    ours.set(browserContextId, session)
    await browser.send('Browser.setDownloadBehavior', {
      behavior: 'deny',
      browserContextId,
      eventsEnabled: true,
    })
    session.clearCookies = async () => {
      await browser.send('Storage.clearCookies', { browserContextId })
    }
    await applyPermissions(browser, session, 'https://asks.invalid/', { browserContextId })
    return browserContextId
  }

  return {
    async newPage(session) {
      const context = contexts.get(session) ?? newContext(session)
      contexts.set(session, context)
      const { targetId } = await browser.send('Target.createTarget', {
        url: 'about:blank',
        browserContextId: await context,
      })
      return expect(targetId).promise
    },
    watch: (targetId, watcher) => void watchers.set(targetId, watcher),
    async closePage(targetId) {
      // Queries fail during a navigation. Only a closed page rejects closing.
      for (let asked = 0; asked < 50; asked += 1) {
        const isThere = await browser.send('Target.closeTarget', { targetId }).then(
          () => true,
          () => false,
        )
        if (!isThere) return
        await pause(50)
      }
    },
  }
}
