import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { jsonLines, runCli, runSpawnedCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

describe('tabscope --self-check without Electron', () => {
  it('checks everything that the command line can, and leaves nothing behind', async () => {
    await using temp = ownedFolder()
    const report = path.join(temp.path, 'report')
    const { code, stdout } = await runSpawnedCli(['--self-check', '--report', report], {
      env: { TMPDIR: temp.path },
    })
    const lines = jsonLines(stdout)
    expect(lines.filter(({ status }) => status === 'failed')).toEqual([])
    expect(code).toBe(0)
    expect(lines.filter(({ status }) => status === 'passed').map(({ check }) => check)).toEqual([
      'secrets',
      'engine',
      'listener',
      'certificates',
      'interface',
      'delivery',
      'thread.sender',
      'thread.export',
      'thread.import',
      'thread.rehearsal',
      'thread.script',
      'thread.tunnel',
      'tls',
      'authorization',
      'crash-reports',
      'close',
    ])
    expect(lines.at(-1)).toMatchObject({ verdict: 'passed', failed: 0 })
    expect(readFileSync(path.join(report, 'self-check.jsonl'))).toEqual(stdout)
    expect(globSync('tabscope-self-check-*', { cwd: temp.path })).toEqual([])
  })

  it.runIf(full)('runs without Electron, and does not download it', async () => {
    const launcher = fileURLToPath(new URL('../../../src/hosts/node/launch.mjs', import.meta.url))
    const { code, stdout, stderr } = await runSpawnedCli(['--self-check'], {
      program: [process.execPath, launcher],
      env: { TABSCOPE_NO_ELECTRON: '1' },
    })
    expect(stderr).toBe(
      'Electron cannot run on this system: window, menu and tray are not checked.\n',
    )
    expect(jsonLines(stdout).at(-1)).toMatchObject({ verdict: 'passed' })
    expect(code).toBe(0)
  })

  it('rejects an unknown option', async () => {
    const { code, stderr } = await runCli(['--self-check', '--reprot', 'x'])
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean --report?')
  })
})
