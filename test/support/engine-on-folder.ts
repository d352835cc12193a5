import { afterAll, beforeAll } from 'vitest'
import { openControl } from '#hosts/control/server.ts'
import { openLog } from '#hosts/log.ts'
import { openTestEngine, type TestEngine, type TestEngineOptions } from './engine.ts'
import { ownedFolder } from './temp-folder.ts'

type Options = Pick<TestEngineOptions, 'secret' | 'tunnelPace' | 'ports' | 'background'>

/** Opens an engine on the folder that listens on a free port, and that commands join like a running Tabscope. Without a secret by default. */
export async function openTabscope(dataDir: string, options: Options = {}): Promise<TestEngine> {
  const log = openLog(dataDir)
  const { ports, ...others } = options
  const tab = await openTestEngine({
    dataDir,
    background: false,
    secret: null,
    ...others,
    ports: { log, ...ports },
  })
  const control = await openControl(tab.engine, dataDir, log)
  const close = async (): Promise<void> => {
    await control.close()
    await tab.close()
  }
  return { ...tab, close, [Symbol.asyncDispose]: close }
}

/** Keeps a Tabscope open during this block: joining it is faster than opening the store. */
export function engineOnFolder(folder: () => string, options: Options = {}): () => TestEngine {
  let held: TestEngine | null = null
  beforeAll(async () => {
    held = await openTabscope(folder(), options)
  })
  afterAll(() => held?.close())
  return () => {
    if (!held) throw new Error('the folder is held only while the tests of its block run')
    return held
  }
}

/** A Tabscope that commands join, in a folder of its own, for all tests of a file. */
export function sharedTabscope(options: Options = {}): {
  readonly folder: string
  readonly tab: () => TestEngine
} {
  const folder = ownedFolder()
  // Registered first, so that it runs last.
  afterAll(() => folder[Symbol.asyncDispose]())
  return { folder: folder.path, tab: engineOnFolder(() => folder.path, options) }
}
