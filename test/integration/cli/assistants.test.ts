import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
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
  ['goose', '.config/goose/config.yaml', '"extensions":\n  dev:\n    cmd: x\n'],
  ['codex', '.codex/config.toml', 'mcp_servers = {}'],
  ['codex', '.codex/config.toml', '[mcp_servers]\ntabscope = { command = "other" }'],
  ['codex', '.codex/config.toml', '[ mcp_servers . "tabscope" . env ]\nA = "b"'],
  ['codex', '.codex/config.toml', 'mcp_servers.tabscope.command = "other"'],
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
  expect(stderr).not.toContain('\\n')
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

const [command, args] = [server.command, server.args].map((value) => JSON.stringify(value))
const words = server.args.map((word) => JSON.stringify(word))

/** In what people keep: with a byte order mark and CR LF (Visual Studio 2022, PowerShell 5.1), tabs, four spaces, comments, on one line. */
test.for<[assistant: string, before: string, after: string]>([
  [
    'cursor',
    '\ufeff{\r\n  "mcpServers": {\r\n    "a": { "command": "x" }\r\n  },\r\n  "inputs": []\r\n}\r\n',
    `\ufeff{\r\n  "mcpServers": {\r\n    "a": { "command": "x" },\r\n    "tabscope": {\r\n      "command": ${command},\r\n      "args": [\r\n        ${words.join(',\r\n        ')}\r\n      ]\r\n    }\r\n  },\r\n  "inputs": []\r\n}\r\n`,
  ],
  [
    'cursor',
    '{\n\t/* Own */\n\t"mcpServers": {}, // none yet\n}',
    `{\n\t/* Own */\n\t"mcpServers": {\n\t\t"tabscope": {\n\t\t\t"command": ${command},\n\t\t\t"args": [\n\t\t\t\t${words.join(',\n\t\t\t\t')}\n\t\t\t]\n\t\t}\n\t}, // none yet\n}`,
  ],
  // What the user has added to the entry stays.
  [
    'cursor',
    '{\n    "mcpServers": {\n        "tabscope": { "env": { "A": "b" } }\n    }\n}\n',
    `{\n    "mcpServers": {\n        "tabscope": {\n            "env": {\n                "A": "b"\n            },\n            "command": ${command},\n            "args": [\n                ${words.join(',\n                ')}\n            ]\n        }\n    }\n}\n`,
  ],
  ['cursor', '{"a":1}', `{"a":1,"mcpServers": {"tabscope":{"command":${command},"args":${args}}}}`],
  [
    'codex',
    '\ufeffmodel = "o"\r\n',
    `\ufeffmodel = "o"\r\n\r\n[mcp_servers.tabscope]\r\ncommand = ${command}\r\nargs = [${words.join(', ')}]\r\n`,
  ],
  [
    'goose',
    'extensions:\r\n\r\n  # Own\r\n    dev:\r\n        x: 1\r\n',
    `extensions:\r\n    tabscope:\r\n        type: "stdio"\r\n        name: "tabscope"\r\n        cmd: ${command}\r\n        args: ${args}\r\n        enabled: true\r\n        timeout: 300\r\n\r\n  # Own\r\n    dev:\r\n        x: 1\r\n`,
  ],
])('keeps how %s is written: %j', async ([assistant, before, after]) => {
  await using folder = ownedFolder()
  const file = join(folder.path, 'configuration')
  writeFileSync(file, before, { mode: 0o640 })
  for (const changed of [true, false]) {
    const call = ['mcp', 'install', assistant, '--config', file, '--yes', '--json']
    expect(jsonLines((await runCli(call, { env })).stdout)).toMatchObject([{ changed }])
    expect(readFileSync(file, 'utf8')).toBe(after)
  }
  expect(statSync(file).mode & 0o777).toBe(0o640)
})

test('refuses a file that it would damage, and says why', async () => {
  await using folder = ownedFolder()
  const file = join(folder.path, '.mcp.json')
  for (const [bytes, mode, sentence] of [
    [Buffer.from('{\n  "a" 1\n}'), 0o600, '(line 2, column 7)'],
    [Buffer.from('{"caf\xe9": 1}', 'latin1'), 0o600, 'is not UTF-8. Save it as UTF-8 first.'],
    [Buffer.from('\ufeff{}', 'utf16le'), 0o600, 'is not UTF-8. Save it as UTF-8 first.'],
    // Each reader takes the last one, and editors the first.
    [Buffer.from('{"mcpServers": {}, "mcpServers": {"a": {}}}'), 0o600, 'is in it twice.'],
    [Buffer.from('{}'), 0o400, 'is read-only, so it is not replaced.'],
  ] as const) {
    rmSync(file, { force: true })
    writeFileSync(file, bytes, { mode })
    const { code, stderr } = await runCli(['mcp', 'install', 'claude-code', '--yes'], {
      cwd: folder.path,
      env,
    })
    expect(code).not.toBe(0)
    expect(stderr).toContain(sentence)
    expect(readFileSync(file)).toEqual(bytes)
  }
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
