import type { Filter } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'

export function parsed(text: string): Filter {
  const result = parseFilter(text)
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`)
  return result.filter
}
