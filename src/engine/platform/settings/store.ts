import { parseJson } from '#shared/json/object.ts'
import { defaultSettings, Settings } from '#contract/models.ts'
import { prepare, type Db } from '../sqlite.ts'

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
