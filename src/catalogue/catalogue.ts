import { plural } from '#shared/text/format.ts'
import type { EventType } from './define.ts'
import { line, text, type Payload } from './payload.ts'

const modules = import.meta.glob<EventType>('./types/*.ts', { eager: true, import: 'default' })

export const eventTypes: readonly EventType[] = Object.values(modules)

const byType: ReadonlyMap<string, EventType> = new Map(
  eventTypes.map((eventType) => [eventType.type, eventType]),
)

export function eventTypeOf(type: unknown): EventType | undefined {
  return typeof type === 'string' ? byType.get(type) : undefined
}

export function titleOf(payload: Payload): string {
  const known = eventTypeOf(payload.type)
  if (known) return known.summarise(payload)
  const { data } = payload
  const fields = typeof data === 'object' && data !== null ? Object.keys(data).length : 0
  return line(
    text(payload.type) || 'No type',
    `type is not documented, ${plural(fields, 'field', 'fields')}`,
  )
}
