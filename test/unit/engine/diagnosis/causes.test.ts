import { describe, expect, it } from 'vitest'
import { Diagnosis } from '#contract/deliveries.ts'
import { diagnose } from '#engine/diagnosis/diagnose.ts'
import { causeNames } from '#catalogue/signature-causes.ts'
import { defaultLimits, TimeBudget } from '#engine/diagnosis/time-budget.ts'
import { bodyCases } from './body-cases.ts'
import { factCases } from './fact-cases.ts'
import { inputOf, previousSecret, secret, type Case, type Given } from './given.ts'
import { reportCases } from './report-cases.ts'
import { schemeCases } from './scheme-cases.ts'
import { secretCases } from './secret-cases.ts'
import { valueCases } from './value-cases.ts'

const facts = new Set(factCases.flatMap(({ codes }) => codes))
const computed = [...secretCases, ...valueCases, ...bodyCases, ...schemeCases, ...reportCases]

function matching({ causes }: Diagnosis): string[] {
  return causes.filter(({ outcome }) => outcome === 'matches').map(({ code }) => code)
}

/** Some 1,000 signatures: what is nearly a cause has none, and the search would go on for seconds. */
const limits = { ...defaultLimits, ms: Infinity, bytes: 128 * 1024 }

/** Enough for every match of a case. */
const found = { ...limits, bytes: 4 * 1024 * 1024 }

const nearly = async (given: Given): Promise<Diagnosis> =>
  diagnose(inputOf(given), new TimeBudget(limits))

/** A candidate that matches nothing. */
const candidate = 'gV5~Tr0qq-55'
const secrets = [secret, previousSecret, 'bR7#kkZq1-99', 'aC2%Lw88xZ-77', candidate]

/** The diagnosis of a case, once it fits the contract and contains no six characters of any secret. */
async function diagnosed(given: Given, within = found): Promise<Diagnosis> {
  const diagnosis = Diagnosis.parse(await diagnose(inputOf(given), new TimeBudget(within)))
  // Every diagnosis mentions that the prefix “whsec_” was tried.
  const text = JSON.stringify(diagnosis).replaceAll('whsec_', '')
  for (const one of [...secrets, given.keyring?.current ?? secret]) {
    const parts = Array.from({ length: one.length - 5 }, (_, at) => one.slice(at, at + 6))
    expect(parts.filter((part) => text.includes(part))).toEqual([])
  }
  return diagnosis
}

describe.each([
  ['secrets', secretCases],
  ['values', valueCases],
  ['bodies', bodyCases],
  ['schemes', schemeCases],
  ['reports', reportCases],
] as const)('%s', (_, cases: readonly Case[]) => {
  it.each(cases.map((one) => [one.codes.join(' + '), one.name, one] as const))(
    '%s: %s',
    async (_codes, _name, { codes, given, says }) => {
      const diagnosis = await diagnosed(given)
      const found = matching(diagnosis).filter((code) => !facts.has(code))
      expect(found.toSorted()).toEqual([...codes].toSorted())
      expect(diagnosis.conclusion).toMatch(/Found/)
      expect(diagnosis.exhaustive).toBe(true)
      // Matches come first.
      const first = diagnosis.causes.slice(0, matching(diagnosis).length)
      expect(first.every(({ outcome }) => outcome === 'matches')).toBe(true)
      if (says !== undefined)
        expect(diagnosis.causes.find(({ code }) => code === codes[0])?.detail).toContain(says)
    },
  )

  it.each(cases.map((one) => [one.codes[0] ?? '', one.name, one] as const))(
    'not %s: nearly %s',
    async (code, _name, { near }) => {
      expect(matching(await nearly(near))).not.toContain(code)
    },
  )
})

describe('facts', () => {
  it.each(factCases.map((one) => [one.codes[0] ?? '', one.name, one] as const))(
    '%s: %s',
    async (code, _name, { given, says }) => {
      // Facts need no search.
      const diagnosis = await diagnosed(given, limits)
      const cause = diagnosis.causes.find((each) => each.code === code)
      expect(cause?.outcome).toBe('matches')
      if (says !== undefined) expect(cause?.detail).toContain(says)
    },
  )

  it.each(factCases.map((one) => [one.codes[0] ?? '', one.name, one] as const))(
    'not %s: nearly %s',
    async (code, _name, { near }) => {
      const cause = (await nearly(near)).causes.find((each) => each.code === code)
      expect(cause?.outcome).toBe('ruled_out')
    },
  )
})

it('has no part of a candidate', async () => {
  await diagnosed({ candidate })
})

it('has a case for every cause, and no others', () => {
  const cased = [...computed, ...factCases].flatMap(({ codes }) => codes)
  // Those of valid signatures are tested in diagnose.test.ts, and those of responses in response-causes.test.ts.
  const valid = ['encoding.upper_case', 'handler.serialized', 'body.cut']
  expect([...new Set([...cased, ...valid])].toSorted()).toEqual(
    causeNames
      .map(({ code }) => code)
      .filter((code) => !code.startsWith('response.'))
      .toSorted(),
  )
})
