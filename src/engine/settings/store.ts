import { defaultSettings, Settings } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/** The settings; what was never set, or no longer fits, has its default. */
export function readSettings(db: Db): Settings {
  const stored: Record<string, unknown> = { ...defaultSettings }
  for (const { key, value } of prepare<[], { key: string; value: string }>(
    db,
    'SELECT key, value FROM setting',
  ).all()) {
    const shape = Object.entries(Settings.shape).find(([name]) => name === key)?.[1]
    const parsed = shape?.safeParse(fromJson(value))
    if (parsed?.success) stored[key] = parsed.data
  }
  return Settings.parse(stored)
}

/** Undefined, which no setting is, where the text is no JSON. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function writeSettings(db: Db, settings: Settings): void {
  const write = prepare<[string, string]>(
    db,
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  db.transaction(() => {
    for (const [key, value] of Object.entries(settings)) write.run(key, JSON.stringify(value))
  })()
}

/**
 * Whoever has had deliveries (`lastId`: the last id ever given) is past the first minutes: the guide is not offered unasked when they are
 * cleared, nor after an upgrade from a Tabscope that had none. One that goes on goes on.
 */
export function passFirstMinutes(db: Db, lastId: number): void {
  const { guide, guideAt } = readSettings(db)
  if (lastId === 0 || guide !== 'open' || guideAt !== null) return
  prepare<[string, string]>(
    db,
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  ).run('guide', JSON.stringify('skipped' satisfies Settings['guide']))
}
