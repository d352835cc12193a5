import { it } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { runtimeOf } from '../raw-body-checks/runtimes.ts'
import { expectGradeA, writeProject } from './project.ts'

it.concurrent.each(['express', 'flask'])(
  'generates a handler for %s that passes every case of a rehearsal',
  async (id) => {
    const folder = tempFolder()
    await writeProject(id, folder)
    await expectGradeA(folder, runtimeOf({ id }))
  },
)
