import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openBrowser } from '#hosts/node/serve/open-browser.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-browser-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An environment whose program for opening URLs is this shell script. */
function envWith(script: string): NodeJS.ProcessEnv {
  for (const name of ['xdg-open', 'open'])
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { PATH: `${folder}${path.delimiter}/usr/bin${path.delimiter}/bin` }
}

describe.skipIf(process.platform === 'win32')("the system's browser", () => {
  it('is opened when the program exits with 0', async () => {
    expect(await openBrowser('https://a.invalid/', { env: envWith('exit 0') })).toBe(true)
  })

  it('is opened when the program keeps running', async () => {
    const env = envWith('exec sleep 1')
    expect(await openBrowser('https://a.invalid/', { env, failureMs: 20 })).toBe(true)
  })

  it('is not opened when the program fails', async () => {
    expect(await openBrowser('https://a.invalid/', { env: envWith('exit 3') })).toBe(false)
  })

  it('is not opened when there is no such program', async () => {
    expect(await openBrowser('https://a.invalid/', { env: { PATH: '/nowhere' } })).toBe(false)
  })
})
