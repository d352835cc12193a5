import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliFile, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const folder = ownedFolder()
beforeAll(() => {
  const bin = path.join(folder.path, 'bin')
  mkdirSync(bin)
  const program = path.join(bin, 'tabscope')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cliFile}' "$@"\n`)
  chmodSync(program, 0o755)
  writeFileSync(path.join(folder.path, 'log.tabscope'), '')
})
afterAll(() => folder[Symbol.asyncDispose]())

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function inShell(shell: string, args: readonly string[]): string[] {
  const env = {
    ...process.env,
    HOME: folder.path,
    PATH: `${path.join(folder.path, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  }
  const output = execFileSync(shell, args, { cwd: folder.path, env, encoding: 'utf8' })
  return output.split('\n').filter((line) => line !== '')
}

async function candidates(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['completion', '--complete', '--', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '')
}

test('commands, subcommands, options, values and files are completed from the definitions', async () => {
  expect(await candidates('ser')).toEqual(['serve'])
  expect(await candidates('deliver')).toEqual(['delivery'])
  expect(await candidates('deliveries', 'li')).toEqual(['list'])
  expect(await candidates('help', 'impo')).toEqual(['import'])
  expect(await candidates('event-log', '')).toEqual(['formats', 'list', 'remove', 'show'])
  expect(await candidates('--data', 'x', 'event-log', 'sh')).toEqual(['show'])
  expect(await candidates('export', '--m')).toEqual(['--mask'])
  expect(await candidates('event-log', 'list', '--ut')).toEqual(['--utc'])
  expect(await candidates('export', '--format', 'h')).toEqual(['har', 'html'])
  expect(await candidates('export', '--format=ha')).toEqual(['--format=har'])
  expect(await candidates('export', '--without', 'notes,au')).toEqual(['notes,authorization'])
  expect(await candidates('listen', '--forward-types', 'OPEN')).toEqual(['OPEN_TAB'])
  expect(await candidates('import', 'a.har', '')).toEqual([':files'])
  expect(await candidates('export', '-o', '')).toEqual([':files'])
  // Words that are not values are not completed as values.
  expect(await candidates('export', '--json', '--form')).toEqual(['--format'])
  expect(await candidates('import', '--', '--')).toEqual([':files'])
  expect(await candidates('nothing', 'x')).toEqual([])
})

const bash = String.raw`
source <(tabscope completion bash)
try() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
  _tabscope tabscope
  printf '%s\n' "${'${COMPREPLY[*]}'}"
}
complete -p tabscope
try tabscope ser
try tabscope export --format = h
try tabscope export --without notes,au
try tabscope event-log list --u
`

test.skipIf(!isInstalled('bash'))('bash completes with its script', () => {
  expect(inShell('bash', ['--norc', '--noprofile', '-c', bash])).toEqual([
    'complete -o default -F _tabscope tabscope',
    'serve',
    'har html',
    'notes,authorization',
    '--utc',
  ])
})

const zsh = String.raw`
autoload -Uz compinit && compinit -D -u
source <(tabscope completion zsh)
print -r -- $_comps[tabscope]
_describe() { print -rl -- "${'${candidates[@]}'}" }
_files() { print files }
try() { words=("$@"); CURRENT=$#; _tabscope }
try tabscope ser
try tabscope export -o ''
try tabscope export --format ha
`

test.skipIf(!isInstalled('zsh'))('zsh completes with its script', () => {
  expect(inShell('zsh', ['-f', '-c', zsh])).toEqual([
    '_tabscope',
    expect.stringMatching(/^serve:Receive/),
    'files',
    'har:',
  ])
})

function inFish(line: string): string[] {
  const script = `tabscope completion fish | source; complete -C '${line}'`
  return inShell('fish', ['--no-config', '-c', script]).map((each) => each.split('\t')[0] ?? '')
}

test.skipIf(!isInstalled('fish'))('fish completes with its script', () => {
  expect(inFish('tabscope ser')).toEqual(['serve'])
  expect(inFish('tabscope export --format ha')).toEqual(['har'])
  expect(inFish('tabscope import lo')).toEqual(['log.tabscope'])
})

const powershell = String.raw`
tabscope completion powershell | Out-String | Invoke-Expression
(TabExpansion2 'tabscope ser').CompletionMatches.CompletionText
(TabExpansion2 'tabscope logs ').CompletionMatches.CompletionText
`

test.skipIf(!isInstalled('pwsh'))('PowerShell completes with its script', () => {
  expect(inShell('pwsh', ['-NoProfile', '-Command', powershell])).toEqual([
    'serve',
    'formats',
    'list',
    'remove',
    'show',
  ])
})

test('the script for PowerShell registers a completer, and its brackets are balanced', async () => {
  const { stdout } = await runCli(['completion', 'powershell'])
  const script = stdout.toString()
  expect(script).toContain('Register-ArgumentCompleter -Native -CommandName tabscope -ScriptBlock')
  const open: string[] = []
  for (const sign of script.replaceAll(/^\s*#.*$/gm, '')) {
    if ('([{'.includes(sign)) open.push(sign)
    else if (')]}'.includes(sign)) expect(`${open.pop()}${sign}`).toMatch(/^(?:\(\)|\[\]|\{\})$/)
  }
  expect(open).toEqual([])
})
