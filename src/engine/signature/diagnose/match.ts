import type { DiagnosisCause } from '#contract/deliveries.ts'
import { schemeCauses } from './causes/schemes.ts'
import { truncated } from './causes/value-writing.ts'
import type { Key, Message, Reading } from './subject.ts'
import type { Sum } from './sum.ts'

/** With this, a signature that came is right. */
export interface Match {
  /** Everything that departs from the document; the fewest of all matches. Empty: nothing does. */
  readonly codes: readonly string[]
  /** What it is, as a sentence. */
  readonly sentence: string
  /** Who has to mend the secret, where that shows. */
  readonly where: DiagnosisCause['where'] | null
}

interface Agreed {
  readonly key: Key
  readonly message: Message
  readonly sum: Sum
  readonly reading: Reading
  readonly agrees: 'whole' | 'beginning'
  /** The name of the header that should carry the signature. */
  readonly headerName: string
}

/** Longest name of a header that an answer repeats, in characters. */
const longest = 80

const impliedBy = new Map(schemeCauses.map(({ code, implies }) => [code, implies]))

/** What agreed, told without what follows from the scheme that it is. */
export function matchOf({ key, message, sum, reading, agrees, headerName }: Agreed): Match {
  const beginning = agrees === 'beginning'
  const all = [
    ...key.codes,
    ...message.codes,
    ...sum.codes,
    ...reading.codes,
    ...(beginning ? [truncated.code] : []),
  ]
  const implied = all.flatMap((code) => impliedBy.get(code) ?? [])
  const name = reading.header ?? headerName
  const came = `What came in ${name.length > longest ? `${name.slice(0, longest)}…` : name}`
  const part = beginning ? ' the beginning of' : ''
  const under = sum.keyed ? ` under ${key.words}` : ''
  return {
    codes: [...new Set(all)].filter((code) => !implied.includes(code)),
    sentence: `${came} is${part} ${sum.words} of ${message.words}${under}, ${reading.words}.`,
    where: key.where ?? null,
  }
}
