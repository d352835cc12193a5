import { readFileSync } from 'node:fs'

/** The version of the package that this file was built from. Throws where its `package.json` has none. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const content: unknown = JSON.parse(text)
  if (typeof content !== 'object' || content === null || !('version' in content)) {
    throw new Error('package.json has no version.')
  }
  return String(content.version)
}
