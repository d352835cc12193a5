import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { Finding } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/**
 * A sender may name a thousand types and a million fields. So many kinds are told apart; beyond that, those of one type are one,
 * whichever field it was, and those of types that the document does not know are one, too.
 */
const mostKinds = 10_000

/** Stands in `finding_kind.type` for types that are no longer told apart. */
const anyType = '*'

export interface FindingKinds {
  /** The ids of these findings' kinds, each once. Kinds that are not stored yet are inserted. */
  readonly idsOf: (type: string | null, findings: readonly Finding[]) => ReadonlySet<number>
  /** Everything since the last call is committed. */
  readonly keep: () => void
  /** What was inserted since the last `keep` was rolled back. */
  readonly rollBack: () => void
  /** Reads anew what there is. */
  readonly reload: () => void
}

/** Interns the kinds of findings: the text of a kind is stored once. */
export function createFindingKinds(db: Db, most = mostKinds): FindingKinds {
  const insert = prepare<[string, string, string, string], { id: number }>(
    db,
    'INSERT INTO finding_kind (type, code, place, severity) VALUES (?, ?, ?, ?) RETURNING id',
  )
  let known = readKinds(db)
  let fresh: string[] = []

  const idOf = (type: string, { code, place, severity }: Finding): number => {
    const key = keyOf(type, code, place)
    const id = known.get(key)
    if (id !== undefined) return id
    if (known.size >= most) {
      const [fewerType, fewerPlace] = [collapsedType(type), collapsedPlace(place)]
      if (fewerType !== type || fewerPlace !== place) {
        return idOf(fewerType, { code, place: fewerPlace, severity, message: '' })
      }
    }
    const inserted = insert.get(type, code, place, severity)
    if (!inserted) throw new Error('a kind of finding got no id')
    known.set(key, inserted.id)
    fresh.push(key)
    return inserted.id
  }

  return {
    idsOf: (type, findings) => new Set(findings.map((finding) => idOf(type ?? '', finding))),
    keep: () => {
      if (fresh.length > 0) fresh = []
    },
    rollBack: () => {
      for (const key of fresh) known.delete(key)
      fresh = []
    },
    reload: () => {
      known = readKinds(db)
      fresh = []
    },
  }
}

function readKinds(db: Db): Map<string, number> {
  const rows = prepare<[], { id: number; type: string; code: string; place: string }>(
    db,
    'SELECT id, type, code, place FROM finding_kind',
  ).all()
  return new Map(rows.map(({ id, type, code, place }) => [keyOf(type, code, place), id]))
}

/** No code holds a line feed; of type and place only one can follow it. */
function keyOf(type: string, code: string, place: string): string {
  return `${code}\n${type.length}\n${type}${place}`
}

function collapsedType(type: string): string {
  return type === '' || eventTypeOf(type) ? type : anyType
}

function collapsedPlace(place: string): string {
  return place.startsWith('body.data.') ? 'body.data.*' : place
}
