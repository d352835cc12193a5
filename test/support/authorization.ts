import { afterAll, beforeAll } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { Run } from '#contract/authorization.ts'
import type { EnginePorts } from '#engine/platform/ports.ts'
import { openTestEngine, type TestEngine } from './engine.ts'
import { fakeClock, type FakeClock } from './fake-clock.ts'
import { respondWith, openHostileEndpoint, type HostileEndpoint } from './hostile-endpoint.ts'
import { until } from './until.ts'

export const canary = {
  secret: 'canary-access-secret-7f3a',
  code: 'canary-code-4b1d90',
  token: 'canary-access-token-c2e8',
  refreshToken: 'canary-refresh-token-91ab',
} as const

/** A redirect URL that is not served: the address must be pasted. */
export const pastedUrl = 'https://client.invalid/cb'

export interface Authorizing extends AsyncDisposable {
  readonly tab: TestEngine
  readonly endpoint: HostileEndpoint
  readonly integrationId: number
  /** The code of its redirects. No other integration of the engine has it, since no code is sent twice. */
  readonly code: string
  /** Every pushed state of every run. */
  readonly pushed: readonly Run[]
  pass(ms: number): Promise<void>
  /** Current time of that clock in seconds since the epoch. */
  seconds(): number
  /** The documented token response, issued now. */
  goodAnswer(change?: Record<string, unknown>): string
  /** Starts a run and resolves when it waits for the redirect or has ended. */
  start(options?: Partial<CallInput<'authorization.start'>>): Promise<Run>
  /** The address to which the service would redirect: the redirect URL with additional query parameters. */
  redirectFor(run: Run, change?: Record<string, string | null> | string): string
  paste(run: Run, address: string): Promise<Run>
  ended(run: Run): Promise<Run>
  /** Starts a run, completes it with a code, and resolves when it has ended. */
  through(code?: string): Promise<Run>
}

export interface AuthorizingOptions {
  readonly redirectUrls?: readonly string[]
  /** Path between the endpoint's origin and the documented paths. */
  readonly basePath?: string
  readonly ports?: Partial<EnginePorts>
}

interface Host {
  readonly tab: TestEngine
  readonly time: FakeClock
}

async function openHost(ports: Partial<EnginePorts> = {}): Promise<Host> {
  const time = fakeClock(Math.floor(Date.now() / 1000) * 1000)
  const clock = { now: () => time.date().getTime(), after: time.after.bind(time) }
  return { tab: await openTestEngine({ ports: { clock, ...ports } }), time }
}

/** Opens an engine with an integration whose token endpoint the test controls, with a fake clock. */
export async function openAuthorizing(options: AuthorizingOptions = {}): Promise<Authorizing> {
  const host = await openHost(options.ports)
  const auth = await authorizingOn(host, options)
  return {
    ...auth,
    [Symbol.asyncDispose]: async () => {
      await host.tab[Symbol.asyncDispose]()
      await auth.endpoint.close()
    },
  }
}

/** Creates an integration with its own endpoint, which is removed with its runs and tokens when it is disposed. */
async function authorizingOn(
  { tab, time }: Host,
  { redirectUrls = [pastedUrl], basePath = '' }: Omit<AuthorizingOptions, 'ports'>,
): Promise<Authorizing> {
  const { engine } = tab
  const endpoint = await openHostileEndpoint()
  const { id: integrationId } = await engine.call('integrations.create', {
    name: 'Under test',
    baseUrl: endpoint.origin + basePath,
    accessId: 'access-id-1',
    accessSecret: canary.secret,
    redirectUrls: [...redirectUrls],
  })
  const code = `${canary.code}-${integrationId}`
  const pushed: Run[] = []
  const stop = engine.on('authorization.changed', (run) => pushed.push(run))
  const reached = (id: number, what: string, is: (run: Run) => boolean): Promise<Run> =>
    until(what, async () => {
      const run = await engine.call('authorization.run', { id })
      return is(run) ? run : null
    })

  const authorizing: Authorizing = {
    tab,
    endpoint,
    integrationId,
    code,
    pushed,
    pass: (ms) => time.pass(ms),
    seconds: () => Math.floor(time.date().getTime() / 1000),
    goodAnswer: (change = {}) => {
      const initiated = authorizing.seconds()
      return JSON.stringify({
        tokenType: 'Bearer',
        token: canary.token,
        initiated,
        expires: initiated + 86_400,
        expiresIn: 86_400,
        refreshToken: canary.refreshToken,
        ...change,
      })
    },
    start: async (input = {}) => {
      const { id } = await engine.call('authorization.start', {
        integrationId,
        agent: 'none',
        ...input,
      })
      return reached(id, 'the run to wait', ({ state }) => state !== 'running')
    },
    redirectFor: (run, change = {}) => {
      const url = new URL(run.redirectUrl)
      const state = new URL(run.authorizeUrl ?? '').searchParams.get('state') ?? ''
      if (typeof change === 'string')
        return `${url.href}${url.search ? '&' : '?'}${change.replaceAll('STATE', state)}`
      const parameters = { code, state, ...change }
      for (const [name, value] of Object.entries(parameters)) {
        if (value !== null) url.searchParams.append(name, value)
      }
      return url.href
    },
    paste: (run, address) => engine.call('authorization.paste', { runId: run.id, address }),
    ended: ({ id }) => reached(id, 'the run to end', ({ endedAt }) => endedAt !== null),
    through: async (used = code) => {
      const run = await authorizing.start()
      await authorizing.paste(run, authorizing.redirectFor(run, { code: used }))
      return authorizing.ended(run)
    },
    [Symbol.asyncDispose]: async () => {
      stop()
      const { integrations } = await engine.call('app.snapshot', {})
      if (integrations.some(({ id }) => id === integrationId))
        await engine.call('integrations.remove', { id: integrationId })
      await endpoint.close()
    },
  }
  endpoint.answer = (response, request) =>
    respondWith(200, authorizing.goodAnswer())(response, request)
  return authorizing
}

/** Shares one for all tests of a block whose runs are independent of earlier runs. */
export function sharedAuthorizing(options: AuthorizingOptions = {}): () => Authorizing {
  let auth: Authorizing | null = null
  beforeAll(async () => {
    auth = await openAuthorizing(options)
  })
  afterAll(() => auth?.[Symbol.asyncDispose]())
  return () => {
    if (!auth) throw new Error('it is there only while tests run')
    return auth
  }
}

/** Shares one engine for all tests of a block: each opens its own integration. */
export function authorizingInOneEngine(
  ports: Partial<EnginePorts> = {},
): (options?: Omit<AuthorizingOptions, 'ports'>) => Promise<Authorizing> {
  let host: Host | null = null
  beforeAll(async () => {
    host = await openHost(ports)
  })
  afterAll(() => host?.tab[Symbol.asyncDispose]())
  return (options = {}) => {
    if (!host) throw new Error('the engine is there only while tests run')
    return authorizingOn(host, options)
  }
}
