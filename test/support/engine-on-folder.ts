import { afterAll, beforeAll } from 'vitest'
import { openControl } from '#hosts/control/server.ts'
import { openLog } from '#hosts/log.ts'
import { openTestEngine, type TestEngine, type TestEngineOptions } from './engine.ts'

/**
 * Keeps an engine open on the folder during the tests of this block: commands connect to it, which takes a quarter of the time of
 * opening the store. For tests of the command itself, not of opening the store. Listens on a free port.
 */
export function engineOnFolder(
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
