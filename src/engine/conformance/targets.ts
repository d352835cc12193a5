import type { EventType } from '#catalogue/define.ts'
import { kindWords } from '#catalogue/field-type.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { Departures } from './departures.ts'

/** Which of targetUuid and targetId the type must have (SPEC, "Event catalogue"). Null and empty count as none. */
export function checkTargets(
  { type, target }: EventType,
  { targetUuid, targetId }: Payload,
  departures: Departures,
): void {
  const hasUuid = isThere(targetUuid)
  const hasId = isThere(targetId)
  if (target.uuid !== null && !hasUuid) {
    departures.add(
      'target.uuid_missing',
      'body.targetUuid',
      `${type} names its target by targetUuid (SPEC, "Event catalogue").`,
      { expected: `the ${target.uuid}`, actual: wordFor(targetUuid) },
    )
  }
  if (target.id !== null && !hasId) {
    departures.add(
      'target.id_missing',
      'body.targetId',
      `${type} names its target by targetId (SPEC, "Event catalogue").`,
      { expected: `the ${target.id}`, actual: wordFor(targetId) },
    )
  }
  if (target.uuid === null && hasUuid) {
    departures.add(
      'target.uuid_unexpected',
      'body.targetUuid',
      `${type} has no targetUuid (SPEC, "Event catalogue").`,
      { expected: 'none', actual: told(targetUuid) },
    )
  }
  if (target.id === null && hasId) {
    departures.add(
      'target.id_unexpected',
      'body.targetId',
      `${type} has no targetId (SPEC, "Event catalogue").`,
      { expected: 'none', actual: told(targetId) },
    )
  }
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function wordFor(value: unknown): string {
  return value === undefined ? 'nothing' : value === null ? 'null' : 'an empty text'
}

function told(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : kindWords(value)
}
