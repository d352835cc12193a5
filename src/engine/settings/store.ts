import { parseJson } from '#shared/json/object.ts'
import { defaultSettings, Settings } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { writeSettings } from './writes.ts'

/** Missing or invalid settings have their default. */
export function readSettings(db: Db): Settings {
  const stored: Record<string, unknown> = { ...defaultSettings }
  for (const { key, value } of prepare<[], { key: string; value: string }>(
    db,
    'SELECT key, value FROM setting',
  ).all()) {
    const shape = Object.entries(Settings.shape).find(([name]) => name === key)?.[1]
    const parsed = shape?.safeParse(parseJson(value))
    if (parsed?.success) stored[key] = parsed.data
  }
  return Settings.parse(stored)
}

/**
 * Skips the getting-started guide if there have been deliveries before (`lastId`: the last ID ever assigned), so that it does not open after they are
 * cleared or for users of the command line. A guide in progress continues.
 */
export function passFirstMinutes(db: Db, lastId: number): void {
  const { guide, guideAt } = readSettings(db)
  if (lastId === 0 || guide !== 'open' || guideAt !== null) return
  writeSettings(db, { guide: 'skipped' })
}
