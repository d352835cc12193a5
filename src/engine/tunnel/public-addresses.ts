import type { TunnelView } from '#contract/tunnel.ts'
import type { TunnelProvider } from './provider.ts'

/** So many are remembered: a tunnel may get another name each time. */
const most = 200

/**
 * Under what addresses our own listener can be reached from outside, in this run: not only now, since an old name may still lead here. Of what
 * the user has wired, only what is under `/hooks/`: elsewhere at that address there may be something else.
 */
export class PublicAddresses {
  readonly #providers: readonly Pick<TunnelProvider, 'id' | 'leadsTo'>[]
  #all: readonly string[] = []

  constructor(providers: readonly Pick<TunnelProvider, 'id' | 'leadsTo'>[]) {
    this.#providers = providers
  }

  /** Each as an origin with the beginning of a path. */
  get all(): readonly string[] {
    return this.#all
  }

  /** Takes the address of a tunnel. True when there is a new one. */
  note({ url, using }: Pick<TunnelView, 'url' | 'using'>): boolean {
    if (url === null || !URL.canParse(url)) return false
    const provider = this.#providers.find(({ id }) => id === using?.provider)
    const { href } = new URL(provider?.leadsTo === 'listener' ? '/hooks/' : '/', url)
    if (this.#all.includes(href)) return false
    this.#all = [...this.#all, href].slice(-most)
    return true
  }
}
