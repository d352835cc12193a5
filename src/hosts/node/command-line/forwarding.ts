import { eventTypes } from '#catalogue/catalogue.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { nearestOf } from './nearest.ts'
import { printMessage } from '../output/output.ts'
import { UsageError } from './errors.ts'

/** `A,B`. Warns about undocumented types, but accepts them. Throws `UsageError`. */
export function typesOf(text: string | undefined): string[] {
  if (text === undefined) return []
  const types = text
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  if (types.length === 0) throw new UsageError('Event types are required, separated by commas.')
  for (const type of types) warnUnknownType(type, 'Deliveries of this type are forwarded anyway.')
  return types
}

/** An undocumented type may be misspelled, or newer than this Tabscope. */
export function warnUnknownType(type: string, consequence: string): void {
  const known = eventTypes.map((each) => each.type)
  if (known.includes(type)) return
  const near = nearestOf(type, known)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  printMessage(`"${escapeControls(type)}" is not in the API documentation.${hint} ${consequence}`)
}
