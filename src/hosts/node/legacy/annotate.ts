import { mostTags } from '#contract/deliveries.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { deliveryEvent, deliveryLine } from '../delivery-line.ts'
import { changeSession } from '../in-session.ts'
import { idOf, parse } from '../options.ts'
import { writeJson, writeLine } from '../output.ts'
import type { Session } from '../session.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'

/** `deliveries note ID TEXT`; an empty text takes the note away. */
export async function note(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 2)
  const id = idOf('deliveries note needs the ID of a delivery and a text.', positionals[0])
  const text = positionals[1]
  if (text === undefined) throw new UsageError('deliveries note needs a text after the ID.')
  return changeSession(values, async (session) => {
    tell(await session.call('deliveries.annotate', { id, note: text }), values.json)
    return 0
  })
}

/** The ID and the tags. */
const mostWords = 1 + mostTags

/** `deliveries tag ID TAG... [--remove]`: adds these to the tags that it has, or takes them away. */
export async function tag(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { remove: { type: 'boolean' } }, mostWords)
  const id = idOf('deliveries tag needs the ID of a delivery and tags.', positionals[0])
  const tags = positionals.slice(1)
  if (tags.length === 0) throw new UsageError('deliveries tag needs a tag after the ID.')
  return changeSession(values, async (session) => {
    const change = values.remove ? { removeTags: tags } : { addTags: tags }
    tell(await session.call('deliveries.annotate', { id, ...change }), values.json)
    return 0
  })
}

/** `deliveries pin ID` and `deliveries unpin ID`. */
export async function pin(args: string[], pinned: boolean): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const verb = pinned ? 'pin' : 'unpin'
  const id = idOf(`deliveries ${verb} needs the ID of a delivery.`, positionals[0])
  return changeSession(values, async (session) => {
    await session.call('deliveries.pin', { id, pinned })
    tell(await rowOf(session, id), values.json)
    return 0
  })
}

async function rowOf(session: Session, id: number): Promise<DeliverySummary> {
  return session.call('deliveries.get', { id })
}

function tell(row: DeliverySummary, json: boolean | undefined): void {
  const { pinned, noted, tags } = row
  if (json) writeJson({ ...deliveryEvent(row), pinned, noted, tags })
  else {
    const marks = [
      pinned ? 'pinned' : 'not pinned',
      ...(noted ? ['noted'] : []),
      ...tags.map((each) => `#${printable(each)}`),
    ]
    writeLine(`${deliveryLine(row)}\n        ${marks.join('  ')}`)
  }
}
