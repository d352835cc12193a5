import { writeFile } from 'node:fs/promises'
import type { SavedFile } from '#contract/models.ts'
import { fileFailed } from './file-errors.ts'
import type { EnginePorts } from './ports.ts'

/** In a file that the user selects, or as bytes for the caller. Throws `file_failed`. */
export async function saveFile(
  { dialogs }: Pick<EnginePorts, 'dialogs'>,
  to: 'ask' | 'bytes',
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<SavedFile> {
  if (to === 'bytes' || !dialogs) return { name, path: null, bytes }
  const path = await dialogs.save(name)
  if (path === null) return { name, path, bytes: null }
  try {
    await writeFile(path, bytes)
  } catch (error) {
    throw fileFailed(path, error)
  }
  return { name, path, bytes: null }
}
