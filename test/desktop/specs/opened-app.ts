import { afterAll, beforeAll } from 'vitest'
import type { Page } from 'playwright-core'
import { freePort } from '#test/support/free-port.ts'
import { connectedPage, tempDir } from '../harness.ts'
import type { AppUnderTest, Binary, Chosen } from './app-under-test.ts'

export interface OpenedApp {
  readonly app: AppUnderTest
  readonly page: Page
  readonly dataDir: string
  /** The arguments that it was started with, for a second start. */
  readonly args: readonly string[]
  readonly hook: string
}

export async function openApp(
  binary: Binary,
  dataDir: string,
  words: readonly string[] = [],
  chosen?: Chosen,
): Promise<OpenedApp> {
  const port = await freePort()
  const args = ['--data', dataDir, '--port', String(port)]
  const app = await binary.start([...args, ...words], chosen)
  const page = await connectedPage(app)
  return { app, page, dataDir, args, hook: `http://127.0.0.1:${port}/hooks/desktop` }
}

/** One app for all tests of the block, since the start takes most of the time. */
export function sharedApp(binary: () => Binary): () => OpenedApp {
  let data: ReturnType<typeof tempDir> | null = null
  let opened: OpenedApp | null = null
  beforeAll(async () => {
    data = tempDir()
    opened = await openApp(binary(), data.path)
  })
  afterAll(async () => {
    await opened?.app.kill()
    data?.[Symbol.dispose]()
  })
  return () => {
    if (!opened) throw new Error('the app is there only while the tests of its block run')
    return opened
  }
}
