import { buffer } from 'node:stream/consumers'
import { diagnosisText } from '../diagnosis-text.ts'
import { readSession } from '../in-session.ts'
import { logOf } from '../log-option.ts'
import { idOf, parse, secretOf } from '../options.ts'
import { writeJson, writeLine } from '../output.ts'
import { UsageError } from '../usage-error.ts'

/**
 * `deliveries diagnose ID`: why the signature failed. A secret to try comes from the environment or stdin, so that it stands in no list of
 * processes and in no history of a shell; it is tried and forgotten.
 */
export async function diagnose(args: string[]): Promise<number> {
  const { values, positionals } = parse(
    args,
    {
      'secret-env': { type: 'string' },
      'secret-stdin': { type: 'boolean' },
      all: { type: 'boolean' },
      log: { type: 'string' },
    },
    1,
  )
  const id = idOf('deliveries diagnose needs the ID of a delivery.', positionals[0])
  const variable = values['secret-env']
  if (variable !== undefined && values['secret-stdin']) {
    throw new UsageError('Give --secret-env or --secret-stdin, not both.')
  }
  const candidate = values['secret-stdin']
    ? await secretFromStdin()
    : secretOf({ 'secret-env': variable })
  return readSession(values, async (session) => {
    const log = await logOf(session, values.log)
    const diagnosis = await session.call('deliveries.diagnose', { id, log, candidate })
    if (values.json) writeJson({ event: 'diagnosis', id, ...diagnosis })
    else writeLine(diagnosisText(diagnosis, values.all ?? false))
    return 0
  })
}

/** Without the one line break that `echo` puts behind it. */
async function secretFromStdin(): Promise<string> {
  const secret = (await buffer(process.stdin)).toString('utf8').replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError('No secret came on stdin.')
  return secret
}
