import { eventTypes } from '#catalogue/catalogue.ts'
import { printable } from '../printable.ts'
import { nearestOf } from './nearest.ts'
import { say } from './output.ts'
import { UsageError } from './usage-error.ts'

/** `A,B`: event types. One that the API documentation does not have is taken as well, with a note. Throws `UsageError`. */
export function typesOf(text: string | undefined): string[] {
  if (text === undefined) return []
  const types = text
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  if (types.length === 0) throw new UsageError('Event types are required, separated by commas.')
  for (const type of types) mindUnknownType(type, 'Deliveries of this type are forwarded anyway.')
  return types
}

/** Notes that a type is not in the API documentation, which a misspelled one is not either: none is refused, since the service may have newer ones. */
export function mindUnknownType(type: string, so: string): void {
  const known = eventTypes.map((each) => each.type)
  if (known.includes(type)) return
  const near = nearestOf(type, known)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  say(`"${printable(type)}" is not in the API documentation.${hint} ${so}`)
}
