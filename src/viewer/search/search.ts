import type { CallOutput } from '#contract/calls.ts'
import type { Filter } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import type { PageSummary } from '#contract/log-page.ts'
import { parsePath, valueAtPath } from '#shared/json/path.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { PageLog } from '../log/log.ts'
import { type SubjectCache, subjectOf } from './subject.ts'
import { type PageContext, termTest, type Test } from './term-test.ts'
import { phraseTest } from './normalize.ts'

/** Time limit of one call in milliseconds, so that the page stays responsive. */
const budgetMs = 24
/** Maximum number of cached searches. */
const maxSearches = 8

export interface SearchRequest {
  readonly filter: string
  /** Null: the newest. */
  readonly upTo: number | null
  /** Milliseconds since the epoch. */
  readonly asOf: number
}

/** The results of a search so far. */
export interface SearchProgress {
  /** Newest first. */
  readonly rows: readonly PageSummary[]
  readonly complete: boolean
  /** 0 to 1. */
  readonly searched: number
}

export interface PageSearch {
  /** Continues a search for a short time. Throws `bad_filter`. */
  readonly ask: (asked: SearchRequest) => SearchProgress
  readonly page: (
    asked: SearchRequest & { readonly offset: number; readonly limit: number },
  ) => CallOutput<'deliveries.page'>
  readonly values: (
    ids: readonly number[],
    paths: readonly string[],
  ) => CallOutput<'deliveries.values'>
}

interface Search {
  readonly test: Test
  /** Newest first. */
  readonly rows: PageSummary[]
  /** Index of the next row to examine; -1: finished. */
  next: number
  readonly from: number
}

/** Creates the search of a page. `budget`: time limit of one call in milliseconds. */
export function createPageSearch(
  log: PageLog,
  endpoints: PageContext['endpoints'],
  budget = budgetMs,
): PageSearch {
  const searches = new Map<string, Search>()
  const cache: SubjectCache = { words: new Map(), ids: new Map() }
  const newest = log.rows.at(-1)?.id ?? 0

  function searchOf({ filter, upTo, asOf }: SearchRequest): Search {
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
    if (searches.size > maxSearches && oldest !== undefined) searches.delete(oldest)
    return search
  }

  function ask(asked: SearchRequest): SearchProgress {
    const search = searchOf(asked)
    const deadline = performance.now() + budget
    while (search.next >= 0) {
      const row = log.rows[search.next]
      search.next -= 1
      if (row && search.test.passes(subjectOf(log, row, cache))) search.rows.push(row)
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
    values: (ids, paths) => {
      const steps = paths.map(parsePath)
      return ids.map((id) => {
        const { json } = subjectOf(log, log.row(id), cache)
        return { id, values: steps.map((path) => path && valueAtPath(json, path)) }
      })
    },
  }
}

/** Throws `bad_filter` with the position of the error. */
export function read(text: string): Filter {
  const parsed = parseFilter(text)
  if (parsed.ok) return parsed.filter
  const { from, to, message } = parsed.error
  throw new AppError('bad_filter', message, { details: { from, to } })
}

/** Returns the index of the last row with an id up to this one; -1: none. */
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

/** Compiles a filter to a test for one delivery. */
function filterTest(filter: Filter, world: PageContext): Test {
  switch (filter.kind) {
    case 'all':
      return { passes: () => true, readsContent: false }
    case 'and':
    case 'or': {
      const parts = sorted(filter.parts, world)
      return {
        passes:
          filter.kind === 'and'
            ? (subject) => parts.every(({ passes }) => passes(subject))
            : (subject) => parts.some(({ passes }) => passes(subject)),
        readsContent: parts.some(({ readsContent }) => readsContent),
      }
    }
    case 'not':
      return opposite(filterTest(filter.part, world))
    case 'text': {
      const test = phraseTest(filter)
      return { passes: ({ words }) => words.some(test), readsContent: true }
    }
    case 'field': {
      const test = termTest(filter, world)
      return filter.comparison === '!=' ? opposite(test) : test
    }
  }
}

function opposite({ passes, readsContent }: Test): Test {
  return { passes: (subject) => !passes(subject), readsContent }
}

/** Evaluates cheap tests first. */
function sorted(parts: readonly Filter[], world: PageContext): Test[] {
  return parts
    .map((part) => filterTest(part, world))
    .toSorted((a, b) => Number(a.readsContent) - Number(b.readsContent))
}
