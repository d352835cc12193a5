import { createServer, type AddressInfo } from 'node:net'
import { createMutex } from '#shared/async/mutex.ts'
import { type Changes, createChanges } from './changes.ts'
import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import { checkChange } from './service/context.ts'
import { faults, parseFaults, faultDescriptions, type Fault } from './service/faults.ts'
import { openService, type Service } from './service/service.ts'

/** For the interface. Contains no secrets. */
export interface ServiceView {
  readonly running: boolean
  readonly baseUrl: string | null
  readonly redirectUrls: string[]
  readonly users: { name: string; locations: string[] }[]
  /** In seconds. */
  readonly tokenLifetime: number
  readonly faults: { name: string; label: string; on: boolean }[]
  readonly tokens: number
}

/** For clients that read the redirect in a window, or let the user paste it. No server listens at this URL. */
export const placeholderRedirectUrl = 'https://tabscope.invalid/callback'

/** The configuration of the service is kept after a stop. */
export class ServiceControl {
  readonly #clock: Clock
  readonly #changes: Changes<ServiceView>
  /** Starts and stops run one after the other: two concurrent starts would leave a service that cannot be stopped. */
  readonly #inOrder = createMutex()
  #service: Service | null = null
  #unlisten: (() => void) | null = null
  #tokenLifetime = 86_400
  #faults: readonly Fault[] = []

  constructor(clock: Clock) {
    this.#clock = clock
    this.#changes = createChanges(clock, () => this.state())
  }

  start({ port, redirectUrl }: { port: number | null; redirectUrl: string | null }): Promise<{
    baseUrl: string
    accessId: string
    accessSecret: string
    redirectUrls: string[]
  }> {
    return this.#inOrder(async () => {
      const service = this.#service ?? (await this.#open(port, redirectUrl))
      const { baseUrl, accessId, redirectUrls } = service.state()
      const { accessSecret } = service
      return { baseUrl, accessId, accessSecret, redirectUrls: [...redirectUrls] }
    })
  }

  stop(): Promise<ServiceView> {
    return this.#inOrder(async () => {
      await this.#end()
      this.#changes.touch()
      return this.state()
    })
  }

  /** Throws `SandboxError` (`bad_lifetime`, `unknown_fault`). */
  configure(change: {
    tokenLifetime?: number | undefined
    faults?: readonly string[] | undefined
  }): ServiceView {
    const checked = checkChange({
      ...(change.tokenLifetime === undefined ? {} : { tokenLifetime: change.tokenLifetime }),
      ...(change.faults === undefined ? {} : { faults: parseFaults(change.faults) }),
    })
    this.#tokenLifetime = checked.tokenLifetime ?? this.#tokenLifetime
    this.#faults = checked.faults ?? this.#faults
    this.#service?.configure(checked)
    this.#changes.touch()
    return this.state()
  }

  revokeTokens(): ServiceView {
    this.#service?.revokeTokens()
    return this.state()
  }

  expireTokens(): ServiceView {
    this.#service?.expireTokens()
    return this.state()
  }

  state(): ServiceView {
    const current = this.#service?.state()
    const active = current?.faults ?? this.#faults
    return {
      running: current !== undefined,
      baseUrl: current?.baseUrl ?? null,
      redirectUrls: [...(current?.redirectUrls ?? [])],
      users: (current?.users ?? []).map(({ name, locations }) => ({
        name,
        locations: [...locations],
      })),
      tokenLifetime: current?.tokenLifetime ?? this.#tokenLifetime,
      faults: faults.map((name) => ({
        name,
        label: faultDescriptions[name].does,
        on: active.includes(name),
      })),
      tokens: current?.tokens ?? 0,
    }
  }

  /** Calls the listener on changes, at most ten times a second. Returns a function that removes the listener. */
  onChange(listener: (state: ServiceView) => void): () => void {
    return this.#changes.listen(listener)
  }

  close(): Promise<void> {
    return this.#inOrder(async () => {
      await this.#end()
      this.#changes.close()
    })
  }

  async #open(port: number | null, redirectUrl: string | null): Promise<Service> {
    const clientUrl =
      redirectUrl === null || redirectUrl === placeholderRedirectUrl
        ? `http://127.0.0.1:${await freePort()}/callback`
        : redirectUrl
    const options = {
      clock: this.#clock,
      redirectUrls: [clientUrl, placeholderRedirectUrl],
      tokenLifetime: this.#tokenLifetime,
      faults: this.#faults,
    }
    const service = await openService({ ...options, port: port ?? 0 }).catch((error: unknown) => {
      if (!(error instanceof SandboxError && error.code === 'port_in_use')) throw error
      return openService({ ...options, port: 0 })
    })
    this.#service = service
    this.#unlisten = service.onChange(() => this.#changes.touch())
    this.#changes.touch()
    return service
  }

  async #end(): Promise<void> {
    const closing = this.#service
    if (!closing) return
    const last = closing.state()
    this.#tokenLifetime = last.tokenLifetime
    this.#faults = last.faults
    this.#unlisten?.()
    this.#service = null
    await closing.close()
  }
}

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
