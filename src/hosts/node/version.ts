import { readFileSync } from 'node:fs'

/** The version of the package that this file was built from. Throws if its `package.json` has none. */
export function version(): string {
  // From `out/main`, or from this folder if the sources are run.
  const root = import.meta.url.endsWith('.ts') ? '../../../' : '../../'
  const text = readFileSync(new URL(`${root}package.json`, import.meta.url), 'utf8')
  const content: unknown = JSON.parse(text)
  if (typeof content !== 'object' || content === null || !('version' in content)) {
    throw new Error('package.json has no version.')
  }
  return String(content.version)
}
