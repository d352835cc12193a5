import { expect, test } from 'vitest'
import { unreadable } from '#hosts/node/given-file.ts'
import { unstopped } from '#hosts/node/text.ts'

test('a sentence goes on without its full stop, and keeps the others', () => {
  expect(unstopped('Nothing listens at 127.0.0.1:1.')).toBe('Nothing listens at 127.0.0.1:1')
  expect(unstopped('no answer')).toBe('no answer')
})

test.for([
  ['ENOENT', 'There is no file a.json. Check its name.'],
  ['EISDIR', 'a.json is a folder. Name a file in it.'],
  ['EACCES', 'a.json may not be read. Look at its rights.'],
  ['EIO', 'a.json cannot be read (EIO). Check its name.'],
] as const)('%s: %s', ([code, words]) => {
  expect(
    unreadable('file_failed', 'a.json', Object.assign(new Error('of the system'), { code })),
  ).toMatchObject({
    code: 'file_failed',
    message: words,
  })
})
