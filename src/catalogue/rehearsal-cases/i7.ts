import { field } from '../payload.ts'
import { defineCase, type RequestBuilder, type Variant } from '../rehearsal/define.ts'

/** Two events of one target in order, and two of another target in reverse. */
function pair(
  builder: RequestBuilder,
  first: string,
  second: string,
  shared: readonly string[],
): Variant[] {
  const inOrder = `${first}, ${second}`
  const steps = () => {
    const one = builder.event(first)
    const two = builder.event(second, { targetUuid: one.targetUuid })
    const same = Object.fromEntries(shared.map((key) => [key, field(one.data, key)]))
    return [
      builder.deliver(one),
      builder.deliver({ ...two, data: { ...Object(two.data), ...same } }),
    ]
  }
  return [
    { name: inOrder, steps: steps(), expect: 'accept', effects: { recorded: true } },
    {
      name: `${second}, ${first}`,
      steps: steps().toReversed(),
      expect: 'accept',
      effects: { asVariant: inOrder },
    },
  ]
}

export default defineCase({
  id: 'I7',
  group: 'effects',
  title: 'Events in the wrong order',
  level: 'SHOULD',
  basis: null,
  expected: 'Accept, with the same final state as in the right order',
  why: 'The API documentation guarantees no order. A handler that requires one leaves tabs open forever or bills an item that was removed.',
  fix: 'order',
  needsObserver: true,
  variants: (builder) => [
    ...pair(builder, 'OPEN_TAB', 'CLOSE_TAB', []),
    ...pair(builder, 'ITEM_ADDED', 'ITEM_REMOVED', ['orderId', 'tabId', 'tabUuid']),
  ],
})
