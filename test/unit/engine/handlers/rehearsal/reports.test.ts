import { DOMParser } from '@xmldom/xmldom'
import { expect, test } from 'vitest'
import { OAuthOptions, type CaseResult, type Rehearsal } from '#contract/rehearsal.ts'
import {
  gradeText,
  reported,
  reportFormats,
  type ReportInput,
} from '#engine/handlers/rehearsal/report.ts'

const hostile = '<script>alert(1)</script> & "#1" \u0000\u202e ]]> \\ | ` \r\n## x'

const results: CaseResult[] = (['pass', 'fail', 'warn', 'review', 'skipped', 'flaky'] as const).map(
  (result, index) => ({
    id: ['P1', 'S4', 'G1', 'I1', 'T7', 'S1'][index] ?? '',
    level: 'MUST',
    result,
    sent: hostile,
    expected: 'Reject with 4xx',
    received: hostile,
    reason: result === 'pass' ? null : hostile,
    repeat: 'tabscope rehearse --to http://127.0.0.1:3000/ --only S4 --seed 7',
    variants: [],
    durationMs: 12.34,
  }),
)

const rehearsal: Rehearsal = {
  id: 1,
  startedAt: Date.UTC(2026, 10, 23),
  endedAt: Date.UTC(2026, 10, 23, 0, 1),
  state: 'done',
  options: {
    url: 'http://127.0.0.1:3000/?a=1&b=<2>',
    endpointId: null,
    only: [],
    skip: [],
    seed: 7,
    accept: [],
    acknowledgesFirst: false,
    observer: { kind: 'none' },
    load: false,
    requestTimeout: 15_000,
    runTimeout: 600_000,
    secretOption: '',
  },
  hasSecret: true,
  total: 6,
  counts: { pass: 1, fail: 1, warn: 1, review: 1, skipped: 1, flaky: 1 },
  grade: 'F',
  cappedBy: 'S4',
  problem: null,
}

const input: ReportInput = {
  rehearsal,
  results,
  version: '0.1.0',
  framework: null,
}

function write(id: string, changes: Partial<ReportInput> = {}): string {
  const format = reportFormats.find((each) => each.id === id)
  if (!format) throw new Error(`there is no format ${id}`)
  return format.write({ ...input, ...changes })
}

test('JUnit names cases by ID, counts failures, and holds the command that repeats a case', () => {
  const problems: string[] = []
  const parser = new DOMParser({
    errorHandler: (_level: string, message: string) => void problems.push(message),
  })
  const root = parser.parseFromString(write('junit'), 'application/xml').documentElement
  expect(problems).toEqual([])
  const suite = root?.getElementsByTagName('testsuite')[0]
  const attribute = (name: string): string | null | undefined => suite?.getAttribute(name)
  expect(['tests', 'failures', 'errors', 'skipped'].map(attribute)).toEqual(['6', '2', '0', '2'])
  const cases = Array.from(root?.getElementsByTagName('testcase') ?? [])
  expect(cases.map((each) => each.getAttribute('name'))).toEqual(results.map(({ id }) => id))
  expect(cases.map((each) => each.getElementsByTagName('failure').length)).toEqual([
    0, 1, 0, 0, 0, 1,
  ])
  expect(cases.map((each) => each.getElementsByTagName('skipped').length)).toEqual([
    0, 0, 0, 1, 1, 0,
  ])
  const output = cases[1]?.getElementsByTagName('system-out')[0]?.textContent
  expect(output).toContain('Repeat: tabscope rehearse --to http://127.0.0.1:3000/ --only S4')
})

test('a run that could not judge the handler is an error in each format, with its causes', () => {
  const problem = { message: 'It responds to everything.', causes: ['It does not verify.'] }
  const failed = { rehearsal: { ...rehearsal, state: 'failed', problem }, results: [] } as const
  expect(write('junit', failed)).toMatch(
    /tests="1" failures="0" errors="1"[^]+<testcase name="P1"[^]+<error message="It responds to everything\."\/><system-out>- It does not verify\./,
  )
  expect(write('markdown', failed)).toContain(
    'It responds to everything.\n\n- It does not verify.\n',
  )
})

test('failures of an OAuth client have its title, its reason and its fix', () => {
  const [, failure] = results
  if (!failure) throw new Error('no result')
  const oauth = { results: [{ ...failure, id: 'O2', variants: [] }] }
  for (const format of ['junit', 'markdown']) {
    expect(write(format, oauth), format).toContain('Keep the redirect URL in one configuration')
  }
  expect(write('markdown', oauth)).toContain('The service rejects any other spelling')
})

test('fixes are those of the framework', () => {
  expect(write('markdown', { framework: 'rails' })).toContain('SECRET = ENV[')
  expect(write('markdown')).not.toContain('SECRET = ENV[')
})

test('Markdown shows foreign text as text', () => {
  const markdown = write('markdown')
  expect(markdown).toContain('**Grade F, capped by S4**')
  expect(markdown).not.toMatch(/(?<!\\)<script/)
  // Two root causes, and four cases that did not pass.
  expect(markdown.match(/^## /gm)).toHaveLength(6)
})

test('no report contains the query of a URL', () => {
  for (const { id } of reportFormats) expect(write(id), id).not.toContain('a=1')
  const url = 'http://127.0.0.1:3000/login?key=1'
  const oauth = OAuthOptions.parse({ startUrl: url, callUrl: url, redirectUrl: url })
  const options = { ...rehearsal.options, oauth }
  const shown = JSON.stringify(reported({ ...rehearsal, options }))
  expect(shown).not.toMatch(/key=1|a=1/)
  expect(shown.split('http://127.0.0.1:3000/login?…')).toHaveLength(4)
})

test('the text of a grade names what caps it', () => {
  expect(gradeText({ ...rehearsal, grade: null })).toBe('')
  expect(gradeText({ ...rehearsal, cappedBy: null, grade: 'A' })).toBe('Grade A')
  expect(gradeText({ ...rehearsal, cappedBy: 'no-secret', grade: 'C' })).toBe(
    'Grade C, capped by the missing secret',
  )
})
