import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The version of the built application: a client of its control socket must have the same. */
export const appVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version
