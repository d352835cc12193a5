import { describe, it } from 'vitest'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { runtimeOf } from '../raw-body-checks/runtimes.ts'
import { expectGradeA, writeProject } from './project.ts'

describe.concurrent('a generated handler passes every case', () => {
  for (const check of rawBodyChecks) {
    const runtime = runtimeOf(check)
    const run = runtime.missing === null ? it : it.skip
    const why = runtime.missing === null ? '' : ` (skipped: ${runtime.missing})`
    run(`${check.label}${why}`, async () => {
      const folder = tempFolder()
      await writeProject(check.id, folder)
      await expectGradeA(folder, runtime)
    })
  }
})
