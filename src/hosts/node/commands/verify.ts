import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { AppError } from '#engine/errors.ts'
import { namedKey, verify as check } from '#engine/signature/verify.ts'
import { parse, secretOf, secretOptions } from '../options.ts'
import { writeJson, writeLine } from '../output.ts'
import { UsageError } from '../usage.ts'

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
  const body = file === '-' ? await buffer(process.stdin) : await read(file)
  const { verdict } = check(body, [values.signature.trim()], [namedKey('given', secret)])
  const valid = verdict === 'valid'
  if (values.json) writeJson({ event: 'verify', valid, bytes: body.byteLength })
  else writeLine(`${valid ? 'valid' : 'invalid'}: HMAC-SHA256 over ${body.byteLength} bytes`)
  return valid ? 0 : 1
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new AppError(
      'bad_input',
      `${file} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`,
      { cause: error },
    )
  }
}
