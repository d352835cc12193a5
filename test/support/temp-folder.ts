import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a folder that is removed at the end of the current test. */
export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Removed with its owner. */
export type OwnedFolder = { readonly path: string } & AsyncDisposable

/** Creates a folder that is removed after its owner is closed. */
export function ownedFolder(): OwnedFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-test-'))
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
