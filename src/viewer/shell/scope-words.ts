import type { LogScope } from '#contract/event-log.ts'
import { counted } from '#renderer/components/text/numbers.ts'
import { localTime } from '#renderer/components/text/time.ts'

/** Which deliveries were asked for, in words. */
export function scopeWords({ filter, from, to, chosen, traceOf }: LogScope): string {
  const parts = [
    ...(chosen === null ? [] : [`${counted(chosen, 'delivery', 'deliveries')} chosen one by one`]),
    ...(traceOf === null ? [] : [`the trace of #${traceOf}`]),
    ...(filter === '' ? [] : [`the filter ${filter}`]),
    ...(from === null ? [] : [`from ${localTime(from)}`]),
    ...(to === null ? [] : [`before ${localTime(to)}`]),
  ]
  return parts.length === 0 ? 'all deliveries' : parts.join(', ')
}
