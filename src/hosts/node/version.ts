import { readFileSync } from 'node:fs'

/** The folder of the package: two levels above `out/main`, three above this folder if the sources are run. */
const root = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../', import.meta.url)

/** The version of the package that this file was built from. Throws if its `package.json` has none. */
export function version(): string {
  const content: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  if (typeof content !== 'object' || content === null || !('version' in content)) {
    throw new Error('package.json has no version.')
  }
  return String(content.version)
}

/** A file or folder of the build, such as `main/writer-thread.js`. */
export function builtFile(path: string): URL {
  return new URL(`out/${path}`, root)
}
