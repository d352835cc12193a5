import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Log } from '#engine/platform/ports.ts'

/** What the desktop app remembers of itself from one start to the next; what is the user's choice is in the settings of the engine. */
const Remembered = z.object({
  /** 1 is the actual size. */
  zoom: z.number().positive().catch(1),
  /** It was said once that capturing goes on without a window. */
  toldBackground: z.boolean().catch(false),
  /** Whether the system started it at log-in when that was last looked at. */
  loginItem: z.boolean().catch(false),
})
export type Remembered = z.infer<typeof Remembered>

export interface DesktopMemory {
  readonly now: Remembered
  remember(changed: Partial<Remembered>): void
}

/** Kept in `folder`/desktop.json. A file that cannot be read is as good as none. */
export function openDesktopMemory(folder: string, log: Log): DesktopMemory {
  const file = path.join(folder, 'desktop.json')
  let now = read(file)
  return {
    get now() {
      return now
    },
    remember(changed) {
      now = { ...now, ...changed }
      try {
        mkdirSync(folder, { recursive: true })
        // By another name first: a crash must not leave half of it.
        writeFileSync(`${file}.new`, JSON.stringify(now))
        renameSync(`${file}.new`, file)
      } catch (error) {
        log.warn(`What the desktop app remembers could not be kept: ${String(error)}`)
      }
    },
  }
}

function read(file: string): Remembered {
  try {
    return Remembered.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { zoom: 1, toldBackground: false, loginItem: false }
  }
}
