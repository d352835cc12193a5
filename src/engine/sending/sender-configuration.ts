import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Target } from '#contract/sending.ts'
import type { EndpointRoute } from '../payload/endpoint.ts'
import { Network } from '../platform/http/network.ts'
import type { StoredScript } from './scripts/messages.ts'
import type { SenderConfig } from './messages.ts'

export class SenderConfiguration {
  readonly network: Network
  #config: SenderConfig
  #endpoints: ReadonlyMap<number, EndpointRoute>
  #targets: ReadonlyMap<string, Target>

  constructor(config: SenderConfig, network = new Network()) {
    this.network = network
    this.#config = config
    this.#endpoints = new Map(config.endpoints.map((endpoint) => [endpoint.id, endpoint]))
    this.#targets = new Map(config.targets.map((target) => [target.origin, target]))
  }

  configure(config: SenderConfig): void {
    this.#config = config
    this.#endpoints = new Map(config.endpoints.map((endpoint) => [endpoint.id, endpoint]))
    this.#targets = new Map(config.targets.map((target) => [target.origin, target]))
  }

  endpoint(id: number | null): EndpointRoute | null {
    return id === null ? null : (this.#endpoints.get(id) ?? null)
  }

  /** With this path, else the only one: for a delivery from another computer. */
  endpointAt(path: string): EndpointRoute | null {
    const { endpoints } = this.#config
    const found = endpoints.find((endpoint) => endpoint.path === path)
    return found ?? (endpoints.length === 1 ? (endpoints[0] ?? null) : null)
  }

  get firstEndpoint(): EndpointRoute | null {
    return this.#config.endpoints[0] ?? null
  }

  get forwards(): readonly ForwardTarget[] {
    return this.#config.forwards
  }

  /** Null: there is none of this name. */
  script(name: string): StoredScript | null {
    return this.#config.scripts.find((script) => script.name === name) ?? null
  }

  get fallbackBrand(): string {
    return this.#config.fallbackBrand
  }

  /** `http://127.0.0.1:4780`; null while the listener is not running. */
  get listener(): string | null {
    return this.#config.listener
  }

  get publicAddresses(): readonly string[] {
    return this.#config.publicAddresses
  }

  known(origin: string): Target | undefined {
    return this.#targets.get(origin)
  }
}
