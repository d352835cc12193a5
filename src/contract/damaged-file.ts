import { plural } from '#shared/text/format.ts'
import type { DamagedFile } from './models.ts'

/** `time`: formats a time in milliseconds since 1970. */
export function describeDamage(
  { content, kept, lost, copiedAt }: DamagedFile,
  time: (at: number) => string = (at) => new Date(at).toISOString(),
): string {
  if (content === 'configuration') {
    return copiedAt === null
      ? 'The configuration was damaged. Everything readable was kept: check your endpoints and secrets.'
      : `The configuration was damaged, and replaced by its copy of ${time(copiedAt)}.`
  }
  const were = plural(kept ?? 0, 'delivery was', 'deliveries were')
  const missing = lost === null ? 'an unknown number was lost' : `${lost} lost`
  return `The stored deliveries were damaged: ${were} kept, ${missing}.`
}
