import { assertReady } from './app.ts'

export const clipboard = {
  /** The test reads it from stderr: the real clipboard is one for all. */
  async writeText(text: string): Promise<void> {
    assertReady('clipboard')
    process.stderr.write(`[clipboard] ${text}\n`)
  },
}
