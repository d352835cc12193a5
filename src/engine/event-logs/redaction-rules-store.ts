import { RedactionRule } from '#contract/logs.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/** The rules that each export follows, in their order. One that no longer fits is left out. */
export function readRedactionRules(db: Db): RedactionRule[] {
  return prepare<[], string>(db, 'SELECT rule FROM redaction_rule ORDER BY id')
    .pluck()
    .all()
    .flatMap((text) => {
      const parsed = RedactionRule.safeParse(JSON.parse(text))
      return parsed.success ? [parsed.data] : []
    })
}

/** In place of those before. */
export function writeRedactionRules(db: Db, rules: readonly RedactionRule[]): void {
  const insert = prepare<[string]>(db, 'INSERT OR IGNORE INTO redaction_rule (rule) VALUES (?)')
  db.transaction(() => {
    db.exec('DELETE FROM redaction_rule')
    for (const rule of rules) insert.run(JSON.stringify(rule))
  })()
}
