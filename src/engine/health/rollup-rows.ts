import { prepare, type Db } from '../platform/sqlite.ts'
import type { Span } from './local-time.ts'
import { others, type RollupRow, type Series } from './rollup.ts'

/** Beyond this, locations count as one, then types. A sender may use any number of them. */
const maxSeries = 1000

interface StoredRow {
  readonly span: Span
  readonly at: number
  readonly seriesId: number
  readonly received: number
  readonly counts: string
}

const rowSql = 'SELECT span, at, series_id AS seriesId, received, counts FROM rollup'

function toRow({ counts, ...row }: StoredRow): RollupRow {
  return { ...row, counts: parseCounts(counts) }
}

function parseCounts(json: string): Map<number, number> {
  const flat: number[] = JSON.parse(json)
  const counts = new Map<number, number>()
  for (let index = 0; index < flat.length; index += 2) {
    counts.set(flat[index] ?? 0, flat[index + 1] ?? 0)
  }
  return counts
}

/** Rows that begin in a range; `to` is exclusive. One at a time, since they may be a hundred thousand: nothing can be written meanwhile. */
export function* readRollups(
  db: Db,
  of: Span,
  from: number,
  to: number,
): Generator<RollupRow, void, undefined> {
  const query = prepare<[number, number, number], StoredRow>(
    db,
    `${rowSql} WHERE span = ? AND at >= ? AND at < ?`,
  )
  for (const row of query.iterate(of, from, to)) yield toRow(row)
}

export function readSeries(db: Db): Map<number, Series> {
  const rows = prepare<[], Series & { id: number }>(
    db,
    'SELECT id, endpoint_id AS endpointId, location, type FROM rollup_series',
  ).all()
  return new Map(rows.map(({ id, ...series }) => [id, series]))
}

/** Names by ID. */
export function readMetrics(db: Db): Map<number, string> {
  const rows = prepare<[], { id: number; name: string }>(
    db,
    'SELECT id, name FROM rollup_metric',
  ).all()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** IDs of what has a name. They are assigned in memory and stored with the next flush. */
class Names {
  readonly #ids: Map<string, number>
  #next: number
  fresh: { readonly id: number; readonly name: string }[] = []

  constructor(known: Iterable<readonly [string, number]>) {
    this.#ids = new Map(known)
    this.#next = Math.max(0, ...this.#ids.values()) + 1
  }

  get size(): number {
    return this.#ids.size
  }

  known(name: string): number | undefined {
    return this.#ids.get(name)
  }

  idOf(name: string): number {
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const id = this.#next
    this.#next += 1
    this.#ids.set(name, id)
    this.fresh.push({ id, name })
    return id
  }
}

/** The rows that the writer changes, in memory until they are flushed. */
export class RollupRows {
  readonly #db: Db
  readonly #series: Names
  readonly #metrics: Names
  readonly #rows = new Map<string, RollupRow>()
  readonly #changed = new Set<RollupRow>()
  readonly #read

  constructor(db: Db) {
    this.#db = db
    this.#series = new Names([...readSeries(db)].map(([id, series]) => [keyOf(series), id]))
    this.#metrics = new Names([...readMetrics(db)].map(([id, name]) => [name, id]))
    this.#read = prepare<[number, number, number], StoredRow>(
      db,
      `${rowSql} WHERE span = ? AND at = ? AND series_id = ?`,
    )
  }

  get hasChanges(): boolean {
    return this.#changed.size > 0
  }

  metric(name: string): number {
    return this.#metrics.idOf(name)
  }

  seriesId(series: Series): number {
    const { endpointId, location, type } = series
    const known = this.#series.known(keyOf(series))
    if (known !== undefined) return known
    if (this.#series.size < maxSeries) return this.#series.idOf(keyOf(series))
    if (location !== others) return this.seriesId({ endpointId, location: others, type })
    return this.#series.idOf(keyOf({ endpointId, location, type: others }))
  }

  /** To be changed: it is written by the next flush. */
  at(of: Pick<RollupRow, 'span' | 'at' | 'seriesId'>): RollupRow {
    const key = `${of.span} ${of.at} ${of.seriesId}`
    let row = this.#rows.get(key)
    if (!row) {
      const stored = this.#read.get(of.span, of.at, of.seriesId)
      row = stored ? toRow(stored) : { ...of, received: 0, counts: new Map() }
      this.#rows.set(key, row)
    }
    this.#changed.add(row)
    return row
  }

  /** Call in a transaction. After its commit, `keep` forgets what was written. */
  write(): void {
    const series = prepare<[number, number, string, string]>(
      this.#db,
      'INSERT OR IGNORE INTO rollup_series (id, endpoint_id, location, type) VALUES (?, ?, ?, ?)',
    )
    for (const { id, name } of this.#series.fresh) {
      const { endpointId, location, type } = seriesOf(name)
      series.run(id, endpointId, location, type)
    }
    const metrics = prepare<[number, string]>(
      this.#db,
      'INSERT OR IGNORE INTO rollup_metric (id, name) VALUES (?, ?)',
    )
    for (const { id, name } of this.#metrics.fresh) metrics.run(id, name)
    const save = prepare<[number, number, number, number, string]>(
      this.#db,
      'INSERT OR REPLACE INTO rollup (span, at, series_id, received, counts) VALUES (?, ?, ?, ?, ?)',
    )
    for (const { span, at, seriesId, received, counts } of this.#changed) {
      save.run(span, at, seriesId, received, JSON.stringify([...counts].flat()))
    }
  }

  keep(): void {
    this.#series.fresh = []
    this.#metrics.fresh = []
    this.#changed.clear()
    // Deliveries of the same minute follow, mostly.
    if (this.#rows.size > 5000) this.#rows.clear()
  }

  /** Forgets what is in memory, after `keep`: rows were changed elsewhere. */
  reload(): void {
    this.#rows.clear()
  }
}

function keyOf({ endpointId, location, type }: Series): string {
  return JSON.stringify([endpointId, location, type])
}

function seriesOf(key: string): Series {
  const [endpointId, location, type]: [number, string, string] = JSON.parse(key)
  return { endpointId, location, type }
}
