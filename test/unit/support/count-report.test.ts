import { describe, expect, it } from 'vitest'
import { countReport } from '../../support/count-report.mjs'

function report(...files: unknown[]): string {
  return JSON.stringify({ testResults: files })
}

const passed = { status: 'passed', fullName: 'adds', failureMessages: [] }
const failed = { status: 'failed', fullName: 'subtracts', failureMessages: ['1 is not 2'] }
const pending = { status: 'pending', fullName: 'divides', failureMessages: [] }

describe('counting a test run', () => {
  it('counts each test once, by its result', () => {
    const file = {
      name: 'a',
      status: 'failed',
      message: '',
      assertionResults: [passed, failed, pending],
    }
    expect(countReport(1, report(file))).toMatchObject({ passed: 1, failed: 1, skipped: 1 })
  })

  it('names what failed and why', () => {
    const file = { name: 'a', status: 'failed', message: '', assertionResults: [failed] }
    expect(countReport(1, report(file)).failures).toEqual(['subtracts\n    1 is not 2'])
  })

  it('names the project of the test', () => {
    const file = { status: 'failed', message: '', assertionResults: [failed] }
    for (const name of [
      '/home/test/x/test/unit/a/b.test.ts',
      String.raw`C:\x\test\unit\b.test.ts`,
    ]) {
      const { failures } = countReport(1, report({ ...file, name }))
      expect(failures).toEqual(['unit: subtracts\n    1 is not 2'])
    }
  })

  it('counts a file that could not be loaded as a failure', () => {
    const file = { name: 'a', status: 'failed', message: 'no such module', assertionResults: [] }
    expect(countReport(1, report(file))).toMatchObject({ passed: 0, failed: 1 })
  })

  it('counts an error outside any test as a failure', () => {
    const file = { name: 'a', status: 'passed', message: '', assertionResults: [passed] }
    expect(countReport(1, report(file))).toMatchObject({ passed: 1, failed: 1 })
  })

  it('counts a run that died before its report as a failure', () => {
    expect(countReport(134, undefined)).toMatchObject({ passed: 0, failed: 1 })
  })

  it('lets an empty project pass', () => {
    expect(countReport(0, undefined)).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [] })
  })
})
