import * as z from 'zod'
import { None } from './models.ts'

export const About = z.object({
  version: z.string(),
  /** Tabscope first, then its parts, e.g. `Electron 45.4.1`, `Chromium …`, `Node …`, `SQLite …`, and the system last. */
  versions: z.array(z.object({ name: z.string(), version: z.string() })),
  /** Absolute paths. `logFile` is the newest of the rotated files. */
  dataDir: z.string(),
  logFile: z.string(),
  /** What to type before a command in a terminal; null: the host has no command line of its own. */
  command: z.string().nullable(),
})
export type About = z.infer<typeof About>

export const UpdateState = z.discriminatedUnion('state', [
  /** Not supported by this host or when started from sources; `reason` says why. */
  z.object({ state: z.literal('unavailable'), reason: z.string() }),
  /** `checkedAt`: milliseconds since the epoch; null: not checked since start. */
  z.object({ state: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ state: z.literal('checking') }),
  z.object({ state: z.literal('available'), version: z.string() }),
  z.object({ state: z.literal('downloading'), version: z.string(), share: z.number() }),
  /** Downloaded and verified. It is installed when the app quits. */
  z.object({ state: z.literal('ready'), version: z.string() }),
  z.object({ state: z.literal('failed'), message: z.string() }),
])
export type UpdateState = z.infer<typeof UpdateState>

/** `path` null: the user cancelled the dialog. */
export const Backup = z.object({ path: z.string().nullable(), bytes: z.int().nonnegative() })
export type Backup = z.infer<typeof Backup>

export const desktopCalls = {
  'app.about': { input: None, output: About },
  /** In the system's file manager. `shown: false` if the host has none; `app.about` contains the path. */
  'app.showLogs': { input: None, output: z.object({ shown: z.boolean() }) },
  /**
   * Into one new file: at this absolute path, else where the user chooses, else (hosts without dialogs) in the folder `backups` of the data folder. Throws
   * `file_exists` if there is a file at `path`, unless `overwrite`.
   */
  'app.backUp': {
    input: z.object({ path: z.string().min(1).optional(), overwrite: z.boolean().default(false) }),
    output: Backup,
  },
  'updates.check': { input: None, output: UpdateState },
  'updates.download': { input: None, output: UpdateState },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
