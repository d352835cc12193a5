import { prepare, type Db } from '#engine/platform/sqlite.ts'

/** Returns SQL and query plan of each statement that `run` prepares on the given connection. */
export async function plansOf(
  db: Db,
  run: (spied: Db) => unknown,
): Promise<{ sql: string; plan: string }[]> {
  const texts: string[] = []
  const spied: Db = Object.create(db, {
    prepare: { value: (sql: string) => (texts.push(sql), db.prepare(sql)) },
    // Called on the original connection, which transactions require.
    transaction: { value: (work: () => unknown) => db.transaction(work) },
  })
  await run(spied)
  if (texts.length === 0) throw new Error('nothing was prepared')
  return [...new Set(texts)].map((sql) => ({ sql, plan: planOf(db, sql) }))
}

export function planOf(db: Db, sql: string): string {
  const values: (number | Record<string, number>)[] = Array.from(sql.matchAll(/\?/g), () => 1)
  const names = [...sql.matchAll(/[$@](\w+)/g)].map(([, name = '']) => name)
  if (names.length > 0) values.push(Object.fromEntries(names.map((name) => [name, 1])))
  return prepare<typeof values, { detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map(({ detail }) => detail)
    .join('\n')
}
