import type { Filter } from '#contract/filter/ast.ts'
import { termTest, type PageWorld, type Test } from './term-test.ts'
import { phraseTest } from './words.ts'

/** A filter as a test for one delivery. */
export function filterTest(filter: Filter, world: PageWorld): Test {
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
function sorted(parts: readonly Filter[], world: PageWorld): Test[] {
  return parts
    .map((part) => filterTest(part, world))
    .toSorted((a, b) => Number(a.readsContent) - Number(b.readsContent))
}
