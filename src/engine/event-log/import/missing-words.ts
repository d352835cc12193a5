import type { EventLog } from '#contract/logs.ts'

/** What is to be known of all of a log, as sentences, the weightiest first. `announced`: by its end, or where that is missing by its head. */
export function missingWords(
  state: EventLog['state'],
  announced: number,
  deliveries: number,
): string[] {
  const missing = announced - deliveries
  const counted = `${announced} ${announced === 1 ? 'delivery' : 'deliveries'}`
  if (state === 'cut_off') {
    const rest =
      missing > 0
        ? `Of ${counted} that its head announces, ${missing} ${missing === 1 ? 'is' : 'are'} missing.`
        : `All ${counted} that its head announces are there.`
    return [`The file ends without its last line: it was cut off. ${rest}`]
  }
  return [
    ...(state === 'changed'
      ? ['The file was changed after it was written: its SHA-256 is not the one in its last line.']
      : []),
    ...(missing === 0
      ? []
      : [
          `The file should hold ${counted}, and ${deliveries} ${deliveries === 1 ? 'is' : 'are'} here.`,
        ]),
  ]
}
