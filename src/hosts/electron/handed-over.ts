import { z } from 'zod'
import { logFilesOf } from '../log-files.ts'

/** Event logs that the system or another start hands over: kept until there is an engine to take them. */
export interface HandedOver {
  /** Absolute paths. What is no event log is left out. */
  take(files: readonly string[]): void
  /** As another start handed it over; anything else is nothing. */
  takeUnknown(handed: unknown): void
  /** From now on they go there, with what came before. */
  to(receiver: (files: readonly string[]) => void): void
}

const Handed = z.object({ files: z.array(z.string()) })

export function openHandedOver(): HandedOver {
  const waiting: string[] = []
  let receive: ((files: readonly string[]) => void) | null = null
  const pass = (): void => {
    if (receive !== null && waiting.length > 0) receive(waiting.splice(0))
  }
  const take = (files: readonly string[]): void => {
    // Absolute as they are, they belong to no folder.
    waiting.push(...logFilesOf(files, '/'))
    pass()
  }
  return {
    take,
    takeUnknown(handed) {
      const { success, data } = Handed.safeParse(handed)
      if (success) take(data.files)
    },
    to(receiver) {
      receive = receiver
      pass()
    },
  }
}
