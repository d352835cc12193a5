import { type GenerateOutput, generateOutputs } from '#contract/constants.ts'

/** What a URL of the page generates. */
export interface GeneratePlace {
  readonly output: GenerateOutput
  /** ID of a language or framework; empty: the first one. */
  readonly target: string
  /** Filter of deliveries; null: the documentation alone. */
  readonly observed: string | null
}

/** `#/handler/generate?output=handler&target=express&observed=verdict%3Avalid` */
export function generatePlaceOf(hash: string): GeneratePlace {
  const given = new URLSearchParams(hash.split('?')[1] ?? '')
  return {
    output: generateOutputs.find((name) => name === given.get('output')) ?? 'types',
    target: given.get('target')?.slice(0, 40) ?? '',
    observed: given.get('observed')?.slice(0, 4000) ?? null,
  }
}

export function generateAddress({ output, target, observed }: GeneratePlace): string {
  const query = new URLSearchParams({
    output,
    ...(target !== '' && { target }),
    ...(observed !== null && { observed }),
  })
  return `#/handler/generate?${query}`
}
