import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface TempFolder extends AsyncDisposable {
  readonly path: string
}

/** An empty folder of our own, gone at the end. */
export async function tempFolder(): Promise<TempFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tabscope-test-'))
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
