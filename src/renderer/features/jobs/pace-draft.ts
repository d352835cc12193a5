import type { JobPace } from '#contract/sending.ts'

/** How fast they go out, as it is being written. */
export interface PaceDraft {
  readonly how: JobPace['how']
  readonly stopOnFailure: boolean
  readonly perSecond: string
  readonly speed: string
  /** In seconds. */
  readonly longestGap: string
  readonly width: string
}

export const plainPace: PaceDraft = {
  how: 'one_by_one',
  stopOnFailure: false,
  perSecond: '10',
  speed: '1',
  longestGap: '60',
  width: '8',
}

export type PaceFaults = Partial<Record<'perSecond' | 'speed' | 'longestGap' | 'width', string>>

/** Why it cannot be taken so. Only what the chosen pace needs is looked at. */
export function paceFaults(draft: PaceDraft): PaceFaults {
  switch (draft.how) {
    case 'one_by_one':
      return {}
    case 'rate':
      return within(draft.perSecond, 0.1, 1000) ? {} : { perSecond: 'From 0.1 to 1,000.' }
    case 'spacing':
      return {
        ...(within(draft.speed, 0.01, 1000) ? {} : { speed: 'From 0.01 to 1,000.' }),
        ...(within(draft.longestGap, 0, 86_400)
          ? {}
          : { longestGap: 'From 0 to 86,400 seconds, a day.' }),
      }
    case 'at_once':
      return within(draft.width, 1, 64) && Number.isInteger(numberOf(draft.width))
        ? {}
        : { width: 'A whole number from 1 to 64.' }
  }
}

/** The pace as the engine takes it. Only of a draft without a fault. */
export function paceOf(draft: PaceDraft): JobPace {
  switch (draft.how) {
    case 'one_by_one':
      return { how: 'one_by_one', stopOnFailure: draft.stopOnFailure }
    case 'rate':
      return { how: 'rate', perSecond: numberOf(draft.perSecond) }
    case 'spacing':
      return {
        how: 'spacing',
        speed: numberOf(draft.speed),
        longestGap: Math.round(numberOf(draft.longestGap) * 1000),
      }
    case 'at_once':
      return { how: 'at_once', width: numberOf(draft.width) }
  }
}

function within(text: string, least: number, most: number): boolean {
  const value = numberOf(text)
  return value >= least && value <= most
}

/** NaN: it is none. A comma is a decimal point as well. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'))
}
