import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** One file of the journal. Its first byte stands at the logical position `start`. */
export interface Segment {
  readonly path: string
  readonly start: number
}

const extension = '.journal'

export function journalDir(dataDir: string): string {
  return join(dataDir, 'journal')
}

export function segmentPath(dir: string, start: number): string {
  return join(dir, `${String(start).padStart(15, '0')}${extension}`)
}

/** The journal's files, oldest first. None where the folder is missing: to read must not put another in its place. */
export function listSegments(dir: string): Segment[] {
  return namesIn(dir)
    .filter((name) => /^\d{15}\.journal$/.test(name))
    .map((name) => ({ path: join(dir, name), start: Number(name.slice(0, 15)) }))
    .sort((a, b) => a.start - b.start)
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
