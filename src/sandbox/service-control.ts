import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createChanges } from './changes.ts'
import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import { checkChange } from './service/desk.ts'
import { faults, faultsNamed, faultDescriptions } from './service/faults.ts'
import type { Fault } from './service/faults.ts'
import { openService } from './service/service.ts'
import type { Service } from './service/service.ts'

/** What an interface shows of the service. No secret is in it. */
export interface ServiceView {
  readonly running: boolean
  readonly baseUrl: string | null
  readonly dashboardUrl: string | null
  readonly redirectUrls: string[]
  readonly users: { name: string; locations: string[] }[]
  /** Seconds. */
  readonly tokenLifetime: number
  readonly faults: { name: string; label: string; on: boolean }[]
  readonly tokens: number
}

/** Starts and stops the service in miniature; what was configured outlives a stop. */
export interface ServiceControl {
  start(wish: { port: number | null; redirectUrl: string | null }): Promise<{
    baseUrl: string
    accessId: string
    accessSecret: string
    redirectUrls: string[]
  }>
  stop(): Promise<ServiceView>
  /** Throws `SandboxError` (`bad_lifetime`, `unknown_fault`). */
  configure(change: {
    tokenLifetime?: number | undefined
    faults?: readonly string[] | undefined
  }): ServiceView
  revokeTokens(): ServiceView
  expireTokens(): ServiceView
  state(): ServiceView
  onChange(listener: (state: ServiceView) => void): () => void
  close(): Promise<void>
}

/** For those who take the redirect in a window, or paste the address: nobody serves it. */
export const unserved = 'https://tabscope.invalid/callback'

export function createServiceControl(clock: Clock): ServiceControl {
  let service: Service | null = null
  let unlisten: (() => void) | null = null
  let tokenLifetime = 86_400
  let on: readonly Fault[] = []
  // A start and a stop one after the other: two starts at once would leave a service that nobody can stop.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(job: () => Promise<T>): Promise<T> => {
    const result = turn.then(job)
    turn = result.catch(() => {})
    return result
  }

  const view = (): ServiceView => {
    const now = service?.state()
    const faultsOn = now?.faults ?? on
    return {
      running: now !== undefined,
      baseUrl: now?.baseUrl ?? null,
      dashboardUrl: now?.dashboardUrl ?? null,
      redirectUrls: [...(now?.redirectUrls ?? [])],
      users: (now?.users ?? []).map(({ name, locations }) => ({ name, locations: [...locations] })),
      tokenLifetime: now?.tokenLifetime ?? tokenLifetime,
      faults: faults.map((name) => ({
        name,
        label: faultDescriptions[name].does,
        on: faultsOn.includes(name),
      })),
      tokens: now?.tokens ?? 0,
    }
  }
  const changes = createChanges(clock, view)

  /** The port asked for, so that an address stays what it was; when it is taken, another one. */
  const open = async (port: number | null, redirectUrls: string[]): Promise<Service> => {
    const options = { clock, redirectUrls, tokenLifetime, faults: on }
    try {
      return await openService({ ...options, port: port ?? 0 })
    } catch (error) {
      if (!(error instanceof SandboxError && error.code === 'port_in_use')) throw error
      return openService({ ...options, port: 0 })
    }
  }

  const end = async (): Promise<void> => {
    const ending = service
    if (!ending) return
    const last = ending.state()
    tokenLifetime = last.tokenLifetime
    on = last.faults
    unlisten?.()
    service = null
    await ending.close()
  }

  return {
    start: ({ port, redirectUrl }) =>
      inTurn(async () => {
        if (!service) {
          const served =
            redirectUrl === null || redirectUrl === unserved
              ? `http://127.0.0.1:${await freePort()}/callback`
              : redirectUrl
          service = await open(port, [served, unserved])
          unlisten = service.onChange(() => changes.touch())
          changes.touch()
        }
        const { baseUrl, accessId, redirectUrls } = service.state()
        return {
          baseUrl,
          accessId,
          accessSecret: service.accessSecret,
          redirectUrls: [...redirectUrls],
        }
      }),

    stop: () =>
      inTurn(async () => {
        await end()
        changes.touch()
        return view()
      }),

    configure(change) {
      const checked = checkChange({
        ...(change.tokenLifetime === undefined ? {} : { tokenLifetime: change.tokenLifetime }),
        ...(change.faults === undefined ? {} : { faults: faultsNamed(change.faults) }),
      })
      tokenLifetime = checked.tokenLifetime ?? tokenLifetime
      on = checked.faults ?? on
      service?.configure(checked)
      changes.touch()
      return view()
    },

    revokeTokens() {
      service?.revokeTokens()
      return view()
    },

    expireTokens() {
      service?.expireTokens()
      return view()
    },

    state: view,

    onChange: (listener) => changes.listen(listener),

    close: () =>
      inTurn(async () => {
        await end()
        changes.close()
      }),
  }
}

/** A port that nothing listens at now, for a redirect URL that a client can serve. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an AddressInfo, since it listens on a port and not on a pipe
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
