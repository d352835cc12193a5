import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { logFilesOf } from '#hosts/data-dir.ts'

it('is registered only for our own extension, and reads such files', () => {
  const settings = readFileSync(
    new URL('../../../../electron-builder.yml', import.meta.url),
    'utf8',
  )
  const claimed = [...settings.matchAll(/\bext: *(.*)$/gm)].map(([, ext]) => ext)
  // Once for each system.
  expect(claimed).toEqual(['tabscope', 'tabscope', 'tabscope'])
  expect(logFilesOf(['/a.tabscope'], '/')).toHaveLength(1)
})
