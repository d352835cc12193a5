import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { socketLocation } from '#hosts/control/server.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

it('is in the data folder under a name of its own if the path fits, and deletes a leftover of a crash', () => {
  const folder = tempFolder()
  const stale = path.join(folder, 'control-1.sock')
  writeFileSync(stale, '')
  const place = socketLocation(folder, 'linux')
  expect(place.path).toBe(path.join(folder, `control-${process.pid}.sock`))
  expect(() => statSync(stale)).toThrow('ENOENT')
})

it('counts bytes, not characters', () => {
  const folder = path.join(tempFolder(), 'ü'.repeat(40))
  const place = socketLocation(folder, 'linux')
  expect(path.dirname(place.path)).not.toBe(folder)
  expect(statSync(path.dirname(place.path)).mode & 0o777).toBe(0o700)
  place.remove()
  expect(() => statSync(path.dirname(place.path))).toThrow('ENOENT')
})

it('is a pipe with a random name on Windows', () => {
  const [one, two] = [socketLocation('C:\\data', 'win32'), socketLocation('C:\\data', 'win32')]
  expect(one.path).toMatch(/^\\\\\.\\pipe\\tabscope-[0-9a-f]{32}$/)
  expect(one.path).not.toBe(two.path)
})
