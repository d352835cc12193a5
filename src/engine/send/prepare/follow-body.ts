import type { Header } from '#contract/models.ts'
import { saysSame } from '../../conformance/received-headers.ts'
import { echoIds, factsOf } from './body-facts.ts'
import { hasHeader, insertBehind, isNamed, withoutHeader, withValue } from './header-list.ts'
import type { DeliveryNames } from './names.ts'

/**
 * The headers that repeat what the body says, after the body: those that agreed with the body before, in their places. One that had nothing to
 * repeat and has now is added, where others of them are there. What was given by hand, or did not agree before, stays.
 */
export function followBody(
  headers: readonly Header[],
  of: {
    readonly names: DeliveryNames
    readonly given: readonly Header[]
    readonly before: Uint8Array
    readonly after: Uint8Array
  },
): Header[] {
  const { names, given } = of
  const before = factsOf(of.before).echoes
  const after = factsOf(of.after).echoes
  const anyEcho = echoIds.some((id) => hasHeader(headers, names.lower[id]))
  let list = [...headers]
  for (const id of echoIds) {
    const name = names.lower[id]
    if (hasHeader(given, name)) continue
    const came = headers.filter((header) => isNamed(header, name))
    const agreed =
      came.length === 0 ? before[id] === '' : came.every(([, value]) => saysSame(value, before[id]))
    if (!agreed || after[id] === before[id]) continue
    if (after[id] === '') list = withoutHeader(list, name)
    else if (came.length > 0) list = withValue(list, name, after[id])
    else if (anyEcho)
      list = insertBehind(list, `${names.prefix}event-`, [names.usual[id], after[id]])
  }
  return list
}
