import type { LiveRun } from './live-run.ts'

/** Steps of one run that tell where the window goes: a page that reloads itself must not fill the record. */
const most = 100

/** What a window of ours meets on the way, as steps of the run. */
export class Hops {
  readonly #run: LiveRun
  #count = 0
  #fault: string | null = null

  constructor(run: LiveRun) {
    this.#run = run
  }

  /** Why the page that is shown could not be loaded, as a sentence; null when it could. */
  get fault(): string | null {
    return this.#fault
  }

  to(url: string): void {
    this.#fault = null
    this.#count += 1
    if (this.#count > most) return
    const at = URL.parse(url)
    this.#run.step({
      kind: 'hop',
      title: at ? `${at.protocol}//${at.host}${at.pathname}` : 'A page',
      facts: [{ name: 'url', value: this.#run.maskUrl(url) }],
    })
  }

  failed(message: string): void {
    this.#fault = message
    this.#count += 1
    if (this.#count > most) return
    this.#run.step({
      kind: 'hop',
      outcome: 'note',
      title: 'A page could not be shown',
      detail: message,
    })
  }
}
