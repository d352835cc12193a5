import type { CallInput, CallOutput } from '#contract/calls.ts'
import { parsePath, valueAtPath } from '#shared/json/path.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { searchedBytes } from '../search/indexer/limits.ts'
import { readJson } from '../capture/parse-body.ts'
import { searchedText } from '../search/indexer/searchable.ts'

interface ContentRow {
  readonly headers: string
  readonly body: Uint8Array
}

/** For columns of the list, after decoding `Content-Encoding`. Null for a path that is not valid. */
export function readBodyValues(
  db: Db,
  { ids, paths }: Pick<CallInput<'deliveries.values'>, 'ids' | 'paths'>,
): CallOutput<'deliveries.values'> {
  const steps = paths.map(parsePath)
  const read = prepare<[{ id: number; most: number }], ContentRow>(
    db,
    'SELECT headers, body FROM delivery_content WHERE id = $id AND length(body) <= $most',
  )
  return ids.flatMap((id) => {
    const content = read.get({ id, most: searchedBytes })
    if (!content) return []
    const { bytes } = searchedText({ ...content, trailers: '', size: content.body.byteLength })
    const body = bytes === null ? undefined : readJson(bytes)
    return [{ id, values: steps.map((path) => path && valueAtPath(body, path)) }]
  })
}
