import type { Integration } from '#contract/models.ts'
import { prepare, type Db } from './driver.ts'

export function readIntegrations(db: Db): Integration[] {
  return prepare<[], Integration>(
    db,
    'SELECT id, name, brand, base_url AS baseUrl FROM integration ORDER BY id',
  ).all()
}

export function updateIntegration(db: Db, { id, name, brand, baseUrl }: Integration): void {
  prepare<[string, string, string, number]>(
    db,
    'UPDATE integration SET name = ?, brand = ?, base_url = ? WHERE id = ?',
  ).run(name, brand, baseUrl, id)
}
