import { idsOf } from '#catalogue/ids.ts'
import { parseJson } from '#shared/json/object.ts'
import type { PageSummary } from '#contract/log-page.ts'
import { firstIdSlot, refSlots } from '#engine/search/indexer/limits.ts'
import type { PageLog } from '../log/log.ts'
import { headerLines, keptBody, payloadOf, searchedBody, textOf } from '../log/texts.ts'
import { joinedSearchTerms } from './normalize.ts'

/** A delivery for filter tests: its row, and further data on demand. Unreadable data matches nothing. */
export interface Subject {
  readonly row: PageSummary
  /** Alternating names and values, joined by line feeds, as in Tabscope's store. */
  readonly headers: string
  readonly note: string
  /** The parsed JSON of the received body; undefined: not JSON. */
  readonly json: unknown
  /** Headers, one per line, and the searched part of the body. */
  readonly texts: readonly string[]
  /** Words of headers and body. */
  readonly words: readonly string[]
  /** Ids in the payload, including its target. */
  readonly ids: ReadonlySet<string>
}

/** Caches expensive results per delivery: words and ids. */
export interface SubjectCache {
  readonly words: Map<number, readonly string[]>
  readonly ids: Map<number, ReadonlySet<string>>
}

export function subjectOf(log: PageLog, row: PageSummary, remembered: SubjectCache): Subject {
  const content = () => {
    try {
      return log.content(row.id)
    } catch {
      return null
    }
  }
  let json: { readonly value: unknown } | null = null
  return {
    row,
    get headers() {
      return content()?.fields.headers.flat().join('\n') ?? ''
    },
    get note() {
      return content()?.fields.note ?? ''
    },
    get json() {
      const here = content()
      json ??= { value: here && readJson(keptBody(here)) }
      return json.value
    },
    get texts() {
      const here = content()
      return here ? [headerLines(here.fields), searchedBody(here)?.text ?? ''] : []
    },
    get words() {
      const known = remembered.words.get(row.id)
      if (known) return known
      const words = this.texts.map(joinedSearchTerms)
      remembered.words.set(row.id, words)
      return words
    },
    get ids() {
      const known = remembered.ids.get(row.id)
      if (known) return known
      const here = content()
      const payload = here && payloadOf(here)
      const mentioned = payload ? idsOf(payload).map(({ id }) => id) : []
      const all = new Set(row.target === null ? mentioned : [row.target, ...mentioned])
      const ids = new Set([...all].slice(0, refSlots - firstIdSlot))
      remembered.ids.set(row.id, ids)
      return ids
    },
  }
}

function readJson(bytes: Uint8Array | null): unknown {
  const text = bytes && textOf(bytes)
  return text === null ? undefined : parseJson(text)
}
