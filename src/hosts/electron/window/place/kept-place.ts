import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** Far beyond any desktop: what is more is a mistake. */
const Coordinate = z.int().min(-100_000).max(100_000)
const Length = z.int().min(1).max(100_000)

/** Where the interface's window was, when it was neither maximised nor full screen. */
const KeptPlace = z.object({
  x: Coordinate,
  y: Coordinate,
  width: Length,
  height: Length,
  maximized: z.boolean(),
  fullScreen: z.boolean(),
})
export type KeptPlace = z.infer<typeof KeptPlace>

/** Null: nothing was kept, or it cannot be read, which is as good. */
export function readPlace(file: string): KeptPlace | null {
  try {
    return KeptPlace.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Throws the system's error. */
export function writePlace(file: string, place: KeptPlace): void {
  mkdirSync(path.dirname(file), { recursive: true })
  // By another name first: a crash must not leave half of it.
  writeFileSync(`${file}.new`, `${JSON.stringify(place)}\n`)
  renameSync(`${file}.new`, file)
}
