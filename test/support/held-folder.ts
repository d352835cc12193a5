import { afterAll, beforeAll } from 'vitest'
import { openControl } from '#hosts/control/server.ts'
import { openLog } from '#hosts/log.ts'
import { openTestEngine, type TestEngine, type TestEngineOptions } from './engine.ts'

/**
 * Holds the folder while the tests of this block run, as a Tabscope does that is open: commands join it, which costs a fourth of what they
 * take alone. For tests that are about the command, and not about who opens the store. It listens on a port that the system chooses.
 */
export function heldFolder(
  folder: () => string,
  options: Pick<TestEngineOptions, 'secret'> = { secret: null },
): () => TestEngine {
  let held: TestEngine | null = null
  let release: (() => Promise<void>) | null = null
  beforeAll(async () => {
    const log = openLog(folder())
    const tab = await openTestEngine({
      dataDir: folder(),
      background: false,
      ...options,
      ports: { log },
    })
    const control = await openControl(tab.engine, tab.dataDir, log)
    held = tab
    release = async () => {
      await control.close()
      await tab.close()
    }
  })
  afterAll(() => release?.())
  return () => {
    if (!held) throw new Error('the folder is held only while the tests of its block run')
    return held
  }
}
