import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The version of the package that this file was built from. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
