import type { Db } from './driver.ts'

/** A new store begins with an integration for the built-in sandbox and one endpoint, so that the first press of a button works. */
export function seed(db: Db): void {
  const existing = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM integration').get()
  if (existing && existing.n > 0) return
  db.transaction(() => {
    db.prepare(
      "INSERT INTO integration (id, name, brand, base_url, kind) VALUES (1, ?, ?, ?, 'sandbox')",
    ).run('Sandbox', 'Service', '')
    db.prepare(
      'INSERT INTO endpoint (integration_id, name, slug, application_id, custom_headers) VALUES (1, ?, ?, ?, ?)',
    ).run('Sandbox', 'sandbox', '', '[]')
  })()
}
