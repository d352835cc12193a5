import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createChanges } from './changes.ts'
import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import { checkChange } from './service/context.ts'
import { faults, parseFaults, faultDescriptions } from './service/faults.ts'
import type { Fault } from './service/faults.ts'
import { openService } from './service/service.ts'
import type { Service } from './service/service.ts'

/** For the interface. Contains no secrets. */
export interface ServiceView {
  readonly running: boolean
  readonly baseUrl: string | null
  readonly redirectUrls: string[]
  readonly users: { name: string; locations: string[] }[]
  readonly tokenLifetime: number
  readonly faults: { name: string; label: string; on: boolean }[]
  readonly tokens: number
}

/** The configuration of the service is kept after a stop. */
export interface ServiceControl {
  start(options: { port: number | null; redirectUrl: string | null }): Promise<{
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

/** For clients that read the redirect in a window, or let the user paste it. No server listens at this URL. */
export const placeholderRedirectUrl = 'https://tabscope.invalid/callback'

export function createServiceControl(clock: Clock): ServiceControl {
  let service: Service | null = null
  let unlisten: (() => void) | null = null
  let tokenLifetime = 86_400
  let activeFaults: readonly Fault[] = []
  // Starts and stops run one after the other: two concurrent starts would leave a service that cannot be stopped.
  let lastJob: Promise<unknown> = Promise.resolve()
  const enqueue = <T>(job: () => Promise<T>): Promise<T> => {
    const result = lastJob.then(job)
    lastJob = result.catch(() => {})
    return result
  }

  const view = (): ServiceView => {
    const current = service?.state()
    const faultsOn = current?.faults ?? activeFaults
    return {
      running: current !== undefined,
      baseUrl: current?.baseUrl ?? null,
      redirectUrls: [...(current?.redirectUrls ?? [])],
      users: (current?.users ?? []).map(({ name, locations }) => ({
        name,
        locations: [...locations],
      })),
      tokenLifetime: current?.tokenLifetime ?? tokenLifetime,
      faults: faults.map((name) => ({
        name,
        label: faultDescriptions[name].does,
        on: faultsOn.includes(name),
      })),
      tokens: current?.tokens ?? 0,
    }
  }
  const changes = createChanges(clock, view)

  /** Keeps the requested port, so that its URL stays the same. If the port is in use, another one is chosen. */
  const open = async (port: number | null, redirectUrls: string[]): Promise<Service> => {
    const options = { clock, redirectUrls, tokenLifetime, faults: activeFaults }
    try {
      return await openService({ ...options, port: port ?? 0 })
    } catch (error) {
      if (!(error instanceof SandboxError && error.code === 'port_in_use')) throw error
      return openService({ ...options, port: 0 })
    }
  }

  const end = async (): Promise<void> => {
    const closing = service
    if (!closing) return
    const last = closing.state()
    tokenLifetime = last.tokenLifetime
    activeFaults = last.faults
    unlisten?.()
    service = null
    await closing.close()
  }

  return {
    start: ({ port, redirectUrl }) =>
      enqueue(async () => {
        if (!service) {
          const clientUrl =
            redirectUrl === null || redirectUrl === placeholderRedirectUrl
              ? `http://127.0.0.1:${await freePort()}/callback`
              : redirectUrl
          service = await open(port, [clientUrl, placeholderRedirectUrl])
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
      enqueue(async () => {
        await end()
        changes.touch()
        return view()
      }),

    configure(change) {
      const checked = checkChange({
        ...(change.tokenLifetime === undefined ? {} : { tokenLifetime: change.tokenLifetime }),
        ...(change.faults === undefined ? {} : { faults: parseFaults(change.faults) }),
      })
      tokenLifetime = checked.tokenLifetime ?? tokenLifetime
      activeFaults = checked.faults ?? activeFaults
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
      enqueue(async () => {
        await end()
        changes.close()
      }),
  }
}

/** Currently free, for a redirect URL on which a client can listen. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an AddressInfo, because the server listens on a port and not on a pipe
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
