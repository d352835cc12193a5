import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Version of the built application. Clients of its control socket must have the same version. */
export const appVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version
