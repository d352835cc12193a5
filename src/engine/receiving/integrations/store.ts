import { defaultRefreshRule } from '#contract/default-refresh.ts'
import type { Integration, RefreshRule } from '#contract/integrations.ts'
import { AppError } from '../../platform/errors.ts'
import { insertRow, prepare, updateRow, type Db, type NamedValues } from '../../platform/sqlite.ts'

export interface StoredIntegration extends Omit<Integration, 'accessSecret' | 'redirectUrls'> {
  readonly redirectUrls: readonly string[]
  readonly sealedSecret: Uint8Array | null
}

export type IntegrationFields = Omit<StoredIntegration, 'id'>

interface Row extends Omit<StoredIntegration, 'redirectUrls' | 'refresh'> {
  readonly redirectUrls: string
  readonly refresh: string | null
}

export function readIntegrations(db: Db): StoredIntegration[] {
  return prepare<[], Row>(
    db,
    `SELECT id, name, kind, brand, base_url AS baseUrl, access_id AS accessId, redirect_urls AS redirectUrls,
       redirect_url AS redirectUrl, refresh, sealed_access_secret AS sealedSecret
     FROM integration ORDER BY id`,
  )
    .all()
    .map((row) => ({
      ...row,
      redirectUrls: urlsOf(row.redirectUrls),
      refresh: row.refresh === null ? defaultRefreshRule : ruleOf(row.refresh),
    }))
}

function urlsOf(json: string): string[] {
  const urls: string[] = JSON.parse(json)
  return urls
}

function ruleOf(json: string): RefreshRule {
  const rule: RefreshRule = JSON.parse(json)
  return rule
}

function rowOf(fields: IntegrationFields): NamedValues {
  return {
    name: fields.name,
    kind: fields.kind,
    brand: fields.brand,
    base_url: fields.baseUrl,
    access_id: fields.accessId,
    redirect_urls: JSON.stringify(fields.redirectUrls),
    redirect_url: fields.redirectUrl,
    refresh: JSON.stringify(fields.refresh),
    sealed_access_secret: fields.sealedSecret,
  }
}

/** Returns the ID. Throws `name_taken`. */
export function insertIntegration(db: Db, fields: IntegrationFields): number {
  assertNameFree(db, fields.name, null)
  return insertRow(db, 'integration', rowOf(fields))
}

/** Throws `name_taken`. */
export function updateIntegration(db: Db, { id, ...fields }: StoredIntegration): void {
  assertNameFree(db, fields.name, id)
  updateRow(db, 'integration', id, rowOf(fields))
}

/** Also deletes its tokens, runs and exchanges. Throws `in_use` if endpoints belong to it. */
export function deleteIntegration(db: Db, id: number): void {
  const endpoint = prepare<[number], { name: string }>(
    db,
    'SELECT name FROM endpoint WHERE integration_id = ?',
  ).get(id)
  if (endpoint) {
    throw new AppError(
      'in_use',
      `The endpoint "${endpoint.name}" belongs to this integration. Delete it, or move it to another integration, first.`,
    )
  }
  prepare<[number]>(db, 'DELETE FROM api_exchange WHERE integration_id = ?').run(id)
  prepare<[number]>(db, 'DELETE FROM integration WHERE id = ?').run(id)
}

/** The command line refers to integrations by name. */
function assertNameFree(db: Db, name: string, except: number | null): void {
  const taken = prepare<[string], { id: number }>(
    db,
    'SELECT id FROM integration WHERE name = ? COLLATE NOCASE',
  ).get(name)
  if (taken && taken.id !== except) {
    throw new AppError(
      'name_taken',
      `An integration named "${name}" already exists. Choose another name.`,
      {
        details: { fields: ['name'] },
      },
    )
  }
}
