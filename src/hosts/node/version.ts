import { readFileSync } from 'node:fs'

/** The version of the package that this file was built from. */
export function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  const { version: own }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return own
}
