import { expect, test } from 'vitest'
import { runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

test.for([
  [['fly'], 'There is no command "fly".'],
  [['toString'], 'There is no command "toString".'],
  [['serve', '--wings'], "Unknown option '--wings'"],
  [['listen', '--port', 'seven'], '--port needs a whole number from 0 to 65535, not "seven".'],
  [['listen', '--port', '65536'], '--port needs a whole number'],
  [['serve', 'here'], '"here" is one word too many.'],
  [
    ['serve', 'a.tabscope', 'file://host/b.tabscope'],
    '"file://host/b.tabscope" is one word too many.',
  ],
  [['listen', 'here'], '"here" is one word too many.'],
  [['listen', '--secret', 'a', '--secret-env', 'B'], 'Give --secret or --secret-env, not both.'],
  [['listen', '--secret', ''], '--secret is empty.'],
  [['listen', '--secret-env', 'TABSCOPE_NOT_SET'], 'TABSCOPE_NOT_SET is not set.'],
  [['serve', '--ui-port', '-1'], '--ui-port'],
  [['trigger'], 'trigger needs an event type'],
  [['trigger', 'NO_SUCH', '--to', 'http://127.0.0.1:9'], 'NO_SUCH'],
  [['trigger', 'OPEN_TAB', '--to', 'ftp://a'], 'begins with http:'],
  [['trigger', 'OPEN_TAB', '--to', 'http://127.0.0.1:9', '--rate', '0'], '--rate'],
  [['trigger', 'OPEN_TAB', '--to', 'http://127.0.0.1:9', '--count', '0'], '--count'],
  [['trigger', 'OPEN_TAB', '--to', 'http://127.0.0.1:9', '--set', 'nothing'], 'path=value'],
  [['trigger', 'evening', '--to', 'http://127.0.0.1:9', '--set', 'a=1'], '--set works with'],
  [['deliveries'], 'deliveries needs one of: list, show'],
  [['deliveries', 'show'], 'needs the ID'],
  [['deliveries', 'show', 'x'], '--ID needs a whole number'],
  [['deliveries', 'list', '--limit', '0'], '--limit'],
  [['deliveries', 'note', '1'], 'deliveries note needs a text'],
  [['deliveries', 'tag', '1'], 'deliveries tag needs a tag'],
  [['deliveries', 'pin'], 'deliveries pin needs the ID'],
  [['conformance', '--since', 'Someday'], '--since needs a time'],
  [['conformance', '--before', '2h30'], '--before needs a time'],
  [['export', '--id', 'x'], '--ID needs a whole number'],
  [['export', '--without', 'bodies'], '--without takes attempts, notes, authorization'],
  [['export', '--json', '-o', '-'], 'With -o - the export itself is on stdout'],
  [['export', 'here'], '"here" is one word too many.'],
  [['import'], 'import needs a FILE'],
  [['import', '-', '-'], 'There is one stdin'],
  [['logs'], 'logs needs one of: list, show, remove, formats.'],
  [['logs', 'show'], 'logs show needs the ID of a log.'],
  [['compose', '--type', 'OPEN_TAB', '--log', '1'], '--log says which log --from ID is of'],
  [['verify', '--secret', 'a', '-'], 'verify needs --signature HEX.'],
  [['verify', '--signature', 'a', '-'], 'verify needs --secret'],
  [['verify', '--secret', 'a', '--signature', 'a'], 'verify needs a file'],
] as const)(
  '%j is not understood: exit code 2, words on stderr, nothing on stdout',
  async ([args, words]) => {
    await using folder = ownedFolder()
    const data = args[0] === 'fly' || args[0] === 'toString' ? [] : ['--data', folder.path]
    const { code, stdout, stderr } = await runCli([...args, ...data])
    expect(stderr).toContain(words)
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' })
  },
)

const commands = [
  'serve',
  'listen',
  'trigger',
  'deliveries',
  'conformance',
  'verify',
  'sandbox',
  'integration',
  'authorize',
  'token',
  'call',
  'runs',
  'export',
  'import',
  'logs',
]

test('help is on stdout, and exit code 0', async () => {
  for (const args of [['help'], ['--help'], ['serve', '--help']]) {
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of commands) {
      expect(stdout.toString()).toContain(`\n  ${word} `)
    }
  }
  expect((await runCli([])).code).toBe(2)
})
