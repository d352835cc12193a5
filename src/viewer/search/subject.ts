import { idsOf } from '#catalogue/ids.ts'
import type { PageSummary } from '#contract/log-page.ts'
import { firstIdSlot, refSlots } from '#engine/search/indexer/limits.ts'
import type { PageLog } from '../log/log.ts'
import { headerLines, keptBody, payloadOf, searchedBody } from '../log/texts.ts'
import { joinedSearchTerms } from './normalize.ts'

/** A delivery as a filter looks at it: its row, and more where that is asked for. What cannot be read is found by nothing in it. */
export interface Subject {
  readonly row: PageSummary
  /** Names and values in turn, joined by line feeds, as the store of Tabscope has them. */
  readonly headers: string
  readonly note: string
  /** The body as JSON, as it came; undefined: it is none. */
  readonly json: unknown
  /** Headers, a line each, and what is searched of the body. */
  readonly texts: readonly string[]
  /** The words of headers and of the body. */
  readonly words: readonly string[]
  /** Ids that the payload mentions, its target among them. */
  readonly ids: ReadonlySet<string>
}

/** Of each delivery what was dear to find: words and ids. */
export interface Remembered {
  readonly words: Map<number, readonly string[]>
  readonly ids: Map<number, ReadonlySet<string>>
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function subjectOf(log: PageLog, row: PageSummary, remembered: Remembered): Subject {
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
  if (bytes === null) return undefined
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return value
  } catch {
    return undefined
  }
}
