import { describe, expect, it } from 'vitest'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { startPublished } from '#test/support/rehearsal/published.ts'
import { rehearse } from '#test/support/rehearsal/rehearse.ts'
import { runtimeOf } from '../raw-body-checks/runtimes.ts'

describe.concurrent('the published code passes every case', () => {
  for (const check of rawBodyChecks) {
    const runtime = runtimeOf(check)
    const run = runtime.missing === null ? it : it.skip
    const why = runtime.missing === null ? '' : ` (skipped: ${runtime.missing})`
    run(`${check.label}${why}`, async () => {
      await using handler = await startPublished(check, runtime)
      const { noticed, problem, grade, results } = await rehearse(handler.url, handler.readEffects)
      const reasons = results.map(({ id, reason }) => (reason === null ? '' : `${id} ${reason}`))
      const explained = [...reasons, handler.output().slice(-2000)].filter(Boolean).join('\n')
      expect(problem, explained).toBe(null)
      const unexpected = noticed.filter((each) => !runtime.fails?.includes(each))
      expect(unexpected, explained).toEqual([])
      expect(results.map(({ id }) => id)).toEqual(rehearsalCases.map(({ id }) => id))
      const passed = results.filter(({ result }) => result === 'pass')
      expect(passed).toHaveLength(rehearsalCases.length - noticed.length)
      if (!runtime.fails) expect(grade).toEqual({ grade: 'A', cappedBy: null })
    })
  }
})
