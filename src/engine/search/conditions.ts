import type { Filter } from '#contract/filter/ast.ts'
import { textArm } from './arms.ts'
import type { Binder } from './binder.ts'
import { joined, type Condition } from './condition.ts'
import { termCondition } from './term-condition.ts'
import type { FilterWorld } from './world.ts'

/** NULL: SQL then tells whether the rest decides. */
const unknown: Condition = { sql: 'NULL', cost: 0 }

/** What a filter asks of a row. Terms that are not asked for count as unknown. */
export function conditionOf(
  filter: Filter,
  binder: Binder,
  world: FilterWorld,
  isAsked: (term: Filter) => boolean = () => true,
): Condition {
  const of = (part: Filter): Condition => conditionOf(part, binder, world, isAsked)
  switch (filter.kind) {
    case 'all':
      return { sql: '1', cost: 0 }
    case 'and':
      return joined(' AND ', filter.parts.map(of))
    case 'or':
      return joined(' OR ', filter.parts.map(of))
    case 'not': {
      const { sql, cost } = of(filter.part)
      return { sql: `NOT ${sql}`, cost }
    }
    case 'text':
      if (!isAsked(filter)) return unknown
      return { sql: `(+d.id IN (${textArm([filter], binder, world)}))`, cost: 2 }
    case 'field': {
      if (!isAsked(filter)) return unknown
      const condition = termCondition(filter, binder, world)
      if (filter.comparison !== '!=') return condition
      return { sql: `NOT ${condition.sql}`, cost: condition.cost }
    }
  }
}
