import { existsSync } from 'node:fs'
import path from 'node:path'
import { root } from '../processes.ts'
import { buildStore, recipe, schemaVersion } from './build.ts'

/** Returns the folder of a store with this number of deliveries. It is built once and reused. */
export function storeOf(count: number, print: (line: string) => void): string {
  const name = `v${schemaVersion}-${recipe}-${count}`
  const folder = path.join(root, 'node_modules/.cache/bench-store', name)
  if (!existsSync(folder)) buildStore(folder, count, print)
  return folder
}
