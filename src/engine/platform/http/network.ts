import tls, { type SecureContext } from 'node:tls'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { connectApi, serveApi } from '../rpc.ts'
import {
  isDirect,
  parseProxy,
  proxyOfEnvironment,
  proxyOfList,
  type Environment,
  type Proxy,
} from './proxy.ts'

export interface NetworkSettings {
  /** As in `Settings`. */
  readonly proxy: string
  /** Trusted in addition, in PEM; null: none. */
  readonly certificates: string | null
}

/** For the URL of an origin: a list such as `PROXY a.example:3128;DIRECT`. */
type AskHost = (url: string) => Promise<string>

/** Lets another thread connect in the same way, and follow changes. */
export interface NetworkLink {
  readonly settings: NetworkSettings
  readonly asksHost: boolean
  readonly port: MessagePort
}

type NetworkApi = { proxiesOf: (url: string) => Promise<string> }

const proxyLookup = { keptMs: 30_000, timeoutMs: 5_000, max: 500 }

export class Network {
  #settings: NetworkSettings
  readonly #askHost: AskHost | null
  readonly #env: Environment
  /** Loaded at the first use, which takes about a tenth of a second. */
  #context: { value: SecureContext | undefined } | null = null
  readonly #links = new Set<MessagePort>()
  readonly #lists = new Map<string, { at: number; list: Promise<string> }>()

  constructor(
    settings: NetworkSettings = { proxy: 'system', certificates: null },
    askHost?: AskHost | null,
    env: Environment = process.env,
  ) {
    this.#settings = settings
    this.#askHost = askHost ?? null
    this.#env = env
  }

  /** In the other thread. The port does not keep the thread alive. */
  static join({ settings, asksHost, port }: NetworkLink): Network {
    const api = connectApi<NetworkApi>(port)
    const network = new Network(settings, asksHost ? (url) => api.call('proxiesOf', url) : null)
    port.on('message', (message: { network?: NetworkSettings }) => {
      if (message.network) network.configure(message.network)
    })
    port.unref()
    return network
  }

  get certificates(): string | null {
    return this.#settings.certificates
  }

  configure(settings: NetworkSettings): void {
    this.#settings = settings
    this.#context = null
    this.#lists.clear()
    for (const port of this.#links) port.postMessage({ network: settings })
  }

  /** For one thread, to which its port must be transferred. */
  link(): NetworkLink {
    const { port1, port2 } = new MessageChannel()
    serveApi(port1, { proxiesOf: (url: string) => this.#listOf(url) } satisfies NetworkApi)
    port1.on('close', () => this.#links.delete(port1)).unref()
    this.#links.add(port1)
    return { settings: this.#settings, asksHost: this.#askHost !== null, port: port2 }
  }

  /** Null, immediately or later: none. Rejects with `ConnectFailure` if the proxy cannot be used. */
  proxyFor(url: URL): Promise<Proxy | null> | null {
    const { proxy } = this.#settings
    if (proxy === 'none' || isDirect(url, this.#env)) return null
    return proxy === 'system' ? this.#systemProxy(url) : Promise.resolve(parseProxy(proxy))
  }

  async mayUseProxy(url: URL): Promise<boolean> {
    const proxy = await this.proxyFor(url)?.catch(() => null)
    return (proxy ?? null) !== null
  }

  /** Undefined: Node's own default is used. */
  get secureContext(): SecureContext | undefined {
    this.#context ??= { value: contextOf(this.#settings.certificates) }
    return this.#context.value
  }

  async #systemProxy(url: URL): Promise<Proxy | null> {
    const proxy = proxyOfEnvironment(url, this.#env)
    if (proxy || !this.#askHost) return proxy
    return proxyOfList(await this.#listOf(url.origin))
  }

  #listOf(url: string): Promise<string> {
    const now = performance.now()
    const known = this.#lists.get(url)
    if (known && now - known.at < proxyLookup.keptMs) return known.list
    if (this.#lists.size >= proxyLookup.max) this.#lists.clear()
    const list = this.#askInTime(url)
    this.#lists.set(url, { at: now, list })
    return list
  }

  /** A host that fails or does not respond means no proxy. */
  async #askInTime(url: string): Promise<string> {
    const late = Promise.withResolvers<string>()
    const timer = setTimeout(() => late.resolve(''), proxyLookup.timeoutMs)
    const asked = this.#askHost?.(url).catch(() => '')
    return Promise.race([asked ?? '', late.promise]).finally(() => clearTimeout(timer))
  }
}

/** In PEM. Empty if Node cannot read them. */
export function systemCertificates(): readonly string[] {
  try {
    return tls.getCACertificates('system')
  } catch {
    return []
  }
}

/** Not by `tls.setDefaultCACertificates`, which Node before 22.19 does not have. */
function contextOf(given: string | null): SecureContext | undefined {
  const system = systemCertificates()
  const defaults = tls.getCACertificates('default')
  const own = given === null ? [] : [given]
  // One certificate of the system that TLS rejects must not make every connection fail.
  for (const added of [[...system, ...own], own]) {
    if (added.length === 0) break
    try {
      return tls.createSecureContext({ ca: [...new Set([...defaults, ...added])] })
    } catch {
      continue
    }
  }
  return undefined
}
