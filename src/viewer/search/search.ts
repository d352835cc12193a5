import type { CallOutput } from '#contract/calls.ts'
import type { Filter } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import type { PageSummary } from '#contract/log-page.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { PageLog } from '../log/log.ts'
import { type Remembered, subjectOf } from './subject.ts'
import { type PageContext, termTest, type Test } from './term-test.ts'
import { phraseTest } from './normalize.ts'

/** How long one call looks, in milliseconds: the page must be drawn in between. */
const budgetMs = 24
/** Searches that are kept as far as they came. */
const searchesKept = 8

export interface Asked {
  readonly filter: string
  /** Null: the newest. */
  readonly upTo: number | null
  /** Milliseconds since the epoch. */
  readonly asOf: number
}

/** What is known of a search by now. */
export interface Found {
  /** Newest first. */
  readonly rows: readonly PageSummary[]
  readonly complete: boolean
  /** 0 to 1. */
  readonly searched: number
}

export interface PageSearch {
  /** Looks on for a moment. Throws `bad_filter`. */
  readonly ask: (asked: Asked) => Found
  readonly page: (
    asked: Asked & { readonly offset: number; readonly limit: number },
  ) => CallOutput<'deliveries.page'>
}

interface Search {
  readonly test: Test
  /** Newest first. */
  readonly rows: PageSummary[]
  /** Place among the log's rows of the next one to look at; -1: none is left. */
  next: number
  readonly from: number
}

/** Searches over the records of a page. `budget`: for how many milliseconds a call looks. */
export function createPageSearch(
  log: PageLog,
  endpoints: PageContext['endpoints'],
  budget = budgetMs,
): PageSearch {
  const searches = new Map<string, Search>()
  const remembered: Remembered = { words: new Map(), ids: new Map() }
  const newest = log.rows.at(-1)?.id ?? 0

  function searchOf({ filter, upTo, asOf }: Asked): Search {
    const key = JSON.stringify([filter, upTo, asOf])
    const known = searches.get(key)
    searches.delete(key)
    const from = placeUpTo(log.rows, upTo ?? newest)
    const search = known ?? {
      test: filterTest(read(filter), { asOf, endpoints }),
      rows: [],
      next: from,
      from,
    }
    searches.set(key, search)
    const [oldest] = searches.keys()
    if (searches.size > searchesKept && oldest !== undefined) searches.delete(oldest)
    return search
  }

  function ask(asked: Asked): Found {
    const search = searchOf(asked)
    const deadline = performance.now() + budget
    while (search.next >= 0) {
      const row = log.rows[search.next]
      search.next -= 1
      if (row && search.test.passes(subjectOf(log, row, remembered))) search.rows.push(row)
      if (performance.now() >= deadline) break
    }
    const complete = search.next < 0
    const searched = complete ? 1 : 1 - (search.next + 1) / (search.from + 1)
    return { rows: search.rows, complete, searched }
  }

  return {
    ask,
    page: ({ offset, limit, ...asked }) => {
      const { rows, complete, searched } = ask(asked)
      return {
        rows: rows.slice(offset, offset + limit),
        upTo: asked.upTo ?? newest,
        asOf: asked.asOf,
        total: rows.length,
        complete,
        searched,
      }
    },
  }
}

/** Throws `bad_filter`, with the characters that are wrong. */
export function read(text: string): Filter {
  const parsed = parseFilter(text)
  if (parsed.ok) return parsed.filter
  const { from, to, message } = parsed.error
  throw new AppError('bad_filter', message, { details: { from, to } })
}

/** The place of the last row with an id up to this one; -1: there is none. */
function placeUpTo(rows: readonly PageSummary[], upTo: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.id ?? 0) <= upTo) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A filter as a test for one delivery. */
function filterTest(filter: Filter, world: PageContext): Test {
  switch (filter.kind) {
    case 'all':
      return { passes: () => true, readsContent: false }
    case 'and': {
      const parts = sorted(filter.parts, world)
      return {
        passes: (subject) => parts.every(({ passes }) => passes(subject)),
        readsContent: parts.some(({ readsContent }) => readsContent),
      }
    }
    case 'or': {
      const parts = sorted(filter.parts, world)
      return {
        passes: (subject) => parts.some(({ passes }) => passes(subject)),
        readsContent: parts.some(({ readsContent }) => readsContent),
      }
    }
    case 'not': {
      const { passes, readsContent } = filterTest(filter.part, world)
      return { passes: (subject) => !passes(subject), readsContent }
    }
    case 'text': {
      const test = phraseTest(filter)
      return { passes: ({ words }) => words.some(test), readsContent: true }
    }
    case 'field': {
      const { passes, readsContent } = termTest(filter, world)
      if (filter.comparison !== '!=') return { passes, readsContent }
      return { passes: (subject) => !passes(subject), readsContent }
    }
  }
}

/** What is cheap first: it may spare the rest. */
function sorted(parts: readonly Filter[], world: PageContext): Test[] {
  return parts
    .map((part) => filterTest(part, world))
    .toSorted((a, b) => Number(a.readsContent) - Number(b.readsContent))
}
