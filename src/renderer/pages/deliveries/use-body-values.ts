import { useEffect, useMemo, useState } from 'react'
import { useClient } from '#client/use-client.ts'
import { bodyPath, type FittedColumns } from '#client/state/list-columns.ts'
import { useLog } from '#client/state/scope.ts'

type Values = ReadonlyMap<number, readonly (string | null)[]>

const none: Values = new Map()
/** Of the rows whose values are kept. */
const maxKept = 2000

/** Values of the body columns by ID, in the order of these columns. They are fetched for the rows that are drawn. */
export function useBodyValues(ids: readonly number[], { columns }: FittedColumns): Values {
  const client = useClient()
  const log = useLog()
  const paths = useMemo(() => columns.flatMap(({ id }) => bodyPath(id) ?? []), [columns])
  const key = JSON.stringify([log, paths])
  const [kept, setKept] = useState<{ readonly key: string; readonly values: Values }>({
    key,
    values: none,
  })
  const values = kept.key === key ? kept.values : none
  const missing = paths.length === 0 ? [] : ids.filter((id) => !values.has(id))
  const wanted = missing.join()
  useEffect(() => {
    if (wanted === '') return undefined
    let ended = false
    const asked = wanted.split(',').map(Number)
    client.call('deliveries.values', { log, ids: asked, paths }).then(
      (found) => {
        if (ended) return
        setKept((before) => {
          const old = before.key === key && before.values.size < maxKept ? before.values : none
          // A delivery that was deleted meanwhile is not asked for again.
          const absent = asked.map((id): [number, readonly (string | null)[]] => [id, []])
          const fresh = found.map(({ id, values: of }): [number, readonly (string | null)[]] => [
            id,
            of,
          ])
          return { key, values: new Map([...old, ...absent, ...fresh]) }
        })
      },
      // The list itself reports a lost connection.
      () => undefined,
    )
    return () => {
      ended = true
    }
  }, [client, key, log, paths, wanted])
  return values
}
