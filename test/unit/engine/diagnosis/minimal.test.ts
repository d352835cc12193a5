import { expect, it } from 'vitest'
import { readingsOf } from '#engine/diagnosis/readings.ts'
import { search, signed, type Match } from '#engine/diagnosis/search.ts'
import { computeAll, right } from '#engine/diagnosis/sums.ts'
import { defaultLimits, TimeBudget } from '#engine/diagnosis/time-budget.ts'
import { bodyCases } from './body-cases.ts'
import { inputOf, secret } from './given.ts'
import { reportCases } from './report-cases.ts'
import { schemeCases } from './scheme-cases.ts'
import { secretCases } from './secret-cases.ts'
import { valueCases } from './value-cases.ts'

const limits = { ...defaultLimits, ms: Infinity, bytes: 4 * 1024 * 1024 }

async function digestOf(match: Match, own: string): Promise<string> {
  const { base, text, change, scheme, sum, key } = match
  const bytes = text === null ? base.bytes : Buffer.from(text, base.utf8 ? 'utf8' : 'latin1')
  const pieces = signed(bytes, change, scheme)
  const keys = [key?.bytes ?? Buffer.from(own)]
  const digests = await computeAll(sum, keys, pieces, new TimeBudget())
  return digests?.[0]?.toString('hex') ?? ''
}

/** The match without one of its changes. */
function resets(match: Match): Match[] {
  return [
    ...(match.text === null ? [] : [{ ...match, text: null }]),
    ...(match.change === null ? [] : [{ ...match, change: null }]),
    ...(match.scheme === null ? [] : [{ ...match, scheme: null }]),
    ...(match.sum === right ? [] : [{ ...match, sum: right }]),
    ...(match.key && match.key.codes.length > 0 ? [{ ...match, key: null }] : []),
  ]
}

const all = [...bodyCases, ...reportCases, ...schemeCases, ...secretCases, ...valueCases]
const cases = all.filter(({ given }) => given.candidate === undefined)

it.each(cases.map((one) => [one.codes.join(' + '), one.name, one] as const))(
  'needs each part of %s: %s',
  async (_codes, _name, { given }) => {
    const { captured, keyring } = inputOf(given)
    const received = captured.headers
      .filter(([name]) => /signature|hmac/i.test(name))
      .map(([, value]) => value)
    const own = keyring.current ?? secret
    const { match } = await search(
      {
        captured,
        keyring,
        headerName: 'X-Service-Signature',
        received,
        elsewhere: [],
        readings: readingsOf(received, []),
        own: { words: 'the current secret', secret: own },
      },
      new TimeBudget(limits),
    )
    if (!match) throw new Error('nothing matches')
    const found = Buffer.from(match.reading.digest).toString('hex')
    expect((await digestOf(match, own)).startsWith(found)).toBe(true)
    for (const reset of resets(match))
      expect((await digestOf(reset, own)).startsWith(found)).toBe(false)
  },
)
