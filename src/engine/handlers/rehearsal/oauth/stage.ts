import type {
  OAuthOptions,
  OAuthProgress,
  RehearsalOptions,
  RehearsalRequest,
} from '#contract/rehearsal.ts'
import { isLoopback, withoutQuery } from '#shared/text/address.ts'
import type { Network } from '../../../platform/http/network.ts'
import { formatDuration, quoteForeign } from '#shared/text/format.ts'
import type { Redact } from '../../../platform/masking/redact.ts'
import {
  correctRedirect,
  isRefresh,
  type AuthorizationServer,
  type ClientRequest,
  type Flow,
  type Reply,
} from './server.ts'
import { UserAgent, type Load } from './user-agent.ts'

export interface Begun {
  readonly flow: Flow
  /** The browser of the flow; null: the user's. */
  readonly agent: UserAgent | null
  /** The page at the end of its redirects; null: the user's browser loads it. */
  readonly visit: Promise<Load | null>
}

export interface StagePorts {
  readonly options: RehearsalOptions & { readonly oauth: OAuthOptions }
  readonly server: AuthorizationServer
  readonly redact: Redact
  readonly publicAllowed: boolean
  readonly network: Network
  readonly signal: AbortSignal
  /** Called when something changes. `step`: what the user has to do next, with the case; null: nothing. */
  readonly progress: (progress: OAuthProgress, step: string | null) => void
}

/** Requests of a variant whose progress is reported: a client in a loop must not flood the interface. */
const maxReported = 50

const maxStored = 200

const idle = { phase: 'work', action: null, until: null } as const

function countKinds(requests: readonly ClientRequest[]): OAuthProgress['received'] {
  const count = (wanted: readonly ClientRequest['kind'][]): number =>
    requests.filter(({ kind }) => wanted.includes(kind)).length
  return {
    authorize: count(['authorize']),
    token: count(['token']),
    api: count(['api']),
    other: count(['other', 'other-origin']),
  }
}

/** What the scenarios of a run act with: the authorization server, and the browsers of `--start-url`. */
export class Stage {
  readonly server: AuthorizationServer
  /** How long to wait for what must not happen, in milliseconds. */
  readonly watchTime: number
  /** The user begins the flows in a browser. */
  readonly isManual: boolean
  /** The client can be made to call the API after a flow. */
  readonly canCall: boolean
  loads: Load[] = []
  /** Where the access secret was found outside token requests. */
  leak: string | null = null
  readonly #ports: StagePorts
  readonly #options: OAuthOptions
  readonly #redirectOrigins = new Set<string>()
  #visits: Promise<Load | null>[] = []
  #progress: OAuthProgress = {
    caseId: null,
    variant: '',
    phase: 'work',
    action: null,
    until: null,
    received: countKinds([]),
  }

  constructor(ports: StagePorts) {
    this.#ports = ports
    this.server = ports.server
    this.#options = ports.options.oauth
    const { startUrl, callUrl, watchTime, redirectUrl } = this.#options
    this.watchTime = watchTime
    this.isManual = startUrl === null
    this.canCall = this.isManual || callUrl !== null
    if (redirectUrl !== null) this.#allowRedirect(redirectUrl)
    let reported = 0
    this.server.watch(() => {
      const count = this.server.requests.length
      if (count !== reported && count <= maxReported) this.#report({})
      reported = count
    })
  }

  enter(caseId: string | null, variant: string): void {
    this.#report({ caseId, variant, ...idle })
  }

  /** `until`: when the user's time is over, in milliseconds since the epoch. */
  ask(action: string, until: number | null = null): void {
    this.#report({ phase: 'act', action, until })
  }

  #report(changes: Partial<OAuthProgress>): void {
    const received = countKinds(this.server.requests)
    this.#progress = { ...this.#progress, ...changes, received }
    const { caseId, variant, action } = this.#progress
    const label = caseId === null ? 'First flow' : `${caseId}, ${variant}`
    const step =
      action === null ? null : `${label}: ${action.charAt(0).toLowerCase()}${action.slice(1)}`
    this.#ports.progress(this.#progress, step)
  }

  newAgent(): UserAgent {
    const { signal, options, redact, network } = this.#ports
    return new UserAgent({
      mayLoad: (url) => this.mayLoad(url),
      loaded: (load) => {
        this.loads.push(load)
        const isPage = load.url.origin !== this.server.baseUrl
        if (isPage && redact.isIn(Buffer.from(load.responseBody).toString('latin1'))) {
          this.leak ??= `the page ${quoteForeign(load.url.pathname)}`
        }
      },
      timeout: options.requestTimeout,
      network,
      signal,
    })
  }

  mayLoad({ origin }: URL): boolean {
    const { startUrl, callUrl } = this.#options
    return (
      origin === this.server.baseUrl ||
      this.#redirectOrigins.has(origin) ||
      [startUrl, callUrl].some((each) => each !== null && URL.parse(each)?.origin === origin)
    )
  }

  /**
   * Lets the client begin a flow. Resolves when its authorization request has arrived, or to a sentence if none arrived in time. `reply`: to that request;
   * default: the correct redirect. `afterwards`: what else the user has to do.
   */
  async begin({
    agent = this.isManual ? null : this.newAgent(),
    reply = (flow) => ({ status: 302, headers: { Location: correctRedirect(flow) } }),
    afterwards = '',
  }: {
    agent?: UserAgent | null
    reply?: (flow: Flow) => Reply
    afterwards?: string
  } = {}): Promise<Begun | { notBegun: string }> {
    const { startUrl, flowTimeout } = this.#options
    let flow: Flow | null = null
    const arrived = (): Flow | null => flow
    this.server.expect(reply, (begun) => {
      flow = begun
      this.#allowRedirect(begun.redirectUrl)
    })
    let visit: Promise<Load | null> = Promise.resolve(null)
    if (agent === null || startUrl === null) {
      const action = `Start the authorization in your app now. ${afterwards}`.trim()
      this.ask(action, Date.now() + flowTimeout)
      await this.until(arrived, flowTimeout)
    } else {
      visit = agent.open(startUrl)
      this.#visits.push(visit)
      await Promise.race([
        this.until(arrived, flowTimeout),
        visit.then(() => this.until(arrived, this.watchTime)),
      ])
    }
    this.server.expectNone()
    this.stepDone()
    if (flow !== null) return { flow, agent, visit }
    const received = this.server.requests.some(({ kind }) => kind === 'authorize')
    if (received) return { notBegun: 'The authorization request has no usable redirect_url.' }
    if (startUrl === null) {
      return { notBegun: `No flow was begun within ${formatDuration(flowTimeout)}.` }
    }
    const last = await visit
    const detail = last?.error ?? `It responded with ${last?.status ?? 'nothing'}.`
    return { notBegun: `${withoutQuery(startUrl)} led to no authorization request. ${detail}` }
  }

  /** The client must be reached at its redirect URL, which may be outside this machine only if the user allowed that. */
  #allowRedirect(redirectUrl: string): void {
    const url = URL.parse(redirectUrl)
    if (url === null || !/^https?:$/.test(url.protocol)) return
    if (isLoopback(url.hostname) || this.#ports.publicAllowed) {
      this.#redirectOrigins.add(url.origin)
    }
  }

  /** Lets the client call the API several times at once. Without a URL for that, the user is asked, and the list is empty. */
  async call({ agent }: Begun, times: number): Promise<readonly Load[]> {
    const { callUrl } = this.#options
    if (agent !== null && callUrl !== null) {
      return Promise.all(Array.from({ length: times }, () => agent.open(callUrl)))
    }
    if (this.isManual) {
      const often = times === 1 ? 'once' : `${times} times at once`
      this.ask(`Let your app call the API ${often} now.`)
    }
    return []
  }

  /** Milliseconds in which the client must have called the API after `call`. */
  get callTimeout(): number {
    return this.isManual ? this.#options.flowTimeout : this.watchTime
  }

  stepDone(): void {
    if (this.isManual) this.#report(idle)
  }

  hasSecret(text: string): boolean {
    return this.#ports.redact.isIn(text)
  }

  /** Makes the server correct again, and waits for the pages that are still being loaded. */
  async settle(): Promise<void> {
    this.server.behavior = {}
    this.server.expectNone()
    await Promise.all(this.#visits)
    this.#visits = []
  }

  /** Waits until `find` finds something in the requests; null after `ms`. */
  until<T>(find: () => T | null | undefined, ms = this.watchTime): Promise<T | null> {
    const { signal } = this.#ports
    return new Promise((resolve) => {
      const end = (found: T | null): void => {
        stop()
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        resolve(found)
      }
      const abort = (): void => end(null)
      const check = (): void => {
        const found = find()
        if (found !== null && found !== undefined) end(found)
      }
      const stop = this.server.watch(check)
      const timer = setTimeout(() => end(find() ?? null), ms)
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      else check()
    })
  }

  /** Waits for something that must not happen; null if it did not. */
  async watchFor<T>(find: () => T | null | undefined): Promise<T | null> {
    this.#report({ phase: 'watch', action: null, until: Date.now() + this.watchTime })
    const found = await this.until(find)
    this.#report(idle)
    return found
  }

  async wait(ms: number): Promise<void> {
    await this.until(() => null, ms)
  }

  /** Token requests of the current variant that exchange a code, also an invented one, but not a code of an earlier variant. */
  exchanges(flow: Flow | null): ClientRequest[] {
    return this.server.requests.filter(
      (request) =>
        request.kind === 'token' &&
        !isRefresh(request) &&
        (request.flow === null || request.flow === flow),
    )
  }

  refreshes(): ClientRequest[] {
    return this.server.requests.filter((request) => request.kind === 'token' && isRefresh(request))
  }

  apiCalls(flow: Flow): ClientRequest[] {
    return this.server.requests.filter((request) => request.kind === 'api' && request.flow === flow)
  }

  /** Waits for the exchange of a flow, and for the page at its end. Null: there was none. */
  async exchanged({ flow, visit }: Begun): Promise<ClientRequest | null> {
    const found = await this.until(() => this.exchanges(flow)[0])
    await visit
    return found ?? this.exchanges(flow)[0] ?? null
  }

  /** Null: the client still responds, or the user's browser shows it. */
  async findCrash(): Promise<{ reason: string; unreachable: boolean } | null> {
    const { startUrl } = this.#options
    const { options, signal, network } = this.#ports
    if (startUrl === null || signal.aborted) return null
    const agent = new UserAgent({
      mayLoad: () => false,
      loaded: () => undefined,
      timeout: options.requestTimeout,
      network,
      signal,
    })
    const first = await agent.open(startUrl)
    if (first.error === null) return null
    const reason = `The app stopped responding after it: ${first.error}`
    for (let again = 0; again < 10; again += 1) {
      await this.wait(this.watchTime / 10)
      if ((await agent.open(startUrl)).error === null) return { reason, unreachable: false }
    }
    return { reason, unreachable: true }
  }

  /** Ends a variant, and returns what was recorded without the access secret. */
  take(caseId: string, variant: string, repetition: number): RehearsalRequest[] {
    const { redact } = this.#ports
    const { requests } = this.server
    const { loads } = this
    this.server.requests = []
    this.loads = []
    for (const { kind, url, headers } of requests) {
      const isBrowser = kind === 'authorize' || kind === 'other'
      const shown = isBrowser ? `${url.href} ${headers.join(' ')}` : url.href
      if (redact.isIn(shown)) {
        this.leak ??=
          kind === 'authorize'
            ? 'the authorization request'
            : `the URL of a request: ${quoteForeign(url.pathname)}`
      }
    }
    const of = {
      caseId,
      variant,
      repetition,
      missingHeaders: [],
      changedHeaders: [],
      bodyChange: null,
    }
    const sent = requests.map((request) => ({
      at: request.at,
      record: {
        ...of,
        method: request.method,
        url: redact.text(request.url.href),
        headers: redact.headers(request.headers),
        body: redact.bytes(request.body),
        bodyBytes: request.body.byteLength,
        status: request.reply.status,
        error: request.reply.status === null ? 'No response was sent.' : null,
        responseHeaders: redact.headers(request.reply.headers),
        responseBody: redact.bytes(Buffer.from(request.reply.body)),
        durationMs: 0,
      },
    }))
    const loaded = loads
      .filter(({ url }) => url.origin !== this.server.baseUrl)
      .map((load) => ({
        at: load.at,
        record: {
          ...of,
          method: 'GET',
          url: redact.text(load.url.href),
          headers: redact.headers(load.headers),
          body: new Uint8Array(),
          bodyBytes: 0,
          status: load.status,
          error: load.error,
          responseHeaders: redact.headers(load.responseHeaders),
          responseBody: redact.bytes(load.responseBody),
          durationMs: load.durationMs,
        },
      }))
    return [...sent, ...loaded]
      .toSorted((a, b) => a.at - b.at)
      .slice(0, maxStored)
      .map(({ record }) => record)
  }
}
