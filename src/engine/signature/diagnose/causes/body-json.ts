import { jsonToken } from '#shared/json/tokenizer.ts'
import type { TriedCause, MessageCause } from '../cause.ts'
import { Body, decoded } from '../body.ts'
import { indexAfter, type JsonTokens } from '../json/tokens.ts'
import { jsonVariants } from '../json/variants.ts'
import type { Message, Subject } from '../subject.ts'

const texts: readonly TriedCause[] = [
  {
    code: 'body.compact',
    tries: 'The JSON was written without white space, as JSON.stringify, Go and Ruby do.',
  },
  { code: 'body.pretty', tries: 'The JSON was indented with 1 to 4 spaces and with tabs.' },
  {
    code: 'body.spaced',
    tries: 'The JSON was written with “, ” and “: ” as separators, as Python’s json.dumps does.',
  },
  { code: 'body.sorted', tries: 'The keys of every object were sorted, in each layout.' },
  {
    code: 'body.ascii',
    tries: 'Non-ASCII characters were written as \\u escapes, as Python and PHP do.',
  },
  { code: 'body.slashes', tries: 'Slashes were written as \\/, as PHP’s json_encode does.' },
  {
    code: 'body.html',
    tries: '<, > and & were written as \\u escapes, as Go’s json.Marshal and Rails do.',
  },
  { code: 'body.dotnet', tries: 'Characters were escaped as System.Text.Json does.' },
  { code: 'body.unescaped', tries: 'Escapes that JSON does not require were decoded.' },
  {
    code: 'body.numbers',
    tries: 'Numbers were written as JavaScript and Python do: 42.50 as 42.5, 1.0 as 1.',
  },
]

const tooLarge = 'The JSON has too many values to rewrite in time.'

const variants = new WeakMap<Subject['body'], Promise<readonly Message[] | string>>()

function variantsOf({ body }: Subject): Promise<readonly Message[] | string> {
  const known = variants.get(body)
  if (known) return known
  const pending = variantsIn(body)
  variants.set(body, pending)
  return pending
}

async function variantsIn(body: Body): Promise<readonly Message[] | string> {
  const tokens = await body.tokens()
  if (!('fault' in tokens)) return jsonVariants(tokens, body.budget)
  return tokens.fault === 'too_large' ? tooLarge : []
}

/** As other libraries write the body's JSON, with one cause for each difference. */
export const jsonCauses: readonly MessageCause[] = [
  ...texts.map((text): MessageCause => ({
    ...text,
    messages: async (subject) => {
      const made = await variantsOf(subject)
      if (typeof made === 'string') return made
      return made.filter(({ codes }) => codes.length === 1 && codes[0] === text.code)
    },
  })),
  {
    code: 'body.data_only',
    tries:
      'The value of “data” was signed instead of the complete body, unchanged and reformatted.',
    messages: async (subject) => {
      const part = await dataPart(subject)
      if (!part) return []
      const { tokens, from, to } = part
      const style = { order: null, from, to }
      const { source, start, end } = tokens
      const bytes = source.subarray(start[from], end[to - 1])
      const rewritten = await jsonVariants(tokens, subject.body.budget, style)
      return [
        { codes: ['body.data_only'], words: 'the value of “data”', pieces: () => [bytes] },
        ...rewritten
          .filter(({ codes }) => codes.length === 1)
          .map(({ words, pieces }) => ({
            codes: ['body.data_only'],
            words: words.replace('the JSON of the body', 'the value of “data”'),
            pieces,
          })),
      ]
    },
  },
]

async function dataPart({
  body,
}: Subject): Promise<{ tokens: JsonTokens; from: number; to: number } | null> {
  const tokens = await body.json()
  if (!tokens || tokens.kind[0] !== jsonToken.objectOpen) return null
  const { source, start, end } = tokens
  for (let member = 1; member < tokens.count - 1; member = indexAfter(tokens, member + 1)) {
    const key = source.toString('latin1', start[member], end[member])
    if (key === '"data"') return { tokens, from: member + 1, to: indexAfter(tokens, member + 1) }
  }
  return null
}

/** What libraries produce: several JSON differences at once, and JSON that was compressed after signing. */
export async function combinedJson(subject: Subject): Promise<Message[]> {
  const made = await variantsOf(subject)
  const several = typeof made === 'string' ? [] : made.filter(({ codes }) => codes.length > 1)
  const plain = await decoded(subject.body.bytes, subject.captured.headers)
  if (!plain) return several
  const inside = await variantsIn(new Body(plain, subject.body.budget))
  return [
    ...several,
    ...(typeof inside === 'string' ? [] : inside).map(({ codes, words, pieces }) => ({
      codes: ['body.decoded', ...codes],
      words: `${words}, before it was compressed`,
      pieces,
    })),
  ]
}
