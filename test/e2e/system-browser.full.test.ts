import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { openService } from '#sandbox/service/service.ts'
import { freePort } from '#test/support/free-port.ts'
import { browserOptions } from '../support/browser.ts'
import { jsonLines, runCli, spawnCli } from '../support/run-cli.ts'
import { ownedFolder } from '../support/temp-folder.ts'

// `xdg-open` exists only on Linux. On other systems the command that opens an address cannot be replaced.
it.runIf(process.platform === 'linux')(
  'completes the flow in a real Chromium that the system opens as its browser',
  async () => {
    await using folder = ownedFolder()
    const redirectUrl = `http://127.0.0.1:${await freePort()}/callback`
    const service = await openService({ redirectUrls: [redirectUrl] })
    const options = await browserOptions(['RenderDocument'])
    const profile = path.join(folder.path, 'profile')
    const context = await chromium.launchPersistentContext(profile, {
      ...options,
      args: [...options.args, '--remote-debugging-port=0'],
    })
    try {
      const [port] = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
      const bin = path.join(folder.path, 'bin')
      mkdirSync(bin)
      // Like `xdg-open`: asks the running browser to open another page.
      const open = `await fetch('http://127.0.0.1:${port}/json/new?' + encodeURIComponent(process.argv[1]), { method: 'PUT' })`
      const script = path.join(bin, 'xdg-open')
      writeFileSync(script, `#!/bin/sh\nexec '${process.execPath}' -e "${open}" "$1"\n`)
      chmodSync(script, 0o755)
      const env = {
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        SERVICE_SECRET: service.accessSecret,
      }
      const data = ['--data', path.join(folder.path, 'data'), '--json']
      const { baseUrl, accessId } = service.state()
      const set = await runCli(
        ['integration', 'set', '--name', 'Pier 9', '--base-url', baseUrl]
          .concat(['--access-id', accessId, '--access-secret-env', 'SERVICE_SECRET'])
          .concat(['--redirect-url', redirectUrl], data),
        { env },
      )
      expect(set.code).toBe(0)

      const opened = context.waitForEvent('page', { timeout: 120_000 })
      await using running = spawnCli(['authorize', '--integration', 'Pier 9', ...data], { env })
      const page = await opened
      await page.getByRole('radio', { name: /Jonas/ }).check()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('heading', { name: 'Authorization received' }).waitFor()
      const ended = await running.ended
      expect(ended.code).toBe(0)
      const [url, token] = jsonLines(ended.stdout)
      expect(url).toMatchObject({ event: 'authorize_url', redirectUrl })
      expect(token).toMatchObject({ event: 'token', findings: [] })

      const called = await runCli(['call', 'GET', '/api/sandbox/locations', ...data], { env })
      expect(jsonLines(called.stdout)[0]).toMatchObject({
        body: {
          user: { name: 'Jonas' },
          locations: [{ name: 'Pier 9' }, { name: 'Old Mill' }, { name: 'Rooftop' }],
        },
      })
    } finally {
      await context.close()
      await service.close()
    }
  },
)
