import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from '../processes.ts'
import { buildStore, recipe, schemaVersion } from './build.ts'

/** Folder of a store with so many deliveries: built once, by the ways in which they come there, and kept for the next time. */
export function storeOf(count: number, print: (line: string) => void): string {
  const name = `v${schemaVersion}-${recipe}-${count}`
  const folder = path.join(root, 'node_modules/.cache/bench-store', name)
  if (!existsSync(folder)) buildStore(folder, count, print)
  return folder
}
