import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { app, assertReady, PreventableEvent } from './app.ts'

export type ResourceType = 'mainFrame' | 'subFrame'
interface Asker {
  readonly requestingUrl: string
  readonly isMainFrame: boolean
}
type Ask = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: Asker,
) => void
type Check = (contents: null, permission: string, origin: string, details: Asker) => boolean
type BeforeRequest = (
  details: { url: string; method: string; resourceType: ResourceType },
  answer: (response: { cancel?: boolean }) => void,
) => void

/** The double holds only document requests. */
class WebRequest {
  #filter: { urls: readonly string[]; types?: readonly string[] } = { urls: [] }
  #listener: BeforeRequest | undefined

  /** A second listener replaces the first. */
  onBeforeRequest(
    filter: { urls: readonly string[]; types?: readonly string[] },
    listener: BeforeRequest,
  ): void {
    if (filter.urls.join() !== '<all_urls>') throw new Error('The double knows <all_urls> only')
    this.#filter = filter
    this.#listener = listener
  }

  /** For the double: returns whether the app cancels a document request. */
  async isCancelled(url: string, method: string, resourceType: ResourceType): Promise<boolean> {
    const listener = this.#listener
    if (listener === undefined || this.#filter.types?.includes(resourceType) === false) return false
    return new Promise((resolve) => {
      listener({ url, method, resourceType }, ({ cancel }) => resolve(cancel === true))
    })
  }
}

export class Session extends EventEmitter {
  /** Empty: the default session. */
  readonly partition: string
  readonly webRequest = new WebRequest()
  /** The configured permission handlers. A window opens only if all three are set. */
  readonly handlers = new Set<string>()
  #ask: Ask | undefined
  #check: Check | undefined
  readonly #requests = new Set<ClientRequest>()
  #spellCheckerLanguages: readonly string[] = ['en-US']
  #isSpellCheckerEnabled = true
  #isDictionaryRequested = false
  /** For the double: clears the cookies of its pages. */
  clearCookies: () => Promise<void> = async () => undefined

  constructor(partition: string) {
    super()
    this.partition = partition
  }

  /** Whether the spell checker is enabled for pages of this session, or a dictionary was requested. */
  get checksSpelling(): boolean {
    return this.#isSpellCheckerEnabled || this.#isDictionaryRequested
  }

  /** macOS has its own spell checker, and ignores the list. */
  setSpellCheckerLanguages(languages: readonly string[]): void {
    if (process.platform === 'darwin') return
    this.#spellCheckerLanguages = languages
    this.#isSpellCheckerEnabled = languages.length > 0
  }

  setSpellCheckerEnabled(enabled: boolean): void {
    this.#isSpellCheckerEnabled = enabled
  }

  /** For the double: the constructor requests the dictionaries, and a later task downloads those that are still in the list. */
  initializeDictionaries(): void {
    setImmediate(() => {
      if (process.platform === 'darwin' || this.#spellCheckerLanguages.length === 0) return
      this.#isDictionaryRequested = true
      process.stderr.write(`[session] downloads a dictionary for '${this.partition}'\n`)
    })
  }

  /** The system has the proxies of `DOUBLE_PROXY`. */
  async resolveProxy(_url: string): Promise<string> {
    return process.env['DOUBLE_PROXY'] ?? 'DIRECT'
  }

  setPermissionRequestHandler(handler: Ask): void {
    this.handlers.add('request')
    this.#ask = handler
  }

  setPermissionCheckHandler(handler: Check): void {
    this.handlers.add('check')
    this.#check = handler
  }

  setDevicePermissionHandler(): void {
    this.handlers.add('device')
  }

  async clearData(): Promise<void> {
    // Asynchronous, because it involves the network process.
    await nextTurn()
    await this.clearCookies()
    process.stderr.write('[session] cleared\n')
  }

  /** Aborts all running requests, including those of main. */
  async closeAllConnections(): Promise<void> {
    for (const request of this.#requests) request.destroy(new Error('net::ERR_ABORTED'))
    await nextTurn()
  }

  /** For the double: makes a request of main in this session. */
  requested(request: ClientRequest): void {
    this.#requests.add(request)
    request.on('close', () => this.#requests.delete(request))
  }

  /** For the double: returns the app's decision on `permission` for the page at `url`: the more permissive result of request and check. */
  async grants(permission: string, url: string): Promise<boolean> {
    const details = { requestingUrl: url, isMainFrame: true }
    const origin = new URL('/', url).href
    if (this.#check?.(null, permission, origin, details) !== false) return true
    return new Promise((resolve) => {
      if (this.#ask === undefined) resolve(true)
      else this.#ask(undefined, permission, resolve, details)
    })
  }

  /** For the double: returns whether the app prevents a download. */
  preventsDownload(url: string): boolean {
    const event = new PreventableEvent()
    this.emit('will-download', event, { getURL: () => url }, undefined)
    return event.defaultPrevented
  }
}

/** Sessions, created on first use and kept until the app ends. */
const sessions = new Map<string, Session>()

function sessionFor(partition: string): Session {
  const found = sessions.get(partition)
  if (found !== undefined) return found
  const made = new Session(partition)
  sessions.set(partition, made)
  process.stderr.write(`[session] created '${partition}'\n`)
  made.initializeDictionaries()
  // The only event of `app` without an event object as first argument.
  app.emit('session-created', made)
  return made
}

export const session = {
  get defaultSession(): Session {
    assertReady('session.defaultSession')
    return sessionFor('')
  },
  fromPartition(partition: string): Session {
    assertReady('session.fromPartition')
    if (partition.startsWith('persist:')) throw new Error('The double keeps no session on disk')
    return sessionFor(partition)
  },
}
