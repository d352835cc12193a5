import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for the test that runs; gone when it ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Goes with its owner. */
export type OwnedFolder = { readonly path: string } & AsyncDisposable

/** A folder that goes with its owner, which is closed before it. */
export function ownedFolder(): OwnedFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-test-'))
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
