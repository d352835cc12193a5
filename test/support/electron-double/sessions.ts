import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import { assertReady, PreventableEvent } from './app.ts'

export type ResourceType = 'mainFrame' | 'subFrame'
type Ask = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void
type Check = (contents: null, permission: string, origin: string, details: object) => boolean
type BeforeRequest = (
  details: { url: string; method: string; resourceType: ResourceType },
  answer: (response: { cancel?: boolean }) => void,
) => void

/** Documents only: that is all the double holds before it leaves. */
class WebRequest {
  #filter: { urls: readonly string[]; types?: readonly string[] } = { urls: [] }
  #listener: BeforeRequest | undefined

  onBeforeRequest(
    filter: { urls: readonly string[]; types?: readonly string[] },
    listener: BeforeRequest,
  ): void {
    if (filter.urls.join() !== '<all_urls>') throw new Error('The double knows <all_urls> only')
    this.#filter = filter
    this.#listener = listener
  }

  /** For the double: whether the app cancels a request for a document. */
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
  /** Which of the three permission handlers were set; a window opens only once all are. */
  readonly handlers = new Set<string>()
  #ask: Ask | undefined
  #check: Check | undefined
  readonly #requests = new Set<ClientRequest>()
  /** For the double: empties the cookies of its pages. */
  clear: () => Promise<void> = async () => undefined

  constructor(partition: string) {
    super()
    this.partition = partition
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
    await this.clear()
    process.stderr.write('[session] cleared\n')
  }

  /** Ends all requests of main that are on their way. */
  async closeAllConnections(): Promise<void> {
    for (const request of this.#requests) request.destroy(new Error('net::ERR_ABORTED'))
  }

  /** For the double: a request of main in this session. */
  requested(request: ClientRequest): void {
    this.#requests.add(request)
    request.on('close', () => this.#requests.delete(request))
  }

  /** For the double: what the app answers a page that asks for `permission`, or looks whether it has it: the more open one of both. */
  async grants(contents: unknown, permission: string): Promise<boolean> {
    if (this.#check?.(null, permission, 'https://asks.invalid', {}) !== false) return true
    return new Promise((resolve) => {
      if (this.#ask === undefined) resolve(true)
      else this.#ask(contents, permission, resolve)
    })
  }

  /** For the double: whether the app keeps a download from being made. */
  preventsDownload(url: string): boolean {
    const event = new PreventableEvent()
    this.emit('will-download', event, { getURL: () => url }, undefined)
    return event.defaultPrevented
  }
}

const defaultSession = new Session('')
const partitions = new Map<string, Session>()

export const session = {
  get defaultSession(): Session {
    assertReady('session.defaultSession')
    return defaultSession
  },
  fromPartition(partition: string): Session {
    assertReady('session.fromPartition')
    if (partition === '') return defaultSession
    if (partition.startsWith('persist:')) throw new Error('The double keeps no session on disk')
    const found = partitions.get(partition) ?? new Session(partition)
    partitions.set(partition, found)
    return found
  },
}
