import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { storePath } from '#engine/store/data-folder.ts'
import { answerEvent, answerNotes, bodyOf as responseBodyOf, headOf } from '../answer.ts'
import { cancellable } from '../cancellable.ts'
import { bodyOf, callerOf, headersOf, queryOf, withType } from '../call-request.ts'
import { failing, inSession } from '../in-session.ts'
import { folderOf, parse, wholeNumber } from '../options.ts'
import { say, writeBytes, writeJson } from '../output.ts'
import { UsageError } from '../usage-error.ts'

const options = {
  // To notice the body that it named once.
  data: { type: 'string', multiple: true },
  body: { type: 'string' },
  header: { type: 'string', multiple: true },
  query: { type: 'string', multiple: true },
  token: { type: 'string' },
  'no-token': { type: 'boolean' },
  integration: { type: 'string' },
  'allow-other-origin': { type: 'boolean' },
  'no-follow': { type: 'boolean' },
  timeout: { type: 'string' },
  include: { type: 'boolean' },
} as const

/** `call METHOD PATH`: sends, and writes the body of the answer. 1 for a status of 400 and above, and when no answer came. */
export async function call(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, options, 2)
  const [method, path] = positionals
  if (method === undefined || path === undefined) {
    throw new UsageError('call needs a METHOD and a PATH: tabscope call GET /path')
  }
  const tokenId = wholeNumber('token', values.token, 1, Number.MAX_SAFE_INTEGER)
  const noToken = values['no-token'] ?? false
  if (noToken && tokenId !== undefined)
    throw new UsageError('Give --token or --no-token, not both.')
  if (values.include && values.json) throw new UsageError('Give --include or --json, not both.')
  const timeout = wholeNumber('timeout', values.timeout, 1, 600_000)
  const query = queryOf(values.query ?? [])
  const headers = headersOf(values.header ?? [])
  const folder = folderOfCall(values)
  return failing(values.json, async () => {
    const body = await bodyOf(values.body)
    const wish = {
      method: method.toUpperCase(),
      path,
      query,
      headers: withType(headers, body),
      body,
      allowOtherOrigin: values['allow-other-origin'] ?? false,
      followRedirects: !values['no-follow'],
      timeout,
    }
    return inSession({ data: folder }, async (session) => {
      const caller = await callerOf(session, {
        integration: values.integration,
        token: tokenId,
        noToken,
      })
      const key = randomUUID()
      const exchange = await cancellable(
        () => session.call('api.cancel', { key }),
        () =>
          session.call('api.send', {
            integrationId: caller.integration.id,
            tokenId: caller.token?.id ?? null,
            key,
            ...wish,
          }),
      )
      const answer = await responseBodyOf(session, exchange)
      if (values.json) writeJson(answerEvent(exchange, answer.bytes))
      else {
        if (values.include) await writeBytes(Buffer.from(headOf(exchange)))
        await writeBytes(answer.bytes)
        for (const note of answerNotes(exchange, answer, caller.token)) say(note)
      }
      return exchange.status !== null && exchange.status < 400 ? 0 : 1
    })
  })
}

/** The data folder. `--data` named the body once: what is no data folder is refused with a hint. Throws `UsageError`. */
function folderOfCall({
  data = [],
  'data-dir': dataDir,
}: {
  data?: readonly string[] | undefined
  'data-dir'?: string | undefined
}): string {
  const given = dataDir === undefined ? data : [...data, dataDir]
  const [folder] = given
  const isFolder = data.every((each) => existsSync(storePath(folderOf({ data: each }))))
  if (given.length > 1 || !isFolder) {
    throw new UsageError(
      '--data names the data folder, once, and there must be Tabscope data in it. To send a request body, use --body.',
    )
  }
  return folderOf({ data: folder })
}
