import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliFile, jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const env = { PATH: '' }
const server = { command: process.execPath, args: [cliFile, 'mcp'] }

test('configures each assistant in its project, and keeps what the file contains', async () => {
  await using folder = ownedFolder()
  const cwd = folder.path
  const read = (file: string): string => readFileSync(join(cwd, file), 'utf8')
  mkdirSync(join(cwd, '.vscode'))
  const settings =
    '{\n\t// The database\n\t"servers": {\n\t\t"db": { "command": "db", },\n\t},\n}\n'
  writeFileSync(join(cwd, '.vscode/mcp.json'), settings)
  mkdirSync(join(cwd, '.codex'))
  const config = '# Own settings\nmodel = "o"\n[mcp_servers.db]\ncommand = "db"'
  writeFileSync(join(cwd, '.codex/config.toml'), config)
  mkdirSync(join(cwd, '.cursor'))
  writeFileSync(
    join(cwd, 'linked.json'),
    '{"mcpServers": {"tabscope": {"command": "old"}}, "a": 1}',
  )
  chmodSync(join(cwd, 'linked.json'), 0o600)
  symlinkSync(join(cwd, 'linked.json'), join(cwd, '.cursor/mcp.json'))
  for (const [assistant, changed] of [
    ['claude-code', true],
    ['codex', true],
    ['cursor', true],
    ['vscode', true],
    ['claude-code', false],
    ['codex', false],
  ] as const) {
    const { code, stdout } = await runCli(['mcp', 'install', assistant, '--yes', '--json'], {
      cwd,
      env,
    })
    expect(jsonLines(stdout)).toMatchObject([{ event: 'assistant_configured', assistant, changed }])
    expect(code).toBe(0)
  }
  expect(JSON.parse(read('.mcp.json'))).toEqual({ mcpServers: { tabscope: server } })
  expect(JSON.parse(read('linked.json'))).toEqual({ mcpServers: { tabscope: server }, a: 1 })
  // It may contain secrets of other servers.
  expect(statSync(join(cwd, 'linked.json')).mode & 0o077).toBe(0)
  const vscode = read('.vscode/mcp.json')
  expect(vscode).toContain('\t// The database\n\t"servers": {\n\t\t"db": {')
  expect(JSON.parse(vscode.replaceAll(/\/\/.*|,(?=\s*[}\]])/g, ''))).toEqual({
    servers: { db: { command: 'db' }, tabscope: server },
  })
  const [command = '', ...args] = [server.command, ...server.args].map((word) =>
    JSON.stringify(word),
  )
  expect(read('.codex/config.toml')).toBe(
    `${config}\n\n[mcp_servers.tabscope]\ncommand = ${command}\nargs = [${args.join(', ')}]\n`,
  )
})

test.for<[assistant: string, name: string, text: string]>([
  ['claude-code', '.mcp.json', '{"mcpServers": '],
  ['claude-code', '.mcp.json', '[]'],
  ['claude-code', '.mcp.json', '{"mcpServers": []}'],
  ['goose', '.config/goose/config.yaml', 'extensions: {}\n'],
  ['goose', '.config/goose/config.yaml', 'extensions:\n  tabscope:\n    cmd: old\n'],
  ['codex', '.codex/config.toml', 'mcp_servers = {}'],
  ['codex', '.codex/config.toml', '[mcp_servers.tabscope]\ncommand = "other"'],
])('refuses to change %s in %s: %s', async ([assistant, name, text]) => {
  await using folder = ownedFolder()
  const file = join(folder.path, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  const { code, stderr } = await runCli(['mcp', 'install', assistant, '--yes'], {
    cwd: folder.path,
    env: { ...env, HOME: folder.path },
  })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(name) })
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('configures the other assistants, each as it reads it', async () => {
  await using folder = ownedFolder()
  const cwd = folder.path
  const data = { ...env, HOME: cwd, TABSCOPE_DATA: cwd }
  const own = { ...server, args: [...server.args, '--data', cwd] }
  const install = async (assistant: string) =>
    runCli(['mcp', 'install', assistant, '-y'], { cwd, env: data })
  for (const [assistant, file, entry] of [
    ['gemini', '.gemini/settings.json', { mcpServers: { tabscope: own } }],
    ['qwen', '.qwen/settings.json', { mcpServers: { tabscope: own } }],
    ['zed', '.zed/settings.json', { context_servers: { tabscope: own } }],
    ['kiro', '.kiro/settings/mcp.json', { mcpServers: { tabscope: own } }],
    ['windsurf', '.codeium/windsurf/mcp_config.json', { mcpServers: { tabscope: own } }],
    [
      'opencode',
      'opencode.json',
      { mcp: { tabscope: { type: 'local', command: [own.command, ...own.args], enabled: true } } },
    ],
  ] as const) {
    expect(await install(assistant)).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(join(cwd, file), 'utf8')), assistant).toEqual(entry)
  }
  expect((await install('qwen')).stderr).toContain('qwen mcp approve')
  expect((await install('claude-code')).stderr).toContain('approval')

  const goose = join(cwd, '.config/goose/config.yaml')
  const [cmd, args] = [own.command, own.args].map((value) => JSON.stringify(value))
  const extension = (indent: string) =>
    [
      'tabscope:',
      ...[
        'type: "stdio"',
        'name: "tabscope"',
        `cmd: ${cmd}`,
        `args: ${args}`,
        'enabled: true',
        'timeout: 300',
      ].map((line) => indent + line),
    ]
      .map((line) => `${indent}${line}\n`)
      .join('')
  mkdirSync(join(goose, '..'), { recursive: true })
  for (const [before, after] of [
    ['a: 1', `a: 1\nextensions:\n${extension('  ')}`],
    [
      'extensions:\n    dev:\n        x: 1\nb: 2\n',
      `extensions:\n${extension('    ')}    dev:\n        x: 1\nb: 2\n`,
    ],
    ['extensions:\nb: 2\n', `extensions:\n${extension('  ')}b: 2\n`],
  ] as const) {
    writeFileSync(goose, before)
    await install('goose')
    expect(readFileSync(goose, 'utf8')).toBe(after)
    await install('goose')
    expect(readFileSync(goose, 'utf8')).toBe(after)
  }
})

test('keeps a byte order mark, and says where a file is not valid', async () => {
  await using folder = ownedFolder()
  const file = join(folder.path, '.mcp.json')
  writeFileSync(file, '\ufeff{"a": 1}')
  const install = async () =>
    runCli(['mcp', 'install', 'claude-code', '--yes'], { cwd: folder.path, env })
  expect(await install()).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toMatch(/^\ufeff\{\s*"a": 1,/)
  writeFileSync(file, '{\n  "a" 1\n}')
  expect((await install()).stderr).toContain('(line 2, column 7)')
})

test('shows the change, and makes none without a confirmation', async () => {
  await using folder = ownedFolder()
  const file = join(folder.path, 'mcp.json')
  const args = ['mcp', 'install', 'cursor', '--config', file, '--data', folder.path]
  const { code, stderr } = await runCli(args, { env })
  expect(code).toBe(4)
  expect(stderr).toContain('"mcpServers"')
  expect(stderr).toContain(JSON.stringify(folder.path))
  expect(stderr).toContain('Confirm with --yes.')
  expect(existsSync(file)).toBe(false)
})

test('prints the instructions for the command line, and installs them', async () => {
  await using folder = ownedFolder()
  const cwd = folder.path
  const { stdout } = await runCli(['skills'])
  const text = stdout.toString()
  expect(text).toMatch(/^---\nname: tabscope\ndescription: .{50,1024}\n---\n/)
  const file = join(cwd, '.claude/skills/tabscope/SKILL.md')
  const install = async (...args: string[]) =>
    runCli(['skills', 'install', 'claude-code', ...args], { cwd })
  expect(await install()).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toBe(text)
  writeFileSync(file, 'own')
  expect(await install()).toMatchObject({ code: 4 })
  expect(readFileSync(file, 'utf8')).toBe('own')
  const replaced = await install('--yes', '--json')
  expect(jsonLines(replaced.stdout)).toEqual([
    { event: 'skill_installed', name: 'tabscope', file, changed: true },
  ])
  expect(readFileSync(file, 'utf8')).toBe(text)
})
