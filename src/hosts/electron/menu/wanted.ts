/** How long (ms) a command waits for the page that can do it. Later nobody would know why it happens. */
const PATIENCE_MS = 20_000

/** The commands that a page can do, and the one that was asked for before there was a page that can. */
export interface Wanted {
  /** Null: there is no page. */
  readonly bound: ReadonlySet<string> | null
  /** The page can do these from now on; null: it is gone. */
  bind(names: readonly string[] | null): void
  /** Has it done: at once by the page that can, or by the one that is on its way. */
  want(name: string): void
}

/** `send` tells the page to do it; `now` in milliseconds. */
export function createWanted(send: (name: string) => void, now: () => number): Wanted {
  let bound: ReadonlySet<string> | null = null
  let waiting: { readonly name: string; readonly until: number } | null = null

  return {
    get bound() {
      return bound
    },
    bind(names) {
      bound = names === null ? null : new Set(names)
      if (waiting === null || bound?.has(waiting.name) !== true) return
      const { name, until } = waiting
      waiting = null
      if (now() < until) send(name)
    },
    want(name) {
      waiting = bound === null ? { name, until: now() + PATIENCE_MS } : null
      // What a page that is there cannot do is not done later, when nobody thinks of it any more.
      if (bound?.has(name) === true) send(name)
    },
  }
}
