import { z } from 'zod'

const None = z.object({})

/** What this Tabscope is, to be copied into a report. */
export const About = z.object({
  version: z.string(),
  /** Tabscope first, then its parts, e.g. `Electron 45.4.1`, `Chromium …`, `Node …`, `SQLite …`, and the system last. */
  versions: z.array(z.object({ name: z.string(), version: z.string() })),
  /** Absolute paths. `logFile` is the newest of those that are rotated. */
  dataDir: z.string(),
  logFile: z.string(),
})
export type About = z.infer<typeof About>

/** How far Tabscope is with bringing itself up to date. */
export const UpdateState = z.discriminatedUnion('state', [
  /** Not here: a host without updates, or a start from the sources. Why, as a sentence. */
  z.object({ state: z.literal('unavailable'), reason: z.string() }),
  /** Nothing was asked, or there was nothing new. `checkedAt`: milliseconds since the epoch; null: not in this run. */
  z.object({ state: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ state: z.literal('checking') }),
  /** `page` is where people read about it, an https address. `why`: why it is not fetched and must be installed by hand, or null. */
  z.object({
    state: z.literal('available'),
    version: z.string(),
    page: z.string(),
    why: z.string().nullable(),
  }),
  /** `share` of the file that is here, 0 to 1. */
  z.object({ state: z.literal('downloading'), version: z.string(), share: z.number() }),
  /** Its signature was checked. `waitsFor`: what goes on just now, so that it is not installed yet, as a sentence; null: nothing. */
  z.object({ state: z.literal('ready'), version: z.string(), waitsFor: z.string().nullable() }),
  z.object({ state: z.literal('failed'), version: z.string().nullable(), message: z.string() }),
])
export type UpdateState = z.infer<typeof UpdateState>

export const desktopCalls = {
  'app.about': { input: None, output: About },
  /** Shows the log file in the system's file manager. `shown: false` where the host has none: the path is in `app.about`. */
  'app.showLogs': { input: None, output: z.object({ shown: z.boolean() }) },
  'updates.check': { input: None, output: UpdateState },
  /** Fetches what is available. */
  'updates.download': { input: None, output: UpdateState },
  /** Ends Tabscope and starts the new version. Throws `in_use` while something is captured or runs, unless `now`. */
  'updates.install': { input: z.object({ now: z.boolean().default(false) }), output: None },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
