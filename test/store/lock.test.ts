import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lockFolder } from '#engine/platform/store/lock.ts'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { refusal } from '#test/support/refusal.ts'

it('reports what to do when its own file is damaged', () => {
  const folder = tempFolder()
  writeFileSync(path.join(folder, 'lock.db'), 'nothing that SQLite wrote. '.repeat(100))
  const error = refusal(() => lockFolder(folder).release())
  expect(error.code).toBe('store_failed')
  expect(error.message).toContain(`${path.join(folder, 'lock.db')} is damaged.`)
})

it('is held by one process, which reports its address, until it is released', () => {
  const folder = path.join(tempFolder(), 'made', 'on', 'demand')
  const lock = lockFolder(folder)
  expect(readHolder(folder)).toEqual({ pid: process.pid, listener: null, control: null })
  lock.announce('http://127.0.0.1:4780')
  const listener = 'http://127.0.0.1:4780'
  expect(readHolder(folder)).toEqual({ pid: process.pid, listener, control: null })
  const control = { path: '/somewhere/control.sock', token: 'a token', program: 'listen' }
  lock.announceControl(control)
  expect(readHolder(folder)).toEqual({ pid: process.pid, listener, control })
  const error = refusal(() => lockFolder(folder).release())
  expect(error.code).toBe('store_in_use')
  expect(error.message).toContain(`process ${process.pid}`)
  expect(error.message).toContain(folder)
  // The refused process does not change the holder's announcement.
  expect(readHolder(folder)?.listener).toBe('http://127.0.0.1:4780')
  lock.release()
  expect(existsSync(path.join(folder, 'running.json'))).toBe(false)
  lockFolder(folder).release()
})

it('is released when the process that holds it is killed', async () => {
  const folder = tempFolder()
  const script = path.join(import.meta.dirname, 'hold-lock.mjs')
  const holder = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  expect(refusal(() => lockFolder(folder).release()).message).toContain(`process ${holder.pid}`)
  const gone = once(holder, 'exit')
  holder.kill('SIGKILL')
  await gone
  // The announcement is stale now: the lock decides.
  expect(readHolder(folder)?.pid).toBe(holder.pid)
  const lock = lockFolder(folder)
  expect(readHolder(folder)?.pid).toBe(process.pid)
  lock.release()
})

it('stays locked while its address cannot be written, and writes it as soon as possible', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = tempFolder()
  const troubles: string[] = []
  const lock = lockFolder(folder, (reason) => troubles.push(reason))
  onTestFinished(() => lock.release())
  // A folder that is not empty cannot be replaced by a file.
  const word = path.join(folder, 'running.json')
  rmSync(word)
  mkdirSync(path.join(word, 'held'), { recursive: true })
  lock.announce('http://127.0.0.1:4780')
  lock.announce(null)
  lock.announce('http://127.0.0.1:4781')
  vi.advanceTimersByTime(3000)
  expect(troubles).toHaveLength(1)
  rmSync(word, { recursive: true })
  vi.advanceTimersByTime(1000)
  expect(readHolder(folder)?.listener).toBe('http://127.0.0.1:4781')
})

it.skipIf(process.platform === 'win32')(
  'writes nothing into a folder that replaced its own',
  () => {
    const folder = path.join(tempFolder(), 'data')
    const lock = lockFolder(folder)
    rmSync(folder, { recursive: true })
    const other = lockFolder(folder)
    other.announce('http://127.0.0.1:4780')
    lock.announce('http://127.0.0.1:4781')
    lock.release()
    expect(readHolder(folder)?.listener).toBe('http://127.0.0.1:4780')
    other.release()
  },
)
