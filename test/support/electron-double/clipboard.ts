import { assertReady } from './app.ts'

export const clipboard = {
  /** Reported on stderr for tests, because the real clipboard is shared. */
  async writeText(text: string): Promise<void> {
    assertReady('clipboard')
    process.stderr.write(`[clipboard] ${text}\n`)
  },
}
