import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** All files of a data folder. Temporary ones of a running Tabscope may be gone before they are read. */
export function storedFiles(dataDir: string): { name: string; bytes: Buffer }[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name, parentPath }) => {
      try {
        return [{ name, bytes: readFileSync(path.join(parentPath, name)) }]
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      }
    })
}
