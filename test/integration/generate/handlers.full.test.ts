import { describe, it } from 'vitest'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { runtimeOf } from '../raw-body-checks/runtimes.ts'
import { expectGradeA, writeProject } from './project.ts'

describe.concurrent('a generated handler passes every case', () => {
  for (const check of rawBodyChecks) {
    const runtime = runtimeOf(check)
    const run = runtime.missing === null ? it : it.skip
    const why = runtime.missing === null ? '' : ` (skipped: ${runtime.missing})`
    run(`${check.label}${why}`, async () => {
      await using folder = ownedFolder()
      await writeProject(check.id, folder.path)
      await expectGradeA(folder.path, runtime)
    })
  }
})
