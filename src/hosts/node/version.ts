import { readFileSync } from 'node:fs'

/** Two levels above `out/main`, three above this folder if the sources are run. */
const root = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../', import.meta.url)

/** Of the package that this file was built from. Throws if its `package.json` has none. */
export function version(): string {
  const content: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  if (typeof content !== 'object' || content === null || !('version' in content)) {
    throw new Error('package.json has no version.')
  }
  return String(content.version)
}

/** Such as `main/writer-thread.js`. */
export function builtFile(path: string): URL {
  return new URL(`out/${path}`, root)
}
