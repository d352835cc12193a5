import { expect, test } from 'vitest'
import { unreadable } from '#hosts/node/command-line/input-file.ts'
import { withoutFullStop } from '#hosts/node/output/text.ts'

test('removes only the final full stop of a sentence', () => {
  expect(withoutFullStop('Nothing listens at 127.0.0.1:1.')).toBe('Nothing listens at 127.0.0.1:1')
  expect(withoutFullStop('no answer')).toBe('no answer')
})

test.for([
  ['ENOENT', 'File a.json does not exist. Check the path.'],
  ['EISDIR', 'a.json is a folder. Specify a file.'],
  ['EACCES', 'No permission to read a.json. Check its permissions.'],
  [
    'EIO',
    'Could not read a.json. The disk reported an error. Check that it is connected and works.',
  ],
] as const)('%s: %s', ([code, words]) => {
  expect(
    unreadable('file_failed', 'a.json', Object.assign(new Error('of the system'), { code })),
  ).toMatchObject({ code: 'file_failed', message: words })
})
