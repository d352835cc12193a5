import type { TunnelView } from '#contract/tunnel.ts'
import type { TunnelProvider } from './provider.ts'

/** A tunnel may get another name each time. */
const most = 200

/**
 * Public addresses of the listener during this run, including earlier ones, which may still lead here. Of addresses that the user set up, only
 * `/hooks/` counts: other paths there may lead elsewhere.
 */
export class PublicAddresses {
  readonly #providers: readonly Pick<TunnelProvider, 'id' | 'target'>[]
  #all: readonly string[] = []

  constructor(providers: readonly Pick<TunnelProvider, 'id' | 'target'>[]) {
    this.#providers = providers
  }

  /** Each is an origin with a path prefix. */
  get all(): readonly string[] {
    return this.#all
  }

  /** Returns true if the address is new. */
  add({ url, using }: Pick<TunnelView, 'url' | 'using'>): boolean {
    if (url === null || !URL.canParse(url)) return false
    const provider = this.#providers.find(({ id }) => id === using?.provider)
    const { href } = new URL(provider?.target === 'listener' ? '/hooks/' : '/', url)
    if (this.#all.includes(href)) return false
    this.#all = [...this.#all, href].slice(-most)
    return true
  }
}
