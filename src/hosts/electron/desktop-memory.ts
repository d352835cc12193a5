import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import type { Log } from '#engine/platform/ports.ts'
import { writeFileAt } from '#engine/platform/save-file.ts'

/** Outlives a restart. Choices of the user are in the engine's settings instead. */
const DesktopState = z.object({
  /** The user knows that capturing continues in the background. */
  backgroundNoticeShown: z.boolean().catch(false),
  /** A copy of the setting, which Chromium needs before there is an engine. */
  hardwareAcceleration: z.boolean().catch(true),
})
export type DesktopState = z.infer<typeof DesktopState>

export type DesktopMemory = ReturnType<typeof openDesktopMemory>

/** In `folder`/desktop.json. A file that cannot be read counts as missing. */
export function openDesktopMemory(folder: string, log: Log) {
  const file = path.join(folder, 'desktop.json')
  let current = read(file)
  return {
    get current() {
      return current
    },
    remember(changed: Partial<DesktopState>): void {
      current = { ...current, ...changed }
      try {
        writeFileAt(file, JSON.stringify(current), true)
      } catch (error) {
        log.warn(`The state of the desktop app could not be saved: ${String(error)}`)
      }
    },
  }
}

function read(file: string): DesktopState {
  try {
    return DesktopState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return DesktopState.parse({})
  }
}
