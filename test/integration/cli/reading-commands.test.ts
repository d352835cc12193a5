import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { readStats } from '#engine/deliveries/store.ts'
import { readObservedId } from '#engine/deliveries/health/observed.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { completeProgram, pathOf } from '#hosts/node/command-line/program.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { runCli, type CliResult } from '#test/support/run-cli.ts'
import { until } from '#test/support/until.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { leavesOf } from '#build/reference/markdown.ts'

// Each command that only reads, without a running Tabscope and beside one.

const folder = ownedFolder()
const log = path.join(folder.path, 'out', 'all.ndjson')

/** By the path of the command: what to run after `tabscope`. JSON has all that is read. */
const reading: Readonly<Record<string, readonly string[]>> = {
  'attempt list': ['attempt list --json', 'attempt list --delivery 1'],
  'attempt show': ['attempt show 1 --json', 'attempt show 999'],
  conformance: ['conformance --json'],
  'delivery diagnose': ['delivery diagnose 1 2', 'delivery diagnose latest --json'],
  'delivery diff': ['delivery diff 1 2', 'delivery diff 1 3 --json'],
  'delivery list': [
    'delivery list --json',
    'delivery list -q --limit 2',
    'delivery list --filter tab-1',
    'delivery list --filter verdict:invalid --json',
    'delivery list --filter (',
    `delivery list --log ${log}`,
  ],
  'delivery show': [
    'delivery show 1 2 3 4',
    'delivery show latest --json',
    'delivery show 3 --body',
    'delivery show 999',
    `delivery show 1 --log ${log}`,
  ],
  'delivery trace': ['delivery trace 1', 'delivery trace 2 --json'],
  'endpoint list': ['endpoint list --json'],
  'endpoint show': ['endpoint show sandbox --json', 'endpoint show none'],
  'event-log formats': ['event-log formats --json'],
  'event-log list': ['event-log list --json'],
  'event-log show': ['event-log show 1 --json', 'event-log show 999'],
  export: ['export', 'export --format har --filter verdict:valid', 'export --format csv'],
  'forward list': ['forward list'],
  'generate asyncapi': ['generate asyncapi'],
  'generate fixtures': [
    `generate fixtures 1 2 --framework pytest -o ${folder.path}/tests --check --json`,
    `generate fixtures --log ${log} --framework pytest -o ${folder.path}/tests --check`,
  ],
  'generate handler': [
    `generate handler --framework express -o ${folder.path}/handler --check --json`,
  ],
  'generate openapi': ['generate openapi --observed'],
  'generate schema': ['generate schema'],
  'generate types': [
    'generate types --language typescript --observed verdict:valid',
    'generate types --language python --observed --json',
  ],
  'integration check': ['integration check Sandbox', 'integration check None'],
  'integration list': ['integration list --json'],
  'integration show': ['integration show Sandbox%service --json'],
  'job list': ['job list --json'],
  'job show': ['job show 1 --json', 'job show 999'],
  'mcp target list': ['mcp target list --json'],
  'rehearse list': ['rehearse list'],
  'rehearse runs': ['rehearse runs --json'],
  'relay status': ['relay status --json'],
  'respond list': ['respond list --json'],
  'scenario list': ['scenario list --json'],
  'scenario show': ['scenario show one --json', 'scenario show none'],
  'script list': ['script list --json'],
  'script show': ['script show table --json', 'script show none'],
  'settings get': ['settings get --json', 'settings get theme'],
  'token list': ['token list --json'],
  'token show': ['token show 999'],
  'tunnel status': ['tunnel status'],
  version: ['version --json'],
}

/** They change something, run on, wait for something, read no stored data, or (`health`, `hold`, `status`) say something else beside a running Tabscope. */
const others =
  /^(?:api|authorize|backup|call|completion|compose|health|hold (?:add|drop|edit|list|release|respond|stop)|import|listen|mcp (?:install|serve|target (?:add|remove))|receive|relay (?:add|check|forget|forward|init|invite|pause|resume|revoke)|rehearse (?:run|oauth)|resend|restore|run|sandbox|scenario (?:delete|export|run|save)|script (?:delete|run|save)|self-check|serve|skills (?:install|show)|start|status|tail|trigger|verify|wait)$|^(?:attempt|delivery|endpoint|event-log|forward|integration|job|respond|settings|token) (?:add|annotate|cancel|delete|label|off|on|pause|recheck|refresh|remove|resume|retry|revoke-local|set|set-secret)$|^tunnel (?:check|close|copied|open)$/

const run = (command: string): Promise<CliResult> =>
  runCli([...command.split(' ').map((word) => word.replaceAll('%', ' ')), '--data', folder.path])

async function fill(): Promise<void> {
  mkdirSync(path.dirname(log))
  await using tab = await openTabscope(folder.path, { secret: 'a secret of the tests' })
  await using client = await rawClient(tab.port)
  const requests = [
    post(tab.path, goodBody),
    post(tab.path, Buffer.from('{"type":"OPEN_TAB","targetUuid":"tab-1"}')),
    post(tab.path, gzipSync(goodBody), ['Content-Encoding: gzip']),
    head('POST /hooks/other HTTP/1.1', ['Host: a', 'X-Service-Signature: 00', 'Content-Length: 0']),
  ]
  for (const [index, request] of requests.entries()) {
    await client.send(request)
    await client.answers(index + 1)
  }
  const script = path.join(folder.path, 'table.ts')
  writeFileSync(script, 'export default () => undefined\n')
  const own = `http://127.0.0.1:${tab.port}/hooks/nobody`
  for (const command of [
    `resend 1 --to ${own}`,
    `resend 1 2 --to ${own}`,
    'respond add --status 503',
    `script save table ${script}`,
    'scenario save one 1 2',
    `scenario run one --at-once --to ${own}`,
    `forward add ${own}`,
    `mcp target add handler ${own}`,
    `export --output ${log}`,
    `import ${log}`,
  ]) {
    const { code, stderr } = await run(command)
    if (![0, 1].includes(code ?? 2)) throw new Error(`${command}: ${stderr}`)
  }
  // Its target cannot be judged. It is stored all the same.
  await run(`rehearse --to ${own} --only S1`)
  const db = openReader(storePath(folder.path))
  await until('everything to be observed', () => readObservedId(db) === readStats(db).newestId)
  db.close()
}
afterAll(() => folder[Symbol.asyncDispose]())

test('every command is listed here', async () => {
  const leaves = leavesOf(await completeProgram()).map((leaf) =>
    pathOf(leaf).replace('tabscope ', ''),
  )
  expect(leaves.filter((name) => !others.test(name)).toSorted()).toEqual(Object.keys(reading))
})

/**
 * Without what differs as documented: the address of the listener, the health of forward targets, and the time of an export.
 */
function comparable({ code, stdout, stderr }: CliResult) {
  const text = stdout
    .toString('latin1')
    .replaceAll(/"(?:exportedAt|startedDateTime)":"[^"]*"/g, '')
    .replaceAll(/[0-9a-f]{64}/g, 'digest')
    .replaceAll(
      /http:\/\/127\.0\.0\.1:\d+\/hooks\/sandbox|\/hooks\/sandbox \(not listening\)|not listening/g,
      'URL',
    )
    .replaceAll(/"url":(?:null|"URL")/g, '')
    .replaceAll(/ +(?:nothing sent yet)?/g, ' ')
    .split('\n')
    .map((line) => line.trim())
  return { code, text, stderr: stderr.replaceAll(/\d+(?:\.\d)? ms/g, '') }
}

test.runIf(full)(
  'each command that only reads prints the same alone and beside a running Tabscope',
  async () => {
    await fill()
    const commands = Object.values(reading).flat()
    const outputs = async (): Promise<[string, ReturnType<typeof comparable>][]> => {
      const found: [string, ReturnType<typeof comparable>][] = []
      for (const command of commands) found.push([command, comparable(await run(command))])
      return found
    }
    const alone = await outputs()
    await using _ = await openTabscope(folder.path)
    expect(await outputs()).toEqual(alone)
  },
)
