import { it } from 'vitest'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { runtimeOf } from '../raw-body-checks/runtimes.ts'
import { expectGradeA, writeProject } from './project.ts'

it.concurrent.each(['express', 'flask'])(
  'generates a handler for %s that passes every case of a rehearsal',
  async (id) => {
    await using folder = ownedFolder()
    await writeProject(id, folder.path)
    await expectGradeA(folder.path, runtimeOf({ id }))
  },
)
