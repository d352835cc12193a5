import { AppError } from '../../platform/errors.ts'
import { toCustomHeaders, type StoredHeaders } from '../../platform/secrets.ts'
import {
  insertInto,
  insertRow,
  prepare,
  updateRow,
  type Db,
  type NamedValues,
} from '../../platform/sqlite.ts'

export type Which = 'current' | 'previous'

export interface StoredEndpoint extends StoredHeaders {
  readonly id: number
  readonly integrationId: number
  readonly name: string
  readonly slug: string
  readonly applicationId: string
  /** If there is no secret now, that is the user's choice. */
  readonly hadSecret: boolean
  readonly sealed: Partial<Record<Which, Uint8Array>>
}

interface Row extends Omit<StoredEndpoint, 'customHeaders' | 'hadSecret' | 'sealed'> {
  readonly customHeaders: string
  readonly hadSecret: number
}

export function readEndpoints(db: Db): StoredEndpoint[] {
  const secrets = prepare<[number], { which: Which; sealed: Uint8Array }>(
    db,
    'SELECT which, sealed FROM endpoint_secret WHERE endpoint_id = ?',
  )
  return prepare<[], Row>(
    db,
    `SELECT id, integration_id AS integrationId, name, slug, application_id AS applicationId,
       custom_headers AS customHeaders, sealed_headers AS sealedHeaders, had_secret AS hadSecret
     FROM endpoint ORDER BY id`,
  )
    .all()
    .map((row) => ({
      ...row,
      customHeaders: toCustomHeaders(row.customHeaders),
      hadSecret: row.hadSecret === 1,
      sealed: Object.fromEntries(secrets.all(row.id).map(({ which, sealed }) => [which, sealed])),
    }))
}

export type EndpointFields = Pick<
  StoredEndpoint,
  'integrationId' | 'name' | 'slug' | 'applicationId' | 'customHeaders'
> &
  Partial<Pick<StoredEndpoint, 'sealedHeaders'>>

function rowOf(fields: EndpointFields): NamedValues {
  return {
    integration_id: fields.integrationId,
    name: fields.name,
    slug: fields.slug,
    application_id: fields.applicationId,
    custom_headers: JSON.stringify(fields.customHeaders),
    sealed_headers: fields.sealedHeaders ?? null,
  }
}

/** Throws `path_taken`. */
export function insertEndpoint(db: Db, fields: EndpointFields): number {
  assertSlugFree(db, fields.slug, null)
  return insertRow(db, 'endpoint', rowOf(fields))
}

/** Throws `path_taken`. */
export function updateEndpoint(db: Db, id: number, fields: EndpointFields): void {
  assertSlugFree(db, fields.slug, id)
  updateRow(db, 'endpoint', id, rowOf(fields))
}

export function deleteEndpoint(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM endpoint WHERE id = ?').run(id)
}

export function writeSecrets(db: Db, id: number, sealed: StoredEndpoint['sealed']): void {
  db.transaction(() => {
    prepare<[number]>(db, 'DELETE FROM endpoint_secret WHERE endpoint_id = ?').run(id)
    const insert = insertInto(db, 'endpoint_secret', ['endpoint_id', 'which', 'sealed'])
    for (const [which, bytes] of Object.entries(sealed)) {
      if (bytes) insert({ endpoint_id: id, which, sealed: bytes })
    }
    if (sealed.current) updateRow(db, 'endpoint', id, { had_secret: 1 })
  })()
}

function assertSlugFree(db: Db, slug: string, except: number | null): void {
  const taken = prepare<[string], { id: number; name: string }>(
    db,
    'SELECT id, name FROM endpoint WHERE slug = ?',
  ).get(slug)
  if (taken && taken.id !== except) {
    throw new AppError(
      'path_taken',
      `/hooks/${slug} belongs to the endpoint "${taken.name}". Choose another path.`,
      { details: { fields: ['slug'] } },
    )
  }
}
