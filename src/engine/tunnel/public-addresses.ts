import type { TunnelView } from '#contract/tunnel.ts'
import type { TunnelProvider } from './provider.ts'

/** The most addresses remembered: a tunnel may get another name each time. */
const most = 200

/**
 * The public addresses under which the Tabscope listener was reachable during this run, including earlier ones, since an old name may still lead
 * here. Of addresses that the user set up, only `/hooks/` counts: other paths there may lead elsewhere.
 */
export class PublicAddresses {
  readonly #providers: readonly Pick<TunnelProvider, 'id' | 'leadsTo'>[]
  #all: readonly string[] = []

  constructor(providers: readonly Pick<TunnelProvider, 'id' | 'leadsTo'>[]) {
    this.#providers = providers
  }

  /** Each is an origin with a path prefix. */
  get all(): readonly string[] {
    return this.#all
  }

  /** Adds the address of a tunnel. Returns true if it is new. */
  add({ url, using }: Pick<TunnelView, 'url' | 'using'>): boolean {
    if (url === null || !URL.canParse(url)) return false
    const provider = this.#providers.find(({ id }) => id === using?.provider)
    const { href } = new URL(provider?.leadsTo === 'listener' ? '/hooks/' : '/', url)
    if (this.#all.includes(href)) return false
    this.#all = [...this.#all, href].slice(-most)
    return true
  }
}
