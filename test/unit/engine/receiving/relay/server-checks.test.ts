import { expect, test } from 'vitest'
import {
  payloadProblem,
  syncProblem,
  versionProblem,
} from '#engine/receiving/relay/server-checks.ts'

const ofVersion = (version: string): string | null => versionProblem({ version })

test.for(['2.10.23', '2.10.27', '2.11.0', '2.12.1-RC.2', '3.0.0', '2.10.23-beta.1'])(
  '%s is accepted',
  (version) => expect(ofVersion(version)).toBe(null),
)

test.for(['2.9.10', '2.10.22', '1.4.1', '2.10', '', 'devel'])('%s is refused', (version) =>
  expect(ofVersion(version)).toContain('Update it to 2.10.23 or later.'),
)

test('a group with its headers must fit into a message', () => {
  expect(payloadProblem({ version: '', max_payload: 1_000_000 })).toBe(null)
  expect(payloadProblem({ version: '', max_payload: 524_288 })).toContain('max_payload: 1MB')
})

test('a monitoring address with a password is not asked, and not shown', async () => {
  const { problem, unknown } = await syncProblem('http://ann:hunter2@127.0.0.1:1')
  expect(problem).toContain('user name or password. Remove it')
  expect(problem).not.toContain('hunter2')
  expect(unknown).toBe(true)
})
