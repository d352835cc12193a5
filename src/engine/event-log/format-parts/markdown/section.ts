import { visible } from '#contract/visible.ts'
import type { ExportedDelivery } from '../../items.ts'
import { exactText } from '../body-text.ts'
import { attemptLines } from './attempts.ts'
import { bodyText } from './body.ts'
import { factLines } from './facts.ts'
import { fence } from './fence.ts'
import { code, sentence } from './inline.ts'

/** One delivery, to be read in a chat or in an issue. */
export function deliverySection(delivery: ExportedDelivery): string {
  const { fields, attempts } = delivery
  const headers = fields.headers.map(([name, value]) => visible(`${name}: ${readable(value)}`))
  const sent = [
    ...attemptLines(attempts),
    ...fields.notForwarded.map((text) => `- Not forwarded: ${sentence(text)}`),
  ]
  return [
    `### Delivery ${fields.id}${fields.title === '' ? '' : `: ${code(fields.title)}`}\n`,
    `${factLines(delivery).join('\n')}\n`,
    headers.length === 0 ? 'Headers: none\n' : `Headers:\n\n${fence(headers.join('\n'), '')}`,
    ...(fields.bodyRedacted
      ? ['Something was taken out of the body, so its signature cannot be verified again.\n']
      : []),
    bodyText(delivery),
    ...(sent.length === 0 ? [] : [`Attempts: ${attempts.length}\n\n${sent.join('\n')}\n`]),
  ].join('\n')
}

/** A header is kept one character a byte; most that is beyond ASCII was meant as UTF-8. */
function readable(value: string): string {
  return exactText(Buffer.from(value, 'latin1')) ?? value
}
