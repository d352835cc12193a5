import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { LogLine } from '#contract/event-log.ts'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import ndjson from '#engine/event-logs/formats/ndjson.ts'
import { head } from '#test/support/log-page.ts'
import { hostileHead, hostileItems } from '#test/support/hostile-log.ts'
import { logBytes } from '#test/support/event-log.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'

/** Text that controls a terminal, changes the text direction, or forges a line. */
const attack =
  '\nFORGED\r\u001b[31m\u001b]0;title\u0007\u001b]8;;http://evil\u001b\\\u009b2J\u0085\u0000\u0008\t\u202eevil\u2066\u200f\u061c\u007f\u2028\u{e0041}'

/** Control characters except the line break, and bidirectional marks. */
const raw =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u

/** The attack in every string of a line that may be any string, including keys; one at a time, so that fixed words stay. */
function attacked(line: LogLine): { line: LogLine; places: string[] } {
  let current: unknown = structuredClone(line)
  const places: string[] = []
  for (const at of stringsIn(current)) {
    const changed = structuredClone(current)
    // A header with a line break is invalid, and omitted by an import.
    const inHeader = at.some((step) => /headers$|^trailers$/i.test(step))
    change(changed, at, inHeader ? attack.replaceAll(/[\r\n\0]/g, '') : attack)
    const read = LogLine.safeParse(changed)
    if (!read.success || at.at(-1) === 'kind') continue
    current = changed
    places.push(at.filter((step) => !/^\d+$/.test(step)).join('.'))
  }
  return { line: LogLine.parse(current), places }
}

function* stringsIn(value: unknown, at: string[] = []): Generator<string[]> {
  if (typeof value === 'string') yield at
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) yield* stringsIn(one, [...at, key])
  }
}

function change(value: unknown, [key = '', ...rest]: readonly string[], behind: string): void {
  if (typeof value !== 'object' || value === null) return
  const one: unknown = Reflect.get(value, key)
  if (rest.length > 0) change(one, rest, behind)
  else Reflect.set(value, key, `${String(one)}${behind}`)
}

function hostileLines(): { lines: LogLine[]; places: Set<string> } {
  const text = [
    ...ndjson.write({ ...head, ...hostileHead }, hostileItems(), {
      target: '',
      removed: () => ({}),
    }),
  ]
    .map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString()))
    .join('')
  const places = new Set<string>()
  const lines = text
    .trimEnd()
    .split('\n')
    .map((one) => LogLine.parse(JSON.parse(one)))
    .filter(({ kind }) => kind !== 'end')
    .map((line) => {
      const { line: hostile, places: changed } = attacked(line)
      for (const place of changed) places.add(`${line.kind} ${place}`)
      return hostile
    })
  return { lines, places }
}

const { folder } = sharedTabscope()
let file = ''
let log = ''
let attempt = ''
let places = new Set<string>()

beforeAll(async () => {
  const made = hostileLines()
  ;({ places } = made)
  file = path.join(folder, 'hostile\u001b[31m\u202elog.ndjson')
  writeFileSync(file, logBytes(made.lines))
  const imported = await runCli(['import', file, '--json', '--data', folder])
  expect(imported).toMatchObject({ code: 0 })
  expect(imported.stdout.toString() + imported.stderr).not.toMatch(raw)
  const { stdout } = await runCli(['event-log', 'list', '--json', '--data', folder])
  const [listed] = jsonLines(stdout)
  expect(listed).toMatchObject({ deliveries: 2 })
  log = String(listed?.['id'])
  const sent = await runCli(['attempt', 'list', '--log', log, '--json', '--data', folder])
  attempt = String(jsonLines(sent.stdout)[0]?.['id'])
})

const commands: readonly (readonly string[])[] = [
  ['import', 'FILE'],
  ['event-log', 'list'],
  ['event-log', 'show', 'LOG'],
  ['delivery', 'list', '--log', 'LOG'],
  ['delivery', 'list', '--log', 'LOG', '--filter', 'FORGED'],
  ['delivery', 'list', '--log', 'LOG', '--filter', 'verdict:invalid'],
  ['delivery', 'list', '--log', 'LOGATTACK'],
  ['delivery', 'list', '--log', 'LOG', '--filter', 'type:ATTACK'],
  ['delivery', 'show', '1', '--log', 'LOG'],
  ['delivery', 'show', '2', '--log', 'LOG'],
  ['delivery', 'diff', '1', '2', '--log', 'LOG'],
  ['attempt', 'list', '--log', 'LOG', '--delivery', '1'],
  ['attempt', 'show', 'ATTEMPT', '--log', 'LOG'],
  ['delivery', 'trace', '1', '--log', 'LOG'],
  ['delivery', 'diagnose', '1', '--log', 'LOG'],
  ['conformance', '--log', 'LOG'],
  ['export', '--log', 'LOG', '--preview'],
  ['export', '--log', 'LOG', '-o', 'OUT.ndjson'],
  ['compose', '--from', '1', '--log', 'LOG', '--to', 'http://127.0.0.1:9/'],
  ['resend', '1', '--to', 'http://127.0.0.1:9/'],
]

/** Expected failures: invalid arguments, a target that is not listening, and a delivery that is only in the log. */
function codeOf(words: readonly string[]): number {
  if (words.includes('type:ATTACK')) return 2
  if (words[1] === 'diff') return 1
  if (words.includes('LOGATTACK') || words[0] === 'resend') return 3
  return words[0] === 'compose' ? 2 : 0
}

describe('a log with an attack in every string', () => {
  test('contains it in all displayed strings of a delivery, its findings and its attempts', () => {
    for (const place of [
      'findings.code',
      'findings.location',
      'title',
      'path',
      'headers',
      'note',
      'tags',
    ]) {
      expect(places).toContain(`delivery ${place}`)
    }
    expect([...places].some((place) => place.startsWith('delivery attempts.response'))).toBe(true)
    expect(places.size).toBeGreaterThan(35)
  })

  const withJson = ['event-log list', 'delivery show 1', 'delivery trace 1'].map((words) => [
    ...words.split(' '),
    ...(words.startsWith('delivery') ? ['--log', 'LOG'] : []),
    '--json',
  ])
  test.each([...commands, ...withJson].map((words) => [words]))(
    'is printed harmlessly by %j',
    async (words) => {
      const args = words.map((word) =>
        word
          .replace(/^FILE$/, file)
          .replace(/^LOG$/, log)
          .replace(/^ATTEMPT$/, attempt)
          .replace('ATTACK', attack.replaceAll('\0', ''))
          .replace('OUT', path.join(folder, 'out')),
      )
      const { code, stdout, stderr } = await runCli([...args, '--data', folder], {
        env: { NO_COLOR: '1' },
      })
      expect({ code, stderr }).toEqual({ code: codeOf(words), stderr: expect.any(String) })
      expect(stderr).not.toMatch(raw)
      expect(stdout.toString()).not.toMatch(raw)
      // A body may contain line breaks.
      if (words[1] === 'show' && words[0] !== 'event-log') return
      expect(`${stdout.toString()}\n${stderr}`).not.toMatch(/^FORGED/m)
    },
  )

  test('cannot inject terminal colors', async () => {
    const args = ['delivery', 'list', '--log', log, '--data', folder]
    const { stdout } = await runCli(args, { env: { NO_COLOR: '', FORCE_COLOR: '1' } })
    const text = stdout.toString()
    expect(text).toMatch(/^ *\u001b\[90m/)
    expect(text).not.toMatch(/\\r\u001b/)
    expect(text.replaceAll(/\u001b\[\d{1,2}m/g, '')).not.toMatch(raw)
  })

  test.each(['csv', 'markdown'])('is also harmless as %s', async (format) => {
    const args = ['export', '--log', log, '--format', format, '-o', '-', '--data', folder]
    const { stdout, stderr } = await runCli(args)
    expect(stdout.toString().replaceAll('\r\n', '\n') + stderr).not.toMatch(raw)
  })

  test('writes the exact bytes of a body to a file', async () => {
    const args = ['delivery', 'show', '2', '--body', '--log', log, '--data', folder]
    const { stdout } = await runCli(args)
    expect(stdout.toString()).toMatch(/^whole-body <\/script>/)
    expect(stdout.toString()).toContain('\u001b[31m')
  })
})

test('every command writes to stdout and stderr through output.ts', () => {
  const root = path.resolve(import.meta.dirname, '../../../src/hosts/node')
  const own = globSync('**/*.ts', { cwd: root }).filter((name) =>
    /\b(?:process|io)\.(?:stdout|stderr)\b(?!\.(?:isTTY|columns)\b)|createInterface\([^)]*io\.|console\.|writeSync\([12]/.test(
      readFileSync(path.join(root, name), 'utf8'),
    ),
  )
  expect(
    own.filter((name) => !name.startsWith('release/') && !name.startsWith('licences/')),
    // The version, help and completions, which contain only Tabscope's own definitions, and the messages of MCP, which no terminal shows.
  ).toEqual([
    'cli-entry.ts',
    'cli.ts',
    'output/output.ts',
    'mcp/server.ts',
    'command-line/command.ts',
    'command-line/program.ts',
  ])
})
