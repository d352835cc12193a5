import { proxyTraces } from '#catalogue/headers.ts'
import { causeName, describeMatch, fixOf, handlerFix } from '#catalogue/signature-causes.ts'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { DiagnosisCause, DiagnosisEvidence } from '#contract/deliveries.ts'
import type { Cause } from '#contract/models.ts'
import { compareJson, firstDifference, type Difference } from './json/compare.ts'
import { producersOf } from './json/libraries.ts'
import { signed, type Match } from './search.ts'
import type { CauseValues, Subject } from './subject.ts'
import type { TimeBudget } from './time-budget.ts'

export interface Named {
  readonly causes: readonly DiagnosisCause[]
  /** How the value was computed. */
  readonly sentence: string
  /** Libraries that write what was signed, the most common first. */
  readonly producers: readonly string[]
  /** Where the signed and the received bytes first differ; null: nowhere, or they are too large to compare. */
  readonly difference: DiagnosisEvidence | null
}

const maxNameLength = 80
const maxProducers = 3
const maxProduced = 256 * 1024
const maxCompared = 1024 * 1024

/** Who computed the value: the sender of the header, or the user's handler, whose digest was entered. */
export type Signer = 'sender' | 'handler'

/** Names the causes of a match, each once, with what shows it. */
export async function nameMatch(
  subject: Subject,
  match: Match,
  signer: Signer,
  budget: TimeBudget,
): Promise<Named> {
  // The rest is for a text that was already found.
  budget.upTo(Infinity)
  const { base, text, change, key } = match
  const differences = text === null ? [] : await compareJson(base.text, text, base.utf8, budget)
  const producers = text === null ? [] : await producersFor(match, text, budget)
  const isSender = signer === 'sender' && text !== null
  const proxy = isSender ? proxyTraces(subject.captured.headers) : ''
  const values = {
    ...valuesOf(subject, match, differences, producers),
    ...(signer === 'handler' && { signer }),
    ...(proxy !== '' && { proxy }),
  }
  const explained = producers.length > 0 && proxy === ''
  const causes = codesOf(match, differences).map((code): DiagnosisCause => {
    const evidence = differences.find((each) => each.code === code) ?? null
    const name = causeName(code)
    const isText = evidence !== null
    return {
      code,
      title: evidence && signer === 'handler' ? `Computed ${evidence.words}` : name.title,
      outcome: 'matches',
      detail: evidence
        ? `${describeDifference(evidence, signer)}${proxy === '' ? '' : ' Or it was changed in between.'}`
        : describeMatch(values),
      fix:
        signer === 'handler' && !key?.codes.includes(code) ? handlerFix(code) : fixOf(code, values),
      where:
        signer === 'handler'
          ? 'handler'
          : (whereOf(code, { key, isText, explained }) ?? name.where),
      values,
    }
  })
  const bytes = Buffer.concat([...signed(messageOf(match), change, null)])
  const sentence = describeMatch(values)
  return { causes, sentence, producers, difference: differenceOf(subject, bytes) }
}

function messageOf({ base, text }: Match): Buffer {
  return text === null ? base.bytes : Buffer.from(text, base.utf8 ? 'utf8' : 'latin1')
}

function whereOf(
  code: CauseCode,
  {
    key,
    isText,
    explained,
  }: Pick<Match, 'key'> & { readonly isText: boolean; readonly explained: boolean },
): Cause['where'] | null {
  if (key?.codes.includes(code)) return key.where
  return isText && explained ? 'sender' : null
}

function codesOf(match: Match, differences: readonly Difference[]): CauseCode[] {
  const { base, change, scheme, key, sum, reading, isPrefix } = match
  const codes = [
    ...(key?.codes ?? []),
    ...base.codes,
    ...differences.map(({ code }) => code),
    ...(change ? [change.code] : []),
    ...(scheme ? [scheme.code] : []),
    ...(sum.code ? [sum.code] : []),
    ...reading.codes,
    ...(isPrefix ? ['encoding.truncated' as const] : []),
  ]
  const isGitHub = reading.header?.toLowerCase() === 'x-hub-signature-256'
  const implied: readonly CauseCode[] = isGitHub
    ? ['header.other_name', 'encoding.prefix', 'encoding.name']
    : (scheme?.implies ?? [])
  const own = [...new Set(codes)].filter((code) => !implied.includes(code))
  return isGitHub ? ['scheme.github', ...own] : own
}

function valuesOf(
  { headerName }: Subject,
  { base, text, change, scheme, key, sum, reading, isPrefix }: Match,
  differences: readonly Difference[],
  producers: readonly string[],
): CauseValues {
  const header = reading.header ?? headerName
  const json = differences.map(({ words }) => words).join(', ')
  const body =
    text === null ? base.words : `the JSON of ${base.words}${json === '' ? '' : `, ${json}`}`
  const changed = change ? `${body}${text === null ? '' : ','} ${change.words}` : body
  return {
    header: header.length > maxNameLength ? `${header.slice(0, maxNameLength)}…` : header,
    ...(isPrefix ? { part: 'the beginning' } : {}),
    sum: sum.words,
    message: scheme
      ? `${scheme.words}${changed === 'the body as received' ? '' : `, with ${changed}`}`
      : changed,
    ...(sum.keyed && key ? { key: key.words } : {}),
    encoding: reading.words,
    ...(producers.length > 0 ? { producers: listed(producers, 'or') } : {}),
  }
}

export function listed(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1) ?? ''}`
}

async function producersFor(
  { base, change, library }: Match,
  text: string,
  budget: TimeBudget,
): Promise<string[]> {
  if (!base.utf8) return []
  if (text.length > maxProduced) return library ? [library.name] : []
  const ends = change?.code === 'body.newline' ? [`${text}\n`, text] : [text]
  for (const each of ends) {
    const found = await producersOf(each, base.text, budget)
    const names = found.map(({ name }) => name)
    // An option is only named if the library without it writes something else.
    const plain = names.filter(
      (name) => !names.some((other) => other !== name && name.startsWith(other)),
    )
    if (plain.length > maxProducers + 1) {
      return [...plain.slice(0, maxProducers), `${plain.length - maxProducers} more`]
    }
    if (plain.length > 0) return plain
  }
  return []
}

function describeDifference(
  { code: cause, path, received, signed: other, places }: Difference,
  signer: Signer,
): string {
  if (cause === 'body.sorted') {
    const where = path === '' ? '' : ` of ${path}`
    const [first, second] =
      signer === 'handler'
        ? ['in the JSON that your handler used', 'in the received body']
        : ['where it was signed', 'where it was sent']
    return `The first key${where} that differs is ${code(other)} ${first}, and ${code(received)} ${second}.`
  }
  if (signer === 'handler') return describeHandler({ path, received, signed: other, places })
  const at = path === '' ? '' : ` for ${path}`
  const more = places > 1 ? ` This differs in ${places} places.` : ''
  if (other === '')
    return `The sender signed the JSON without ${path}, but sent ${path} as ${code(received)}.${more}`
  if (received === '')
    return `The sender signed ${code(other)}${at}, but did not send this member.${more}`
  return `The sender signed ${code(other)}${at}, but sent ${code(received)}.${more}`
}

function describeHandler({
  path,
  received,
  signed: other,
  places,
}: Omit<Difference, 'code' | 'words'>): string {
  const at = path === '' ? '' : ` for ${path}`
  const more = places > 1 ? ` This differs in ${places} places.` : ''
  const used = other === '' ? `without ${path}` : `with ${code(other)}${at}`
  const got = received === '' ? 'does not have it' : `has ${code(received)}`
  return `Your handler used the JSON ${used}; the received body ${got}.${more}`
}

function code(text: string): string {
  return `\`${text}\``
}

function differenceOf({ captured }: Subject, bytes: Buffer): DiagnosisEvidence | null {
  const received = Buffer.from(captured.body)
  if (Math.max(bytes.byteLength, received.byteLength) > maxCompared || bytes.equals(received)) {
    return null
  }
  const offset = firstDifference(received.toString('latin1'), bytes.toString('latin1'))
  return { offset, received: snippetOf(received, offset), signed: snippetOf(bytes, offset) }
}

function snippetOf(bytes: Buffer, at: number): string {
  const from = Math.max(0, at - 12)
  const part = bytes.subarray(from, at + 24).toString('utf8')
  return `${from > 0 ? '…' : ''}${part}${at + 24 < bytes.byteLength ? '…' : ''}`
}
