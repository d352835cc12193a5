import { buffer } from 'node:stream/consumers'
import type { DiagnosisCause } from '#contract/deliveries.ts'
import { diagnose } from '#engine/signature/diagnose/diagnose.ts'
import { namedKey, verify as check } from '#engine/signature/verify.ts'
import { readGiven } from '../given-file.ts'
import { parse, secretOf, secretOptions } from '../options.ts'
import { writeJson, writeLine } from '../output.ts'
import { UsageError } from '../usage-error.ts'

/** `verify`: checks a signature over the raw bytes of a file or of stdin. 0: valid, 1: not. */
export async function verify(args: string[]): Promise<number> {
  const { values, positionals } = parse(
    args,
    { ...secretOptions, signature: { type: 'string' } },
    1,
  )
  const secret = secretOf(values)
  const [file] = positionals
  if (secret === undefined) throw new UsageError('verify needs --secret S or --secret-env NAME.')
  if (values.signature === undefined) throw new UsageError('verify needs --signature HEX.')
  if (file === undefined) throw new UsageError('verify needs a file, or - for stdin.')
  const body = file === '-' ? await buffer(process.stdin) : await readGiven(file)
  const { verdict } = check(body, [values.signature.trim()], [namedKey('given', secret)])
  const valid = verdict === 'valid'
  const bytes = body.byteLength
  if (!valid) {
    const { conclusion, causes } = await why(body, values.signature, secret)
    if (values.json) {
      const codes = causes.map(({ code }) => code)
      writeJson({ event: 'verify', valid, bytes, conclusion, causes: codes })
    } else {
      writeLine(`invalid: HMAC-SHA256 over ${bytes} bytes`)
      writeLine(conclusion)
      for (const { detail, fix } of causes) {
        writeLine(conclusion.includes(detail) ? fix : `${detail} ${fix}`)
      }
    }
    return 1
  }
  if (values.json) writeJson({ event: 'verify', valid, bytes })
  else writeLine(`valid: HMAC-SHA256 over ${bytes} bytes`)
  return 0
}

/** What can be said of a body, a value and a secret alone: no headers, and no other secrets. */
async function why(
  body: Uint8Array,
  signature: string,
  secret: string,
): Promise<{ conclusion: string; causes: DiagnosisCause[] }> {
  const { conclusion, causes } = await diagnose({
    captured: {
      method: 'POST',
      path: '',
      headers: [['X-Service-Signature', signature]],
      trailers: [],
      brand: 'Service',
      arrival: 'complete',
      bytes: body.byteLength,
      body,
    },
    keyring: {
      endpoint: { name: 'given', applicationId: '', current: 'set', previous: 'none' },
      current: secret,
      previous: null,
      others: [],
      access: [],
      identifiers: [],
      applications: [],
    },
  })
  return { conclusion, causes: causes.filter(({ outcome }) => outcome === 'matches') }
}
