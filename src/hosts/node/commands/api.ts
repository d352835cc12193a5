import type { CallName } from '#contract/calls.ts'
import { revealingCalls } from '#contract/constants.ts'
import { isObject } from '#shared/json/object.ts'
import { visibleJson } from '#shared/text/visible.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, defineCommand, type ExitCode } from '../command-line/command.ts'
import { callInputs } from '../command-line/call-inputs.ts'
import { fieldsOf } from '../command-line/declaration.ts'
import { collect } from '../command-line/values.ts'
import { globals } from '../command-line/globals.ts'
import { UsageError } from '../command-line/errors.ts'
import { withSession } from '../session/in-session.ts'
import { nearestOf } from '../command-line/nearest.ts'
import { bodyJson, writeJson, writeLine } from '../output/output.ts'
import { bytesOf, maskedHeaders } from '../command-line/send-options.ts'
import { tableText } from '../output/table.ts'

export const command = defineCommand('api', 'Make a call of the interface, and print its result', [
  ['List all calls', 'api'],
  ['Show the input of a call, as JSON Schema', 'api hold.add --schema'],
  ['Forward deliveries of an endpoint', 'api forwards.add endpointId=1 url=localhost:3000/hooks'],
  ['Change several settings at once', 'api settings.update keepDays=30 proxy=none'],
  ['With a field that is an object', `api deliveries.resend id=1 'sign:={"how":"none"}'`],
])
  .argument('[call]', 'Name of the call', Object.assign(callNamed, { choices: names() }))
  .argument(
    '[field...]',
    'Fields of its input: name=value, repeated for a list, name=@FILE, or name:=JSON',
    collect,
  )
  .option('--schema', 'Print the JSON Schema of the input instead of making the call')
  .option('--reveal', 'Print secrets and the values of custom headers')
  .action(
    action(async (name, words = [], { schema = false, reveal = false }) => {
      if (name === undefined) return listCalls()
      if (schema) return printSchema(name)
      if (revealingCalls.has(name) && !reveal) {
        throw new AppError(
          'confirmation_required',
          `The result of ${name} is a secret. To print it, use --reveal.`,
        )
      }
      const input = await inputOf(name, words)
      return withSession('change', async (session) => {
        const output: unknown = await session.call(name, input)
        const plain = plainValue(output, reveal)
        if (globals.json) writeJson('called', { call: name, output: plain })
        else
          for (const line of JSON.stringify(plain, null, 2).split('\n'))
            writeLine(visibleJson(line))
      })
    }),
  )

function names(): string[] {
  return Object.keys(callInputs).toSorted()
}

function isCall(name: string): name is CallName {
  return Object.hasOwn(callInputs, name)
}

function callNamed(name: string): CallName {
  if (isCall(name)) return name
  const near = nearestOf(name, names())
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw new UsageError(`Unknown call "${name}".${hint} To list all calls: tabscope api`)
}

function listCalls(): ExitCode {
  const rows = names().map((call) => ({
    call,
    fields: Object.entries(fieldsOf(call)).map(([name, { isRequired }]) => ({ name, isRequired })),
  }))
  if (globals.json) for (const row of rows) writeJson('call', row)
  else if (globals.quiet) for (const { call } of rows) writeLine(call)
  else {
    const fieldText = ({ name, isRequired }: (typeof rows)[number]['fields'][number]): string =>
      isRequired ? name : `[${name}]`
    writeLine(
      tableText(rows, {
        Call: ({ call }) => call,
        Fields: ({ fields }) => fields.map(fieldText).join(' '),
      }),
    )
  }
  return 0
}

async function printSchema(name: CallName): Promise<ExitCode> {
  const { calls } = await import('#contract/calls.ts')
  const { toJSONSchema } = await import('zod')
  const schema = toJSONSchema(calls[name].input, { io: 'input', unrepresentable: 'any' })
  writeLine(JSON.stringify(schema, null, globals.json ? undefined : 2))
  return 0
}

/** Typed by the schema; the engine says what is invalid. Throws `UsageError`. */
async function inputOf(call: string, words: readonly string[]): Promise<Record<string, unknown>> {
  const fields = fieldsOf(call)
  const input: Record<string, unknown> = {}
  for (const word of words) {
    const [, name = '', how, text = ''] = /^(\w+)(:?=)(.*)$/s.exec(word) ?? []
    if (name === '') throw new UsageError(`A field is name=value, not "${word}".`)
    const field = fields[name]
    if (!field) {
      const known = Object.keys(fields).join(', ') || 'none'
      throw new UsageError(`${call} has no field "${name}". Its fields: ${known}.`)
    }
    const file = how === '=' && text.startsWith('@') ? await bytesOf(text.slice(1)) : null
    const given = file ? Buffer.from(file).toString('utf8') : text
    const value = how === '=' && field.type === 'string' ? given : jsonOf(name, given)
    const before = input[name]
    input[name] =
      field.isList && how === '=' ? [...(Array.isArray(before) ? before : []), value] : value
  }
  return input
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${name} requires a number, true, false or JSON, not "${text}".`)
  }
}

/** Bytes as in `delivery show --json`. Unless `reveal`, the values of custom headers are masked as in `endpoint show`. */
function plainValue(value: unknown, reveal: boolean): unknown {
  if (value instanceof Uint8Array) return bodyJson(value)
  if (Array.isArray(value)) return value.map((each: unknown) => plainValue(each, reveal))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'customHeaders' && Array.isArray(each) && !reveal
        ? maskedHeaders(each)
        : plainValue(each, reveal),
    ]),
  )
}
