import { eventTypeOf } from '#catalogue/catalogue.ts'
import { severityOf } from '#catalogue/findings.ts'
import type { FindingData } from '#contract/models.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/**
 * Maximum number of distinct kinds: a sender may use a thousand types and a million fields. Beyond this, all fields of `data` count as one place and
 * all types not in the API documentation as one type.
 */
const mostKinds = 10_000

/** Value of `finding_kind.type` for types that are combined. */
const anyType = '*'

export interface FindingKinds {
  /** Returns the distinct IDs of the kinds of these findings. Inserts missing kinds. */
  readonly idsOf: (type: string | null, findings: readonly FindingData[]) => ReadonlySet<number>
  /** Call after a commit. */
  readonly keep: () => void
  /** Call after a rollback: forgets the kinds inserted since the last commit. */
  readonly rollBack: () => void
  /** Reads all kinds from the store again. */
  readonly reload: () => void
}

/** Manages the kinds of findings: the text of each kind is stored once. */
export function createFindingKinds(db: Db, most = mostKinds): FindingKinds {
  const insert = prepare<[string, string, string, string], { id: number }>(
    db,
    'INSERT INTO finding_kind (type, code, place, severity) VALUES (?, ?, ?, ?) RETURNING id',
  )
  let known = readKinds(db)
  let fresh: string[] = []

  const idOf = (type: string, finding: FindingData): number => {
    const { code, place } = finding
    const key = keyOf(type, code, place)
    const id = known.get(key)
    if (id !== undefined) return id
    if (known.size >= most) {
      const [fewerType, fewerPlace] = [collapsedType(type), collapsedPlace(place)]
      if (fewerType !== type || fewerPlace !== place) {
        return idOf(fewerType, { ...finding, place: fewerPlace })
      }
    }
    const inserted = insert.get(type, code, place, severityOf(finding))
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

/** Returns a unique key: a code contains no line feed, and the length separates type and place. */
function keyOf(type: string, code: string, place: string): string {
  return `${code}\n${type.length}\n${type}${place}`
}

function collapsedType(type: string): string {
  return type === '' || eventTypeOf(type) ? type : anyType
}

function collapsedPlace(place: string): string {
  return place.startsWith('body.data.') ? 'body.data.*' : place
}
