import type { Settings } from '#contract/models.ts'

/** How often (ms) a Tabscope that runs on asks for a newer one, and how long after its start it does so first. */
const EVERY_MS = 6 * 60 * 60_000
const FIRST_MS = 30_000

/** Has it asked by the clock whether there is a newer Tabscope, unless that is not wanted when the time has come. `after` calls back once. */
export function askByTheClock(
  choice: () => Settings['updates'],
  ask: () => void,
  after: (ms: number, callback: () => void) => void,
): void {
  const now = (): void => {
    if (choice() !== 'off') ask()
    after(EVERY_MS, now)
  }
  after(FIRST_MS, now)
}
