import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { jsonLines, runCli, spawnCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { serveHandler } from '#test/support/rehearsal/handler.ts'
import { identity } from '#test/support/rehearsal/rehearse.ts'

it.runIf(full)(
  'a handler that accepts everything gets grade F and exit code 1, and one that rejects everything 2',
  async () => {
    await using folder = ownedFolder()
    const run = (to: string, ...args: readonly string[]) =>
      runCli(['rehearse', '--to', to, '--data', folder.path, ...args])
    await using open = await serveHandler({ isAuthentic: () => true })
    const file = path.join(folder.path, 'report.xml')
    writeFileSync(file, 'before')
    const report = ['--secret', identity.secret, '--format', 'junit', '-o', file]
    const refused = await run(open.url, ...report)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') })
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(await run(open.url, ...report, '--force')).toMatchObject({ code: 1 })
    expect(readFileSync(file, 'utf8')).toMatch(
      /<testcase name="P1"[^>]*><failure type="fail" message="It accepted the request with 2/,
    )
    await using other = await serveHandler({ isAuthentic: () => false })
    const rejecting = await run(other.url, '--secret', identity.secret)
    expect(rejecting.code).toBe(2)
    const { stdout } = await run(open.url, '--secret', identity.secret, '--accept', '201')
    expect(stdout.toString()).toMatch(/A valid delivery got 2\d\d, and this run accepts only 201/)

    const runs = await runCli(['rehearse', 'runs', '--json', '--data', folder.path])
    expect(jsonLines(runs.stdout)).toMatchObject([
      { event: 'rehearsal_run', id: 3, state: 'failed' },
      { id: 2, state: 'failed', grade: null },
      { id: 1, state: 'done', grade: 'F', options: { url: open.url } },
    ])
    expect(runs.stdout.toString()).not.toContain(identity.secret)
  },
)

it.skipIf(process.platform === 'win32')('Ctrl+C cancels the run: exit code 130', async () => {
  await using handler = await serveHandler({ isAuthentic: () => true })
  const target = ['--to', handler.url, '--secret', identity.secret]
  await using run = spawnCli(['rehearse', '--ephemeral', '--json', ...target])
  await until('the first case', () => run.lines()[0])
  run.child.kill('SIGINT')
  const { code } = await run.ended
  expect(code).toBe(130)
  expect(run.lines().at(-1)).toMatchObject({ event: 'rehearsal', state: 'cancelled' })
})
